"""The bank of 42 mails, its seeded episodes, and what flawless play of them is worth under `classic`."""

from collections import Counter
from pathlib import Path
from statistics import mean

import pytest

from mailgym.core.errors import UserError
from mailgym.core.protocols import Agent
from mailgym.envs.inbox import INBOX, make_inbox
from mailgym.envs.inbox.bank import BANK_SEEDS, bank_episode, forms
from mailgym.envs.inbox.players.rules import Rules
from mailgym.envs.inbox.schema import OFFICE_TOOLS, Decide
from mailgym.envs.inbox.tasks import load_tasks
from mailgym.rollout.engine import EpisodeRequest, play_episodes

OWN = Path("own")


def rewards(split: str, profile: str, agent: Agent) -> dict[str, list[float]]:
    tasks = load_tasks(OWN, split)
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    trajectories = play_episodes(lambda: make_inbox(tasks, profile), agent, requests, 0, "inbox")
    by_kind: dict[str, list[float]] = {}
    for trajectory in trajectories:
        assert trajectory.reward is not None
        by_kind.setdefault(tasks.keys[trajectory.task_id].kind, []).append(trajectory.reward)
    return by_kind


def test_there_are_42_mails_of_every_form_and_label() -> None:
    tasks = load_tasks(OWN, "bank-alone")
    hard = [task_id for task_id, task in tasks.tasks.items() if task.level == 3]
    assert len(hard) == len(forms()) == 42
    assert Counter(forms().values())["ambiguous"] >= 8
    assert min(Counter(forms().values())[form] for form in ("noisy", "thread", "plain")) >= 5
    right = [tasks.keys[task_id].right[0] for task_id in hard]
    for name, fewest in (("category", 6), ("priority", 10), ("department", 8), ("action", 5)):
        assert min(Counter(getattr(labels, name) for labels in right).values()) >= fewest
    assert {labels.fitting_tool for labels in right} == {"", *OFFICE_TOOLS}
    for labels in right:
        Decide(category=labels.category, priority=labels.priority, department=labels.department, action=labels.action)  # type: ignore[arg-type]
    assert all((labels.category == "spam") <= (labels.department == "ignore") for labels in right)


@pytest.mark.parametrize(("level", "mails"), [(1, 3), (2, 4), (3, 5)])
def test_an_episode_is_drawn_by_task_number_and_seed(level: int, mails: int) -> None:
    task, key = bank_episode(level, 42)
    assert bank_episode(level, 42) == (task, key)
    assert len({mail.email_id for mail in task.mails}) == len(key.right) == mails
    assert len({bank_episode(level, seed)[0].mails for seed in BANK_SEEDS}) == len(BANK_SEEDS)
    assert load_tasks(OWN, "bank").tasks[f"bank-{level}-42"] == task
    with pytest.raises(UserError, match="no task 4"):
        bank_episode(4, 42)


def test_outages_in_polite_words_are_high_and_so_are_double_charges() -> None:
    tasks = load_tasks(OWN, "bank-alone")
    assert tasks.keys["alone-3-em-014"].right[0].priority == "high"
    assert tasks.keys["alone-3-em-013"].right[0].category == "billing"


def test_a_flawless_player_without_tools_earns_what_was_worked_out_by_hand() -> None:
    """The rules baseline makes no mistake on the bank; a mail's step number is all that is taken off."""
    earned = rewards("bank", "classic", Rules())
    for kind, worth in (("task 1", 0.98), ("task 2", 0.975), ("task 3", 0.97)):
        assert earned[kind] == pytest.approx([worth] * len(BANK_SEEDS))
    assert mean(value for values in earned.values() for value in values) >= 0.95


def test_each_mail_alone_is_graded_as_the_documents_baseline_is() -> None:
    earned = rewards("bank-alone", "classic", Rules())
    assert {kind: round(mean(values), 3) for kind, values in earned.items()} == {
        "task 1": 0.99,
        "task 2": 0.99,
        "task 3": 0.99,
    }


def test_the_oracle_earns_more_where_a_tool_fits() -> None:
    earned = rewards("bank-alone", "classic", INBOX.players(load_tasks(OWN, "bank-alone"))["oracle"]())
    tools = sum(bool(key.right[0].fitting_tool) for key in load_tasks(OWN, "bank-alone").keys.values()) / 3
    assert mean(earned["task 3"]) == pytest.approx((tools * 1.0 + (42 - tools) * 0.99) / 42)
