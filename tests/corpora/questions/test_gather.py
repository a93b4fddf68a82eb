from dataclasses import replace
from datetime import date

from mailgym.corpora.question import Question
from mailgym.corpora.questions.gather import Placed, drop_repeats, question_id, template_of, with_new
from mailgym.corpora.questions.item import AMBIGUOUS, DUPLICATE, KEPT, OVER_LIMIT, UNREALISTIC, Item

DAY = date(2024, 2, 3)


def put(question: str, answer: str, *ids: str, mailbox: str = "maya.mailbox") -> Placed:
    return Placed(Item(question, answer, ids or ("a@x",), 0.9, DAY), mailbox)


def fates(*placed: Placed, existing: tuple[Question, ...] = (), limit: int | None = None) -> list[str]:
    return [one.item.fate for one in drop_repeats(placed, existing, limit)]


def stored(question: str, answer: str | None, *ids: str) -> Question:
    return Question(
        "q", "test", "maya.mailbox", "maya@x", "Maya", DAY, question, ids, answer, "single", "t", {}, "amount"
    )


def test_the_same_words_are_one_question_whatever_their_order_and_little_words() -> None:
    assert fates(
        put("When is the call with Dana?", "Friday", "a@x"),
        put("The call with Dana: when was it?", "friday", "b@x"),
        put("When is the call with Dana?", "Friday", "c@x", mailbox="tom.mailbox"),
        put("When is the lunch with Dana?", "Friday", "d@x"),
    ) == [KEPT, KEPT, KEPT, KEPT]
    assert fates(put("When is the call?", "Friday", "a@x"), put("The call is when?", "friday", "b@x")) == [
        KEPT,
        DUPLICATE,
    ]


def test_the_same_words_with_several_answers_are_kept_by_none() -> None:
    three = [
        put("When is the call?", answer, f"{answer}@x") for answer in ("14 May 2001", "15 May 2001", "14 May 2001")
    ]
    assert fates(*three) == [AMBIGUOUS] * 3


def test_the_same_mails_and_answer_are_asked_about_once_but_for_yes_and_no() -> None:
    assert fates(
        put("How much is the kiln?", "400 euro", "a@x", "b@x"),
        put("What does Dana want for it?", "400 Euro!", "b@x", "a@x"),
        put("What does Tom want for it?", "400 euro", "a@x"),
        put("Is the kiln red?", "Yes", "c@x"),
        put("Is the kiln new?", "yes", "c@x"),
    ) == [KEPT, DUPLICATE, KEPT, KEPT, KEPT]


def test_what_the_store_has_is_a_repeat() -> None:
    existing = (stored("When is the call?", "Friday", "z@x"), stored("Price?", "400 euro", "a@x"))
    assert fates(
        put("When is the call?", "Friday", "y@x"),
        put("How much is the kiln?", "400 euro", "a@x"),
        put("How much is the ladder?", "500 euro", "a@x"),
        existing=existing,
    ) == [DUPLICATE, DUPLICATE, KEPT]


def test_known_item_questions_are_no_repeat() -> None:
    assert fates(put("When is the call?", "Friday"), existing=(stored("When is the call?", None, "a@x"),)) == [KEPT]


def test_a_limit_counts_what_is_kept_and_leaves_other_fates_alone() -> None:
    bad = put("Bad?", "no", "b@x")
    bad = replace(bad, item=bad.item.ends(UNREALISTIC))
    placed = [bad, *(put(f"How much is kiln {n}?", f"{n} euro", f"{n}@x") for n in range(3))]
    assert fates(*placed, limit=2) == [UNREALISTIC, KEPT, KEPT, OVER_LIMIT]


def test_an_id_tells_questions_apart_and_nothing_of_their_key() -> None:
    item = put("When is the call?", "Friday", "secret@x").item
    made = question_id("s", "maya.mailbox", "test", item)
    assert made.startswith("maya-test-")
    assert "secret" not in made
    assert made == question_id("s", "maya.mailbox", "test", replace(item, how_realistic=0.1))
    others = [("r", "maya.mailbox", "test"), ("s", "tom.mailbox", "test"), ("s", "maya.mailbox", "train")]
    assert len({made, *(question_id(*one, item) for one in others)}) == 4


def test_questions_about_the_same_mails_share_a_template() -> None:
    assert template_of(("a@x", "b@x")) == template_of(("b@x", "a@x"))
    assert template_of(("a@x",)) != template_of(("b@x",))


def test_new_questions_stand_behind_and_take_the_place_of_those_with_their_id() -> None:
    old, other = stored("Old?", None), replace(stored("Other?", None), id="o")
    new = replace(old, text="New?")
    assert with_new([old, other], [new]) == [other, new]
