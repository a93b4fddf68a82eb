"""One experiment from tasks to verdict: baselines and untrained model, training, the trained model on the same tasks.

Every phase writes its episodes as they end and skips what is on disk, so an experiment that was stopped anywhere goes
on where it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mailgym.agents.chat import ChatAgent
from mailgym.agents.finder import find_agent
from mailgym.core.episode import AnswerKey, Task, Trajectory
from mailgym.core.errors import ConfigError, RunError
from mailgym.core.protocols import Agent, Environment
from mailgym.core.runs import RunFolder
from mailgym.core.seeds import derive_seed
from mailgym.corpora.sources import mailbox_store, simulated_store
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import EnvSpec, get_spec
from mailgym.evaluate.benchmark import clusters_of
from mailgym.evaluate.statistics import bootstrap_mean
from mailgym.llm.base import Sampling
from mailgym.llm.names import find_weights
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.rollout.recorded import play_missing
from mailgym.train.config import DataConfig, ExperimentConfig
from mailgym.train.display import Dashboard, Display

if TYPE_CHECKING:
    from mailgym.train.policy import Policy
    from mailgym.train.warm_start import WarmStart

Tasks = TaskSet[Task, AnswerKey]
Record = dict[str, Any]

UNTRAINED, WARM, TRAINED = "untrained", "warm start", "trained"


@dataclass(frozen=True, slots=True)
class Splits:
    """The three task sets of an experiment."""

    train: Tasks
    validation: Tasks
    test: Tasks


class Experiment:
    """Runs one :class:`ExperimentConfig` in a run folder that is open for writing."""

    def __init__(self, run: RunFolder, config: ExperimentConfig, display: Display) -> None:
        """Prepare an experiment; nothing heavy happens before :meth:`execute`."""
        self.run = run
        self.config = config
        self.display = display
        self.spec: EnvSpec = get_spec(config.run.env)

    def execute(self) -> None:
        """Play, train, play again.

        Raises:
            MailgymError: The tasks, the model or the run folder cannot be used as asked.
        """
        splits = self._load_splits()
        weights = self._find_weights()
        self._play_baselines(splits.test)
        policy = self._open_policy(weights)
        warm_start = self._prepare_warm_start(policy, splits.train)
        self._play_model(policy, UNTRAINED, "before", splits.test)
        if warm_start is not None:
            warm_start.run()
            self._play_model(policy, WARM, "warm_start", splits.test)
        self._train(policy, splits)
        policy.load(self.run.checkpoints / "best")
        self._play_model(policy, TRAINED, "after", splits.test)

    def _load_splits(self) -> Splits:
        data, spec = self.config.data, self.spec
        with self.display.phase("tasks", None) as progress:
            store = open_store(data, progress.say)
            counts = {"train": data.train, "validation": data.validation, "test": data.test}
            loaded = {split: spec.load_tasks(store, split, count or None, data.seed) for split, count in counts.items()}
        if len(loaded["train"]) < self.config.train.groups:
            raise ConfigError(
                f"only {len(loaded['train'])} training tasks, but an update takes {self.config.train.groups}: "
                "lower train.groups, or bring more mail"
            )
        self.display.note(
            f"{len(loaded['train'])} training, {len(loaded['validation'])} validation and {len(loaded['test'])} "
            "held-out questions"
        )
        return Splits(loaded["train"], loaded["validation"], loaded["test"])

    def _environment(self, tasks: Tasks) -> Environment:
        return self.spec.make(tasks, profile=self.config.run.profile, turns=self.config.run.turns)

    def _play_baselines(self, tasks: Tasks) -> None:
        for name in baseline_names(self.spec):
            agent = find_agent(name, self.spec, tasks, turns=self.config.run.turns)
            self._play_phase(agent, "baseline", tasks)

    def _find_weights(self) -> str:
        """Look the model up before anything is played: a wrong name should cost no time."""
        name = self.config.run.model
        weights, adapter = find_weights(name)
        if adapter is not None:
            raise ConfigError(
                f"{name} is an adapter over {weights}, and an adapter over an adapter could not be loaded again: "
                f"train from the model below it (--model {weights})"
            )
        return weights

    def _open_policy(self, weights: str) -> "Policy":
        from mailgym.llm.local import LocalModel

        run, train = self.config.run, self.config.train
        with self.display.phase("model", None):
            local = LocalModel.load(weights, threads=run.threads or None, name=run.model)
            from mailgym.train.policy import Policy

            return Policy(local, train.lora_rank, train.lora_alpha, derive_seed(run.seed, "adapters"))

    def _prepare_warm_start(self, policy: "Policy", tasks: Tasks) -> "WarmStart | None":
        """Make what is imitated ready before the model plays: what is asked wrongly should cost little time."""
        if not self.config.warm_start.trajectories:
            return None
        from mailgym.train.warm_start import WarmStart

        return WarmStart(self.run, self.config, self.display, policy, tasks)

    def _agent(self, policy: "Policy", temperature: float, name: str) -> Agent:
        train = self.config.train
        sampling = Sampling(temperature, train.max_tokens, train.max_episode_tokens or None)
        return ChatAgent(policy.local, self.spec.prompt(self.config.run.turns), sampling, name)

    def _play_model(self, policy: "Policy", name: str, phase: str, tasks: Tasks) -> None:
        with policy.merged():
            self._play_phase(self._agent(policy, 0.0, name), phase, tasks)

    def _play_phase(self, agent: Agent, phase: str, tasks: Tasks) -> None:
        """Play what is not on disk yet, and write it chunk by chunk."""
        played = sum(key.agent == agent.name for key in self.run.episode_keys(phase))
        with self.display.phase(f"{phase}: {agent.name}", len(tasks) - played) as progress:
            play_missing(
                self.run,
                phase,
                agent,
                lambda: self._environment(tasks),
                tasks.task_ids,
                derive_seed(self.config.run.seed, "held out"),
                self.spec.id,
                progress=progress.advance,
            )

    def _train(self, policy: "Policy", splits: Splits) -> None:
        from mailgym.train.checkpoint import Checkpoints
        from mailgym.train.grpo import Playground, train

        config = self.config
        playground = Playground(
            env_id=self.spec.id,
            environments=lambda: self._environment(splits.train),
            task_ids=splits.train.task_ids,
            agent=self._agent(policy, config.train.temperature, "policy"),
            validate=lambda update: self._validate(policy, splits.validation, update),
            seed=config.run.seed,
        )
        earlier = list(self.run.metrics())
        with self.display.training(config.train.updates, earlier) as dashboard:
            checkpoints = Checkpoints(self.run.checkpoints)
            train(policy, playground, config.train, checkpoints, _Recorder(self.run, dashboard))

    def _validate(self, policy: "Policy", tasks: Tasks, update: int) -> Record:
        requests = [EpisodeRequest(task_id, update=update) for task_id in tasks.task_ids]
        agent, seed = self._agent(policy, 0.0, "policy"), derive_seed(self.config.run.seed, "validation")
        trajectories = play_episodes(
            lambda: self._environment(tasks), agent, requests, seed, self.spec.id, live_episodes=len(requests)
        )
        for trajectory in trajectories:
            self.run.append_episode(trajectory, "validation")
        return validation_record(trajectories, update)


class _Recorder:
    """Keeps what the training reports in the run folder, and shows it."""

    def __init__(self, run: RunFolder, dashboard: Dashboard) -> None:
        self._run = run
        self._dashboard = dashboard

    def record(self, record: Record) -> None:
        self._run.append_metrics(record)
        self._dashboard.record(record)

    def trajectories(self, trajectories: Sequence[Trajectory]) -> None:
        for trajectory in trajectories:
            self._run.append_episode(trajectory, "train")

    def phase(self, phase: str, update: int) -> None:
        self._dashboard.begin(phase, update)


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


def baseline_names(spec: EnvSpec) -> tuple[str, ...]:
    """Return the agents without a model that every experiment plays: floors, heuristics, ceiling."""
    return ("null", "random", *spec.heuristics, "oracle")


def open_store(data: DataConfig, progress: Any = None) -> Path:
    """Return the store of an experiment's tasks, made when it is first needed.

    It is the one that ``mailgym eval`` uses: how many of its tasks an experiment takes does not change it, so a model
    is never measured on questions it was trained on.

    Raises:
        SourceError: The mailbox cannot be read, or is too small.
    """
    if data.source == "simulated":
        return simulated_store(data.seed, data.size, progress)
    return mailbox_store(Path(data.mailbox), seed=data.seed, progress=progress)


def _part_names(trajectories: Sequence[Trajectory]) -> list[str]:
    return list(trajectories[0].score.values) if trajectories[0].score else []


def _mean(values: Sequence[float]) -> float:
    return float(sum(values) / len(values)) if values else 0.0
