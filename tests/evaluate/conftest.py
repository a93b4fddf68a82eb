"""A made-up but realistic run on disk: what a trainer would have written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.episode import Decision, Failure, Step, StepResult, Trajectory
from mailgym.core.runs import RunFolder
from mailgym.core.score import Part, Score
from mailgym.core.seeds import stream

PEOPLE = ("Dana Whitfield", "Priya Nair", "Tom Okafor", "Tom Becker", "Lena Ruiz")
MATTERS = ("Harbour invoice", "Q3 budget review", "Lisbon trip", "print outage", "vendor contract")
MODELS = ("model", "trained")
KINDS = ("person", "superseded", "many", "date")
CONFIG: dict[str, Any] = {
    "run": {"env": "find", "turns": 1, "profile": "hardened", "model": "local", "seed": 3, "threads": 2},
    "data": {"source": "simulated", "size": "demo", "seed": 7},
    "train": {"updates": 20, "groups": 4, "group_size": 8, "learning_rate": 3e-4, "loss": "dapo"},
}


def trajectory(
    task: int,
    agent: str,
    rank: int,
    *,
    keywords: str = "budget",
    secret: str = "",
    failure: Failure | None = None,
    env: str = "find",
) -> Trajectory:
    """One one-turn episode of ``find`` in which the right mail had this rank (0: not among the results)."""
    person, matter = PEOPLE[task % 5], MATTERS[(task // 2) % 5]
    question = f"What did {person} write about the {matter} in early March? {secret}"
    right = f"<right-{task}@{secret or 'x'}.example>"
    results = [
        {
            "message_id": right if place == rank else f"<other-{task}-{place}@{secret or 'x'}.example>",
            "date": f"2025-03-{place:02d}",
            "from": f"{PEOPLE[(task + place) % 5] if place != rank else person} {secret}",
            "to": "owner@harlow.example",
            "subject": f"Re: {matter} <b>no. {place}</b> {secret}",
            "snippet": f"… the {matter} as we said & agreed {secret} …",
        }
        for place in range(1, 11)
    ]
    observation = {"kind": "question", "task_id": f"q{task}", "question": question, "today": "2025-06-01"}
    text = f'{{"keywords": ["{keywords}", "{person.split()[0]}", "{secret}"]}}'
    decision = Decision({"name": "search_emails", "arguments": {"keywords": [keywords]}}, text, failure=failure)
    answer = {"kind": "results", "results": results, "turns_left": 0}
    reward = 1 / rank if rank else 0.0
    result = None if failure else StepResult(answer, reward, terminated=True, stop_reason="answered")
    parts = (Part("reciprocal_rank", reward, 1.0, f"rank of {right}"), Part("num_keywords", 2.0 + task % 2))
    return Trajectory(
        env=env,
        agent=agent,
        task_id=f"q{task}",
        steps=(Step(observation, decision, result),),
        stop_reason="failed" if failure else "answered",
        reward=None if failure else reward,
        score=None if failure else Score(parts),
        failure=failure,
        metrics={"turns": 1.0, "latency_s": 0.4} | ({"completion_tokens": 28.0} if agent in MODELS else {}),
        task={"id": f"q{task}", "question": question},
        key={
            "task_id": f"q{task}",
            "template": f"template-{task % 12}",
            "mailbox": f"owner-{task % 5}.mailbox",
            "kind": KINDS[task % 4],
            "message_ids": [right],
        },
    )


def write_run(
    path: Path,
    *,
    tasks: int = 60,
    secret: str = "",
    source: str = "simulated",
    updates: int = 20,
    after: bool = True,
) -> RunFolder:
    """Write a whole run: baselines, before, training, validation, and after."""
    config = {**CONFIG, "data": {**CONFIG["data"], "source": source, "mailbox": "/home/dana/mail/dana.mbox"}}
    run = RunFolder.create(path, config, command="mailgym train find --seed 3")
    chances = {"null": 0.0, "all_words": 0.45, "content_words": 0.62, "newest": 0.03, "oracle": 1.0}
    for agent, chance in chances.items():
        for task in range(tasks):
            run.append_episode(trajectory(task, agent, _rank(agent, task, chance), secret=secret), "baseline")
    for task in range(tasks):
        run.append_episode(trajectory(task, "model", _rank("b", task, 0.2), secret=secret), "before")
    for update in range(1, updates + 1):
        run.append_metrics(_train_record(update))
        if update % 5 == 0:
            mean = 0.2 + 0.02 * update
            run.append_metrics(
                {"phase": "validation", "update": update, "reward_mean": mean, "low": mean - 0.07, "high": mean + 0.07}
            )
    for task in range(tasks if after else 0):
        words = trajectory(task, "trained", _rank("a", task, 0.6), keywords="harbour", secret=secret)
        run.append_episode(words, "after")
    run.close()
    return run


def _rank(name: str, task: int, chance: float) -> int:
    random = stream(1, name, task)
    if chance >= 1 or random.random() < chance:
        return 1
    return random.choice((0, 0, 2, 3, 5, 8)) if chance else 0


def _train_record(update: int) -> dict[str, Any]:
    return {
        "phase": "train",
        "update": update,
        "reward_mean": 0.1 + 0.018 * update + 0.03 * (-1) ** update,
        "entropy": 0.9 * 0.95**update,
        "live_groups": 4 - update % 2,
        "groups": 4,
        "loss": float("nan") if update == 3 else 0.01,
        "seconds": {"generate": 6.4, "train": 8.0, "validate": 5.0 if update % 5 == 0 else 0.0},
    }


@pytest.fixture(name="make_trajectory")
def _make_trajectory() -> Callable[..., Trajectory]:
    return trajectory


@pytest.fixture(name="make_run")
def _make_run(tmp_path: Path) -> Callable[..., RunFolder]:
    return lambda name="run", **options: write_run(tmp_path / name, **options)


@pytest.fixture(name="make_run_in", scope="session")
def _make_run_in() -> Callable[..., RunFolder]:
    return write_run
