"""One mail a step; what the document's observations carry; wrong actions in both profiles."""

import pytest

from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.routing import make
from mailgym.envs.routing.schema import LEVELS
from mailgym.envs.routing.tasks import load_tasks

BANK = load_tasks(OWN_TASKS, "bank")
SAY = {"name": "triage", "arguments": {"label": "work"}}


@pytest.mark.parametrize("profile", ["classic", "hardened"])
@pytest.mark.parametrize(
    ("start", "steps"), [("email-classification", 3), ("urgency-detection", 2), ("spam-filtering", 1)]
)
def test_a_start_leaves_three_two_or_one_steps(profile, start, steps) -> None:
    environment = make(BANK, profile=profile)
    seen = environment.reset(f"{start}:bank-03")
    tasks = [seen["metadata"]["task_id"]]
    for number in range(1, steps + 1):
        result = environment.step(SAY)
        assert result.terminated is (number == steps)
        assert result.observation["metadata"]["steps_taken"] == number
        tasks.append(result.observation["metadata"]["task_id"])
    assert tasks == [*(level.task_id for level in LEVELS[-steps:]), "spam-filtering"]
    assert result.stop_reason == "all_handled"
    assert result.observation["kind"] == "end"


def test_an_observation_has_what_the_documents_has() -> None:
    seen = make(BANK).reset("urgency-detection:bank-00")
    assert seen["metadata"] == {
        "task_id": "urgency-detection",
        "instruction": "Classify this email with a label, write a summary, and draft a reply.",
        "steps_taken": 0,
    }
    assert seen["email"].startswith("From: Nadia Fox <nadia.fox@cartwheel.example>\nTo: Jordan Reyes <")
    assert seen["email"].splitlines()[2] == "Subject: API gives only errors"


def test_classic_takes_a_wrong_action_for_that_step_and_shows_the_next_mail() -> None:
    environment = make(BANK, profile="classic")
    first = environment.reset("email-classification:bank-00")
    result = environment.step({"name": "triage", "arguments": {"label": "important"}})
    assert result.observation["kind"] == "error"
    assert "label: Input should be 'spam', 'personal', 'work' or 'urgent'" in result.observation["error"]
    assert result.observation["email"] not in ("", first["email"])
    assert result.observation["metadata"]["task_id"] == "urgency-detection"
    assert environment.state["mails_handled"] == 1


def test_hardened_leaves_the_mail_for_another_try_while_turns_last() -> None:
    environment = make(BANK, turns=3)
    environment.reset("spam-filtering:bank-00")
    for _ in range(2):
        result = environment.step({"name": "route", "arguments": {}})
        assert (result.observation["kind"], result.done) == ("error", False)
        assert "email" not in result.observation
        assert environment.state["mails_handled"] == 0
    assert environment.step(SAY).stop_reason == "all_handled"
    environment.reset("spam-filtering:bank-00")
    ends = [environment.step(None) for _ in range(3)]  # type: ignore[arg-type]
    assert [end.truncated for end in ends] == [False, False, True]
    assert ends[-1].stop_reason == "out_of_turns"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"label": "URGENT"},
        {"label": ["spam", "personal", "work", "urgent"]},
        {"label": "work", "summary": ["a", "b"]},
        {"label": "work", "reply": None},
        {"label": "work", "department": "engineering, billing"},
        {"label": "work", "tone": "kind"},
        {"label": "work", "reply": "x" * 4001},
    ],
)
def test_lists_several_labels_and_unknown_fields_are_no_decision(arguments) -> None:
    environment = make(BANK)
    environment.reset("spam-filtering:bank-00")
    assert environment.step({"name": "triage", "arguments": arguments}).observation["kind"] == "error"


def test_few_turns_cut_an_episode() -> None:
    environment = make(BANK, turns=2)
    environment.reset("email-classification:bank-00")
    assert not environment.step(SAY).done
    cut = environment.step(SAY)
    assert (cut.truncated, cut.stop_reason) == (True, "out_of_turns")
