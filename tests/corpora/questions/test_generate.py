import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.corpora.questions.shop import Answer, asks, draft, honest, model_of, write_box
from tests.corpora.questions.test_survey import QUESTION

from mailgym.core.clock import FixedClock
from mailgym.core.episode import Failure
from mailgym.core.errors import EndpointError, RunError
from mailgym.corpora.question import read_questions, write_questions
from mailgym.corpora.questions.generate import Outcome, Progress, generate_questions
from mailgym.corpora.questions.meter import Metered
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.survey import survey
from mailgym.llm.base import ChatRequest
from mailgym.llm.remote import Price
from mailgym.llm.scripted import ScriptedModel
from mailgym.mail.mailbox import Mailbox

SMALL = Options(batch=3)


def generate(
    store: Path, model: ScriptedModel | None = None, options: Options = SMALL, name: str = "scripted", **more: Any
) -> Outcome:
    with survey(store, options) as surveyed:
        return generate_questions(store, surveyed, Metered(model or model_of()), options, name=name, **more)


def test_questions_come_into_the_store_with_all_that_search_needs(tmp_path: Path) -> None:
    path = write_box(tmp_path, "maya", 30)
    outcome = generate(tmp_path)
    questions = read_questions(tmp_path)
    assert questions == outcome.questions
    assert len(questions) == len({question.id for question in questions}) == 30
    assert outcome.fates == {"kept": 30}
    assert (outcome.batches_done, outcome.batches_failed, outcome.batches_left) == (10, 0, 0)
    one = next(question for question in questions if question.message_ids == ("offer-4@x",))
    assert (one.text, one.answer, one.split) == ("How much is the violin 4?", "104 euro", "test")
    assert (one.mailbox, one.owner, one.owner_name) == ("maya.mailbox", "maya@ember.example", "Maya Lind")
    assert (one.kind, one.facts["from_addr"]) == ("single", "tom@shop.example")
    with Mailbox.open(path) as mailbox:
        for question in questions:
            assert mailbox.at(question.asked_on).read(question.message_ids[0]), "the mail is there on that day"


def test_questions_that_were_there_stay(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 6)
    write_questions(tmp_path, [QUESTION])
    generate(tmp_path)
    assert read_questions(tmp_path)[0] == QUESTION
    assert len(read_questions(tmp_path)) == 7


class Killed(BaseException):
    """A kill, as far as a test can play one."""


def killed_after(calls: int) -> Answer:
    left = iter(range(calls))

    def answer(request: ChatRequest) -> str:
        if next(left, None) is None:
            raise Killed
        return honest(request)

    return answer


@pytest.mark.parametrize("calls", [0, 3, 20, 45, 79])
def test_a_killed_run_goes_on_where_it_was_and_ends_as_if_it_had_not_been(tmp_path: Path, calls: int) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    for store in ("whole", "killed"):
        write_box(tmp_path / store, "maya", 60)
    whole = model_of()
    outcome = generate(tmp_path / "whole", whole)
    with pytest.raises(Killed):
        generate(tmp_path / "killed", model_of(killed_after(calls)))
    if calls >= 45:
        with pytest.raises(RunError, match="--resume"):
            generate(tmp_path / "killed")
    rest = model_of()
    resumed = generate(tmp_path / "killed", rest, resume=True)
    assert resumed.questions == outcome.questions
    assert resumed.fates == outcome.fates
    assert len(rest.requests) == len(whole.requests) - 32 * (calls // 32), "rounds of 8 batches and 24 checks are kept"
    assert resumed.usage == outcome.usage, "nothing is counted twice"


def test_a_finished_run_makes_no_call_when_resumed(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 30)
    first = generate(tmp_path)
    model = model_of()
    again = generate(tmp_path, model, resume=True)
    assert again.questions == first.questions
    assert model.requests == []
    assert read_questions(tmp_path) == first.questions


def test_another_seed_adds_and_repeats_nothing(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 60)
    first = generate(tmp_path, options=replace(SMALL, mails_per_box=12))
    second = generate(tmp_path, options=replace(SMALL, seed=5))
    assert second.fates == {"kept": 48, "duplicate": 12}
    assert [*first.questions, *second.questions] == read_questions(tmp_path)
    assert len(read_questions(tmp_path)) == 60


def test_a_limit_stops_early_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 60)
    model = model_of()
    first = generate(tmp_path, model, limit=5)
    assert len(first.questions) == len(read_questions(tmp_path)) == 5
    assert first.fates == {"kept": 5, "over_limit": 19}
    assert (first.batches_done, first.batches_left, len(model.requests)) == (8, 12, 32)
    second = generate(tmp_path, model, limit=30, resume=True)
    assert second.questions[:5] == first.questions
    assert len(read_questions(tmp_path)) == 30


def test_what_became_of_every_question_is_counted_by_reason(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 3)
    items = [
        draft("How much is the kiln 0?", "100 euro", "m1"),
        draft("The kiln 0 is how much?", "100 euro", "m1"),
        draft("How much is the ladder 1?", "999 euro", "m2"),
        draft("How much is the loom?", "5 euro", "m8"),
        draft("Who wrote?", "Ines", "m3", how_realistic=0.1),
        {"question": "What?"},
    ]
    outcome = generate(tmp_path, model_of(lambda request: json.dumps(items) if asks(request) else honest(request)))
    assert outcome.fates == {
        "kept": 1,
        "malformed": 1,
        "invented_ids": 1,
        "unrealistic": 1,
        "disagreement": 1,
        "duplicate": 1,
    }
    record = [json.loads(line) for line in outcome.journal.read_text("utf-8").splitlines()]
    (batch,) = [line for line in record if line["kind"] == "batch"]
    assert len(batch["items"]) == 5
    assert batch["malformed"] == 1


def test_a_model_that_does_not_answer_ends_it_and_says_how_to_go_on(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 60)
    with pytest.raises(EndpointError, match=r"refused the key; 0 of 20 batches .* --resume"):
        generate(tmp_path, model_of(lambda _: Failure("model", "refused the key")))
    assert len(generate(tmp_path, resume=True).questions) == 60


def test_batches_that_fail_among_others_are_made_by_the_next_run(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 60)
    bad = model_of(lambda one: Failure("model", "too late") if "Offer 4\n" in one.messages[1].content else honest(one))
    first = generate(tmp_path, bad)
    assert (first.batches_done, first.batches_failed, first.failure) == (19, 1, "too late")
    assert len(first.questions) == 57
    second = generate(tmp_path, resume=True)
    assert (len(second.questions), second.batches_failed) == (60, 0)


def test_progress_shows_batches_cost_and_time_left(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 60)
    clock, seen = FixedClock(), list[Progress]()

    def answer(request: ChatRequest) -> str:
        clock.advance(1)
        return honest(request)

    with survey(tmp_path, SMALL) as surveyed:
        model = Metered(model_of(answer), Price(1.0, 10.0))
        more: dict[str, Callable[[Progress], None]] = {"progress": seen.append}
        generate_questions(tmp_path, surveyed, model, SMALL, name="m", clock=clock, **more)
    assert [one.batches_done for one in seen] == [0, 8, 16, 20]
    assert [one.kept for one in seen] == [0, 24, 48, 60]
    assert [one.seconds_left for one in seen] == [None, 32 / 8 * 12, 64 / 16 * 4, 0]
    assert seen[-1].usage.calls == 80
    assert seen[-1].usage.cost_usd == pytest.approx(80 * (100 * 1 + 10 * 10) / 1e6)


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 6)

    def answer(request: ChatRequest) -> str:
        with pytest.raises(RunError, match="are being written"):
            generate(tmp_path, name="other")
        return honest(request)

    assert len(generate(tmp_path, model_of(answer)).questions) == 6


def test_a_store_in_which_nothing_was_kept_is_left_as_it_was(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 6)
    assert generate(tmp_path, model_of(lambda _: "[]")).fates == {"kept": 0}
    assert not (tmp_path / "questions.jsonl").exists()
