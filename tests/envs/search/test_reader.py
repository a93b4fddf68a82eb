"""The baseline of search: what it reads from a question, a mail, a thread, and how it plays."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailgym.core.episode import Decision, Step, StepResult, Trajectory, Turn
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import get_spec
from mailgym.envs.search.players import ANSWER_HEURISTICS, answer_cheats, answer_players
from mailgym.envs.search.players.asked import read_question
from mailgym.envs.search.players.compose import compose, must_compose
from mailgym.envs.search.players.evidence import candidates
from mailgym.envs.search.players.matter import Matter, own_text, plain_subject, threads_of
from mailgym.envs.search.players.reader import Reader, narrower_words
from mailgym.envs.search.tasks import SearchKey, SearchTask
from mailgym.rollout.engine import EpisodeRequest, play_episodes

Tasks = TaskSet[SearchTask, SearchKey]


@pytest.mark.parametrize(
    ("question", "sort"),
    [
        ("When is my call with Dana now?", "moment"),
        ("What time is the call with Dana?", "time"),
        ("On which day do we meet?", "date"),
        ("What is the delivery date of the chairs?", "date"),
        ("By when must we pay Hexley?", "date"),
        ("How much does Tom charge for the toner?", "amount"),
        ("What do the chairs from Kestner cost us altogether?", "amount"),
        ("What is the price of the chairs?", "amount"),
        ("How many chairs did Tom order?", "count"),
        ("How often was the call put off?", "count"),
        ("How long was the server down?", "duration"),
        ("How many days is the trip?", "duration"),
        ("Who gives the opening talk?", "name"),
        ("Where do I stay in Oslo?", "place"),
        ("Which hotel am I in at Oslo?", "place"),
        ("Is the team lunch still on?", "yes_no"),
        ("Have we paid Hexley?", "yes_no"),
        ("Do you know when the call is?", "moment"),
        ("Why was the call moved?", "text"),
    ],
)
def test_the_sort_of_an_answer(question: str, sort: str) -> None:
    assert read_question(question).sort == sort


def test_what_else_a_question_says() -> None:
    asked = read_question("How many chairs does Tom Becker of Kestner Tyres want in all?")
    assert asked.names == ("Tom Becker", "Kestner Tyres")
    assert (asked.counted, asked.is_total, asked.counts_events) == ("chair", True, False)
    assert {"tom", "becker", "kestner", "chair"} <= asked.stems
    assert read_question("How often was the call put off?").counts_events
    assert read_question("How much do we still owe Kestner?").is_rest
    assert read_question("How far below our price was their offer?").is_difference
    assert read_question("When was the call originally?").wants_old


def mail(text: str, day: str = "2025-04-02", subject: str = "Lease", **fields: str) -> dict[str, Any]:
    name = fields.get("message_id", f"{day}-{len(text)}")
    return {"kind": "mail", "from": "Dana Whitfield <dana@ember.example>", "to": "Maya Lind <maya@ember.example>"} | {
        "message_id": name,
        "date": day,
        "subject": subject,
        "text": text,
        **fields,
    }


def best(question: str, *mails: dict[str, Any]) -> str | None:
    found = candidates(Matter(read_question(question), mails), mails, "Maya Lind")
    return found[0].text if found else None


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("When is the call on the lease?", "The call on the lease is on 9 April at 3 pm.", "9 April at 3 pm"),
        ("What day is the call on the lease?", "The call shifts from 9 April to 11 April.", "11 April"),
        ("What time is the call?", "The call is on Tue 5 Jan, 15.00, in the hall.", "15.00"),
        ("What time is the call?", "Not Monday 22 May but Friday 3 June, 10.30, is when we call.", "10.30"),
        ("How much is the toner?", "The toner comes to $1,250.00, not $1,400.00.", "$1,250.00"),
        ("How many chairs did you order?", "I ordered 24 chairs on 9 May and read it twice.", "24"),
        ("How long was the server down?", "The server was down for two hours.", "two hours"),
        ("Who gives the talk?", "Tom Okafor gives the talk.", "Tom Okafor"),
        ("Who brings the cake to the lease party?", "I will bring the cake.", "Dana Whitfield"),
        ("Who is not coming to the party?", "Sorry, I cannot come to the party.", "Dana Whitfield"),
        ("Where do I stay in Oslo?", "You stay at the Hotel Bristol in Oslo.", "the Hotel Bristol"),
        ("Which room is the call in?", "We sit in room Kepler for the call.", "room Kepler"),
        ("Is the lunch still on?", "The lunch is cancelled, sorry.", "No"),
        ("Is the lunch still on?", "We cannot make Monday, so the lunch is now on Friday.", "Yes"),
        ("Have we paid the lease?", "The lease was transferred on Monday.", "Yes"),
        ("Have we paid the lease?", "I will not pay the lease yet.", "No"),
        ("Did they deliver the chairs?", "The chairs come on Monday.", "No"),
        ("Was the call cancelled?", "The call is cancelled.", "Yes"),
        ("Why was the call moved?", "The call was moved since the hall is wet.", None),
    ],
)
def test_the_value_that_fits_the_sort(question: str, text: str, answer: str | None) -> None:
    found = best(question, mail(text))
    assert found == (answer or text.removesuffix("."))


def test_denied_values_and_old_ones_are_no_answers() -> None:
    assert best("What day is the call?", mail("The call is not on 9 April.")) is None
    assert best("How much is it?", mail("Nothing was said of money.")) is None
    assert (
        best("When was the call on the lease originally?", mail("The call moved from 9 April to 11 April."))
        == "9 April"
    )


def test_own_text_leaves_out_what_others_wrote_greeting_and_signature() -> None:
    reply = mail("Dear Maya,\n\nThe call moves\nto Friday.\n\nKind regards,\nDana\n\nOn Mon, Tom wrote:\n> on Monday")
    assert own_text(reply).split() == ["The", "call", "moves", "to", "Friday."]
    forward = mail(
        "See below.\n\n---------- Forwarded message ----------\nFrom: Tom <tom@x.example>\n\nIt is on Monday.",
        subject="Fwd: Lease",
    )
    assert own_text(forward).split() == ["See", "below.", "It", "is", "on", "Monday."]
    hit = {
        "from": "Dana",
        "to": "Maya",
        "subject": "Lease",
        "date": "",
        "snippet": "Hello Maya, It is on Friday. Best, Dana",
    }
    assert own_text(hit) == "It is on Friday."


def test_threads_go_by_what_their_subjects_say() -> None:
    assert plain_subject("RE: Fwd: Re[2]: The lease ") == "the lease"
    numbers = threads_of(["the lease", "the lease of the depot", "rent", "call"])
    assert numbers["the lease"] == numbers["the lease of the depot"]
    assert len(set(numbers.values())) == 3


def test_words_that_no_mail_has_count_little_and_mail_to_many_counts_not() -> None:
    asked = read_question("When is the annual parley with Dana Whitfield?")
    told = mail("We meet on Friday, says Dana Whitfield.")
    letter = mail("Dana Whitfield, annual parley, Friday!", **{"from": "News <news@bulk.example>"}, subject="Issue 7")
    matter = Matter(asked, [told, letter])
    assert matter.thread_share(letter) == 0.0
    assert 0.5 < matter.thread_share(told) < 1.0
    assert matter.name_share(told) == 1.0


BILL = mail("The chairs from Kestner cost €900 in all.", "2025-04-01", "Chairs", message_id="bill")
PART = mail("We received €300 as a first instalment for the chairs.", "2025-04-05", "Re: Chairs", message_id="part")
COUNT = mail("I ordered 24 chairs.", "2025-04-01", "Chairs", message_id="count")
EACH = mail("The chairs are €30 each.", "2025-04-02", "Re: Chairs", message_id="each")
OFFER = mail("They would give €700 for the chairs.", "2025-04-03", "Re: Chairs", message_id="offer")
MOVED = [
    mail(f"Something came up, the call moves to {day} May.", f"2025-04-0{day}", "Call", message_id=f"m{day}")
    for day in (2, 3)
]
MEET = mail("We meet about the lease on 10 May 2025 at 3 pm.", "2025-04-01", "Lease", message_id="meet")
AHEAD = mail("Send me your notes on the lease two days before we meet.", "2025-04-02", "Re: Lease", message_id="ahead")
TAXI = mail("The taxi for the lease is here two hours ahead.", "2025-04-02", "Re: Lease", message_id="taxi")


def composed(question: str, *mails: dict[str, Any]) -> tuple[str, tuple[str, ...]] | None:
    matter = Matter(read_question(question), mails)
    found = candidates(matter, mails, "Maya Lind")
    reply = compose(matter, mails, next((c for c in found if c.sentence.mail is mails[0]), None))
    return None if reply is None else (reply.text, reply.message_ids)


@pytest.mark.parametrize(
    ("question", "mails", "answer"),
    [
        ("How much do we still owe Kestner for the chairs?", (BILL, PART), ("600 EUR", ("bill", "part"))),
        ("How much do we still owe Kestner for the chairs?", (BILL,), None),
        ("What do the chairs from Kestner cost us altogether?", (COUNT, EACH), ("720 EUR", ("count", "each"))),
        ("How far below our price for the chairs was their offer?", (BILL, OFFER), ("200 EUR", ("bill", "offer"))),
        ("How often was the call moved?", tuple(MOVED), ("2", ("m2", "m3"))),
        ("By which day must my notes on the lease be there?", (MEET, AHEAD), ("2025-05-08", ("meet", "ahead"))),
        ("At what time is the taxi for the lease here?", (MEET, TAXI), ("13:00", ("meet", "taxi"))),
        ("When do we meet about the lease?", (MEET, AHEAD), None),
    ],
)
def test_what_several_mails_say_together(question: str, mails: Any, answer: Any) -> None:
    assert composed(question, *mails) == answer


def test_a_sum_takes_each_author_once() -> None:
    wants = [
        mail(
            f"{count} mugs for us, please.",
            "2025-04-02",
            "Mugs",
            message_id=name,
            **{"from": f"{name} <{name}@x.example>"},
        )
        for name, count in (("Ann", 3), ("Ben", 4), ("Cem", 5))
    ]
    assert composed("How many mugs does everybody want in all?", *wants) == ("12", ("Ann", "Ben", "Cem"))


def test_what_must_be_worked_out_is_not_read_off() -> None:
    for question in ("How often was the call moved?", "How much do we still owe?", "How far below our price was it?"):
        assert must_compose(read_question(question)), question
    assert not must_compose(read_question("How much is the toner?"))


def test_a_search_that_finds_nothing_is_made_narrower_three_times() -> None:
    asked = read_question("When is the annual parley with Dana Whitfield?")
    assert narrower_words(asked, 0) == ["annual", "parley", "Dana", "Whitfield"]
    assert narrower_words(asked, 1) == ["Dana", "Whitfield"]
    assert narrower_words(asked, 2) == ["Whitfield"]
    assert narrower_words(asked, 3) == []


def play(name: str, tasks: Tasks, profile: str = "hardened", turns: int = 10, **reward: str) -> dict[str, Trajectory]:
    player = {**answer_players(tasks), **answer_cheats(tasks, 10)}[name]()
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    make = get_spec("search").make
    played = play_episodes(lambda: make(tasks, profile=profile, turns=turns, **reward), player, requests, 0, "search")
    assert [trajectory.failure for trajectory in played] == [None] * len(played)
    return {trajectory.task_id: trajectory for trajectory in played}


def final(trajectory: Trajectory) -> tuple[str, list[str]]:
    action = trajectory.steps[-1].decision.action
    assert isinstance(action, dict)
    return action["arguments"]["answer"], action["arguments"]["sources"]


def test_the_reader_answers_the_small_mailbox(search_tasks: Tasks) -> None:
    played = play("bm25", search_tasks)
    right = {name for name, t in played.items() if t.score is not None and t.score.values["answer_correct"]}
    assert right >= {"s-date", "s-amount", "s-place", "s-count", "s-name", "s-lunch", "s-unknown"}
    assert final(played["s-date"])[1] == ["call-moved@x.example"]
    assert final(played["s-unknown"]) == ("I don't know", [])
    assert all(len(trajectory.steps) <= 8 for trajectory in played.values())
    assert all(t.metrics["completion_tokens"] == 0.0 for t in played.values())


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_the_reader_answers_in_as_few_turns_as_there_are(turns: int, search_tasks: Tasks) -> None:
    played = play("bm25", search_tasks, turns=turns)
    assert {trajectory.stop_reason for trajectory in played.values()} == {"answered"}


def test_the_reader_plays_classic_too_without_a_bad_call(search_tasks: Tasks) -> None:
    played = play("bm25", search_tasks, "classic")
    assert {trajectory.stop_reason for trajectory in played.values()} == {"answered"}
    rewards = [trajectory.reward or 0.0 for trajectory in played.values()]
    assert sum(rewards) / len(rewards) > 0.4


@given(st.text(max_size=120), st.text(max_size=300), st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_no_question_and_no_mail_upsets_it(question: str, text: str, subject: str) -> None:
    asked = read_question(question)
    mails = [mail(text, subject=subject), mail(f"{text} $5 each", "2025-04-03", f"Re: {subject}")]
    matter = Matter(asked, mails)
    found = candidates(matter, mails, "Maya Lind")
    compose(matter, mails, found[0] if found else None)


def test_the_oracle_is_right_about_everything(search_tasks: Tasks) -> None:
    for profile, turns in (("hardened", 10), ("classic", 10), ("hardened", 2), ("hardened", 1)):
        played = play("oracle", search_tasks, profile, turns)
        assert all(t.score is not None and t.score.values["answer_correct"] for t in played.values())
    # One right mail: searched, read, answered and cited in three turns.
    assert play("oracle", search_tasks)["s-date"].reward == pytest.approx(0.98)
    assert play("oracle", search_tasks)["s-unknown"].reward == pytest.approx(0.5 - 0.01)


@pytest.mark.parametrize(
    ("cheat", "rewards"),
    [
        ("dont_know", {"s-date": 0.0, "s-unknown": 0.0}),
        ("search_then_dont_know", {"s-date": -0.01, "s-unknown": 0.49}),
        ("loop_last_call", {"s-date": -0.27}),  # nine turns and nine repeats
        ("guess_yes", {"s-lunch": -1.0, "s-unknown": -1.0, "s-place": -1.0}),
        ("made_up_sources", {"s-unknown": -1.0}),
        ("read_and_leave", {"s-date": -0.02}),
        ("echo_prompt", {"s-date": -0.59}),  # ten bad calls and nine turns
    ],
)
def test_what_cheating_is_worth(cheat: str, rewards: dict[str, float], search_tasks: Tasks) -> None:
    played = play(cheat, search_tasks)
    assert {name: played[name].reward for name in rewards} == {name: pytest.approx(r) for name, r in rewards.items()}


def test_what_cheating_was_worth_in_art_e(search_tasks: Tasks) -> None:
    """Classic pays for "I don't know" at once, and more for a mail that is found, read and not used."""
    assert play("dont_know", search_tasks, "classic")["s-date"].reward == pytest.approx(0.1)
    # All three credits, for finding, reading and no unknown id, under the rules by which a search finds anything.
    assert play("read_and_leave", search_tasks, reward="banded")["s-amount"].reward == pytest.approx(0.3)


def test_players_are_known_by_name(search_tasks: Tasks) -> None:
    assert Reader().name == ANSWER_HEURISTICS[0] == "bm25"
    assert set(answer_players(search_tasks)) == {"bm25", "oracle"}
    assert all(name == factory().name for name, factory in answer_cheats(search_tasks, 10).items())


def test_a_reader_that_finds_nothing_narrows_its_search_and_then_says_so(search_tasks: Tasks) -> None:
    played = play("bm25", search_tasks, "classic")["s-unknown"]
    searches = [step.decision.action["arguments"]["keywords"] for step in played.steps[:-1]]  # type: ignore[index]
    assert searches == [["door", "code", "Lisbon", "warehouse"], ["Lisbon"], ["warehouse"]]
    assert final(played) == ("I don't know", [])


def turn_after(*observations: dict[str, Any]) -> Turn:
    question = {"kind": "question", "task_id": "t", "question": "When is the call on the lease with Dana?"}
    question |= {"owner_name": "Maya Lind", "today": "2025-06-01", "turns_left": 10}
    seen = [question, *observations]
    steps = [
        Step(before, Decision({"name": "x", "arguments": {}}), StepResult(after, 0.0))
        for before, after in pairwise(seen)
    ]
    return Turn("e", seen[-1], tuple(steps), 0)


HIT = {
    "message_id": "1@x",
    "date": "2025-04-02",
    "from": "Dana Whitfield <dana@ember.example>",
    "to": "Maya",
    "subject": "Call on the lease",
    "snippet": "The call on the lease is on 9 April at 3 pm.",
}
RESULTS = {"kind": "results", "results": [HIT], "turns_left": 9}
ERROR = {"kind": "error", "error": "There is no mail of this id.", "turns_left": 8}


def decide(*observations: dict[str, Any]) -> dict[str, Any]:
    (decision,) = Reader().act([turn_after(*observations)])
    assert isinstance(decision.action, dict)
    return decision.action


def test_the_reader_step_by_step() -> None:
    first = decide()
    assert first["name"] == "search_emails"
    thread = decide(RESULTS)
    assert thread["arguments"] == {
        "keywords": ["call", "lease"],
        "sent_after": "2025-04-02",
        "sent_before": "2025-06-02",
    }
    assert decide(RESULTS, RESULTS) == {"name": "read_email", "arguments": {"message_id": "1@x"}}
    read_it = {**HIT, "kind": "mail", "cc": "", "text": HIT["snippet"], "turns_left": 7}
    final_call = decide(RESULTS, RESULTS, read_it)
    assert final_call["arguments"] == {"answer": "9 April at 3 pm", "sources": ["1@x"]}


def test_a_mail_that_cannot_be_read_is_not_believed() -> None:
    after_errors = decide(RESULTS, RESULTS, ERROR, ERROR, ERROR, ERROR)
    assert after_errors["arguments"] == {"answer": "I don't know", "sources": []}


def test_a_search_that_cannot_be_carried_out_is_followed_by_a_narrower_one() -> None:
    assert decide(ERROR)["arguments"] == {"keywords": ["Dana"]}
    assert decide(ERROR, ERROR, ERROR)["name"] == "return_final_answer"


def test_two_threads_that_fit_equally_are_a_guess_that_is_not_made() -> None:
    rival = {**HIT, "message_id": "2@x", "subject": "Lease: call", "snippet": HIT["snippet"].replace("9", "12")}
    other = {**rival, "subject": "Our call over the depot's lease again"}
    for hits, answered in (([HIT, rival], True), ([HIT, {**other, "subject": "Parley"}], False)):
        results = {**RESULTS, "results": hits}
        reads = [{**hit, "kind": "mail", "cc": "", "text": hit["snippet"], "turns_left": 7} for hit in hits]
        final_call = decide(results, results, *reads)
        assert (final_call["arguments"]["answer"] != "I don't know") == answered


def test_a_thread_without_a_fitting_value_is_read_before_giving_up() -> None:
    silent = {**HIT, "snippet": "About the call on the lease with Dana: more soon."}
    results = {**RESULTS, "results": [silent]}
    assert decide(results, results) == {"name": "read_email", "arguments": {"message_id": "1@x"}}
    read_it = {**silent, "kind": "mail", "cc": "", "text": silent["snippet"], "turns_left": 7}
    assert decide(results, results, read_it)["arguments"]["answer"] == "I don't know"


@pytest.mark.parametrize(
    ("question", "mails"),
    [
        (
            "How much do we still owe for the chairs?",
            (mail("The chairs are €5.", subject="Chairs"), PART),
        ),  # less than paid
        ("How far below our price for the chairs was their offer?", (BILL,)),
        ("What do the chairs cost us altogether?", (COUNT,)),
        ("How often was the call moved?", (mail("The call is on Friday.", subject="Call"),)),
        ("How many mugs does everybody want in all?", (mail("3 mugs, please.", subject="Mugs"),)),
        ("By which day must my notes on the lease be there?", (mail("We meet on the lease soon."), AHEAD)),
        ("At what time is the taxi for the lease here?", (mail("We meet about the lease on 10 May 2025."), TAXI)),
    ],
)
def test_what_does_not_add_up_is_not_worked_out(question: str, mails: Any) -> None:
    assert composed(question, *mails) is None


def test_a_day_without_a_year_is_the_next_one_after_the_mail() -> None:
    december = mail("We meet about the lease on 3 January at 3 pm.", "2025-12-20", "Lease", message_id="meet")
    ahead = mail("Send me your notes on the lease four days before we meet.", "2025-12-21", "Re: Lease", message_id="a")
    question = "By which day must my notes on the lease be there?"
    assert composed(question, december, ahead) == ("2025-12-30", ("meet", "a"))
