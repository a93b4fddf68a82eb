"""One stage of training: an environment, its training and validation tasks, GRPO on them until an end.

A run has one stage, or several one after another (a curriculum): the same policy goes on from what the stage before it
kept, in another environment or with more turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mailgym.agents.chat import ChatAgent
from mailgym.core.episode import AnswerKey, Task, Trajectory
from mailgym.core.errors import RunError
from mailgym.core.protocols import Agent, Environment
from mailgym.core.runs import RunFolder
from mailgym.core.seeds import derive_seed
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import EnvSpec
from mailgym.evaluate.benchmark import clusters_of
from mailgym.evaluate.statistics import bootstrap_mean
from mailgym.llm.base import Sampling
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.train.checkpoint import Checkpoints
from mailgym.train.config import TrainConfig
from mailgym.train.display import Dashboard, Display
from mailgym.train.grpo import Playground, train
from mailgym.train.policy import Policy

Tasks = TaskSet[Task, AnswerKey]
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stage:
    """What is trained in, on what, and how long.

    Attributes:
        spec: The environment.
        turns: Turns of an episode.
        profile: Its profile.
        train: Training tasks.
        validation: Validation tasks.
        config: How the policy is improved; ``updates`` is the most of this stage.
        seed: Decides every random draw of the stage.
        checkpoints: Folder of its checkpoints.
        prefix: What the phases of its records and episodes begin with; empty for the run's last stage.
        target: The validation reward that ends it; None for all its updates.
    """

    spec: EnvSpec
    turns: int
    profile: str
    train: Tasks
    validation: Tasks
    config: TrainConfig
    seed: int
    checkpoints: Path
    prefix: str = ""
    target: float | None = None

    def environment(self, tasks: Tasks) -> Environment:
        """Make an environment over some of its tasks."""
        return self.spec.make(tasks, profile=self.profile, turns=self.turns)


def policy_agent(policy: Policy, spec: EnvSpec, turns: int, train: TrainConfig, temperature: float, name: str) -> Agent:
    """Return the agent that plays with the policy."""
    sampling = Sampling(temperature, train.max_tokens, train.max_episode_tokens or None)
    return ChatAgent(policy.local, spec.prompt(turns), sampling, name)


def train_stage(run: RunFolder, policy: Policy, stage: Stage, display: Display) -> None:
    """Train from the stage's last checkpoint (or its start) to its end, and leave the policy at its best validation.

    Args:
        run: Takes records and episodes.
        policy: What is trained.
        stage: Where.
        display: Shows it.
    """
    config = stage.config
    playground = Playground(
        env_id=stage.spec.id,
        environments=lambda: stage.environment(stage.train),
        task_ids=stage.train.task_ids,
        agent=policy_agent(policy, stage.spec, stage.turns, config, config.temperature, "policy"),
        validate=lambda update: _validate(run, policy, stage, update),
        seed=stage.seed,
    )
    phases = [f"{stage.prefix}{phase}" for phase in ("train", "validation")]
    earlier = [
        {**record, "phase": phase.removeprefix(stage.prefix)} for phase in phases for record in run.metrics(phase)
    ]
    checkpoints = Checkpoints(stage.checkpoints)
    with display.training(config.updates, earlier) as dashboard:
        train(policy, playground, config, checkpoints, _Recorder(run, dashboard, stage.prefix), stage.target)
    policy.load(checkpoints.best)


class _Recorder:
    """Keeps what the training reports in the run folder, and shows it."""

    def __init__(self, run: RunFolder, dashboard: Dashboard, prefix: str) -> None:
        self._run, self._dashboard, self._prefix = run, dashboard, prefix

    def record(self, record: Record) -> None:
        self._run.append_metrics({**record, "phase": f"{self._prefix}{record['phase']}"})
        self._dashboard.record(record)

    def trajectories(self, trajectories: Sequence[Trajectory]) -> None:
        for trajectory in trajectories:
            self._run.append_episode(trajectory, f"{self._prefix}train")

    def phase(self, phase: str, update: int) -> None:
        self._dashboard.begin(phase, update)


def _validate(run: RunFolder, policy: Policy, stage: Stage, update: int) -> Record:
    tasks = stage.validation
    requests = [EpisodeRequest(task_id, update=update) for task_id in tasks.task_ids]
    agent = policy_agent(policy, stage.spec, stage.turns, stage.config, 0.0, "policy")
    seed = derive_seed(stage.seed, "validation")
    trajectories = play_episodes(
        lambda: stage.environment(tasks), agent, requests, seed, stage.spec.id, live_episodes=len(requests)
    )
    for trajectory in trajectories:
        run.append_episode(trajectory, f"{stage.prefix}validation")
    return validation_record(trajectories, update)


def validation_record(trajectories: Sequence[Trajectory], update: int) -> Record:
    """Return the record of one validation; failed episodes are counted apart.

    Raises:
        RunError: Every episode failed.
    """
    whole = [trajectory for trajectory in trajectories if trajectory.reward is not None]
    if not whole:
        reasons = {trajectory.failure.message for trajectory in trajectories if trajectory.failure}
        raise RunError(f"every validation episode failed ({'; '.join(sorted(reasons)[:2])}): nothing can be measured")
    rewards = [trajectory.reward or 0.0 for trajectory in whole]
    interval = bootstrap_mean(rewards, clusters_of(whole), seed=update)
    parts = {name: _mean([t.score.values[name] for t in whole if t.score]) for name in _part_names(whole)}
    return {
        "phase": "validation",
        "update": update,
        "reward_mean": interval.mean,
        "low": interval.low,
        "high": interval.high,
        "n": len(whole),
        "failed": len(trajectories) - len(whole),
        "parts": parts,
    }


def _part_names(trajectories: Sequence[Trajectory]) -> list[str]:
    return list(trajectories[0].score.values) if trajectories[0].score else []


def _mean(values: Sequence[float]) -> float:
    return float(sum(values) / len(values)) if values else 0.0
