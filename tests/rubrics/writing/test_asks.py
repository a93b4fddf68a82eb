import pytest

from mailgym.rubrics.writing.asks import Ask, AskKind, read_ask


def worth(kind: AskKind, accepted: str, *sentences: str, too: tuple[str, ...] = ()) -> float:
    return read_ask(Ask(kind, tuple(accepted.split("|"))), sentences, too)


@pytest.mark.parametrize(
    ("kind", "accepted", "sentence"),
    [
        ("date", "Thursday 12 March", "Thursday 12 March is fine with me."),
        ("date", "Thursday 12 March", "The 12th suits us best."),
        ("date", "Thursday 12 March", "Thursday works."),
        ("date", "12 March", "March 12 is fine."),
        ("date", "tomorrow", "I'll do it tomorrow."),
        ("date", "12 March", "If 12 March does not suit you, tell me; else 12 March it is."),
        ("time", "14:30", "Let us meet at half past two."),
        ("time", "3 pm", "It starts at 3."),
        ("amount", "$1,200", "That makes 1200 dollars in all."),
        ("amount", "11,900", "Go ahead with 11.9k."),
        ("number", "650", "The width is 650 mm."),
        ("number", "3|three", "We need three of them."),
        ("name", "Anke Fries", "Call Anke if it hangs again."),
        ("name", "Robert Miles", "Bob Miles does it."),
        ("place", "Cedar Room", "We meet in the Cedar Room."),
        ("yes_no", "yes", "Count me in."),
        ("yes_no", "no", "I'm afraid we have to pass on it."),
        ("yes_no", "yes|love to", "I'd love to."),
        ("yes_no", "approved", "The plan is approved."),
        ("topic", "refund policy|refund", "The refund goes out today."),
        ("topic", "pay invoice", "The invoice was paid on Monday."),
        ("topic", "medicine", "He takes no medicine at all."),
    ],
)
def test_what_was_asked_is_answered(kind: AskKind, accepted: str, sentence: str) -> None:
    assert worth(kind, accepted, sentence) == 1.0


@pytest.mark.parametrize(
    ("kind", "accepted", "sentence"),
    [
        ("date", "Thursday 12 March", "Friday 13 March works for me."),
        ("date", "Thursday 12 March", "Thursday 19 March works for me."),
        ("date", "12 March", "I can't do 12 March."),
        ("date", "12 March", "Some day in March suits me."),
        ("date", "12 March 2026", "The 12 March 2027 suits me."),
        ("date", "12 March", "I will let you know."),
        ("time", "14:30", "We meet at 15:30."),
        ("amount", "$1,200", "It is 1,200 EUR."),
        ("amount", "$1,200", "It is $2,100."),
        ("amount", "$1,200", "I never approved the $1,200."),
        ("number", "14 days", "It takes 14 hours."),
        ("name", "Anke Fries", "Call Peter Schulz."),
        ("place", "Cedar Room", "We do not meet in the Cedar Room."),
        ("place", "Cedar Room", "We meet upstairs."),
        ("yes_no", "yes", "Unfortunately we can't."),
        ("yes_no", "no", "Sure, go ahead."),
        ("yes_no", "yes", "What a question!"),
        ("topic", "refund", "We do not refund anything."),
        ("topic", "spring course", "The spring was cold."),
    ],
)
def test_what_was_asked_is_not_answered(kind: AskKind, accepted: str, sentence: str) -> None:
    assert worth(kind, accepted, sentence) == 0.0


def test_an_answer_beside_another_one_counts_for_half() -> None:
    assert worth("date", "12 March", "12 March or 13 March is fine.") == 0.5
    assert worth("date", "12 March", "12 March at 10:00 and 13 March are fine.") == 0.5
    assert worth("date", "12 March", "12 March and 13 March are fine.", too=("13 March",)) == 1.0
    assert worth("amount", "$1,200", "It costs $1,200 and takes 3 days.") == 1.0
    assert worth("date", "12 March", "I am not sure about 12 March.") == 0.5
    assert worth("yes_no", "yes", "Yes, and no.", "No, rather not.") == 0.5


def test_who_says_it_and_denies_it_says_it_half() -> None:
    assert worth("date", "12 March", "I can do 12 March.", "No, 12 March is not possible.") == 0.5


def test_a_reply_with_all_days_chose_none() -> None:
    days = [f"It may be on {day} March." for day in range(1, 13)]
    assert worth("date", "12 March", *days[7:]) == 0.5
    assert worth("date", "12 March", *days) == 0.0


def test_an_ask_that_accepts_nothing_is_never_answered() -> None:
    assert read_ask(Ask("topic", ()), ["The plan is fine."]) == 0.0
    assert read_ask(Ask("date", ("soon enough",)), ["It is on 12 March."]) == 0.0


def test_a_topic_may_run_over_two_sentences() -> None:
    assert worth("topic", "spring course", "You can come again in spring.", "The course is free.") == 1.0
    assert worth("topic", "spring course", "In spring.", "We are here.", "The course is free.") == 0.0


def test_a_denied_topic_counts_where_the_right_answer_is_no() -> None:
    assert read_ask(Ask("topic", ("refund",)), ["We do not refund it."], denied_too=True) == 1.0
