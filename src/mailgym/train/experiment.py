"""One experiment from tasks to verdict: baselines and untrained model, training, the trained model on the same tasks.

Every phase writes its episodes as they end and skips what is on disk, so an experiment that was stopped anywhere goes
on where it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mailgym.agents.finder import find_agent
from mailgym.core.episode import AnswerKey, Task
from mailgym.core.errors import ConfigError
from mailgym.core.protocols import Agent, Environment
from mailgym.core.runs import RunFolder
from mailgym.core.seeds import derive_seed
from mailgym.corpora.sources import mailbox_store, simulated_store
from mailgym.envs.base import TaskSet
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.registry import EnvSpec, get_spec
from mailgym.llm.names import find_weights
from mailgym.rollout.recorded import play_missing
from mailgym.train.config import DataConfig, ExperimentConfig
from mailgym.train.display import Display

if TYPE_CHECKING:
    from mailgym.train.policy import Policy
    from mailgym.train.warm_start import WarmStart

Tasks = TaskSet[Task, AnswerKey]

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
        splits = self._load_splits(self.config.data, self.spec)
        curriculum = [
            self._load_splits(
                replace(self.config.data, size=stage.size or self.config.data.size), get_spec(stage.env), stage.level
            )
            for stage in self.config.curriculum.stages
        ]
        weights = self._find_weights()
        self._play_baselines(splits.test)
        policy = self._open_policy(weights)
        warm_start = self._prepare_warm_start(policy, splits.train)
        self._play_model(policy, UNTRAINED, "before", splits.test)
        if warm_start is not None:
            warm_start.run()
            self._play_model(policy, WARM, "warm_start", splits.test)
        self._train(policy, splits, curriculum)
        self._play_model(policy, TRAINED, "after", splits.test)

    def _load_splits(self, data: DataConfig, spec: EnvSpec, level: str = "") -> Splits:
        with self.display.phase("tasks", None) as progress:
            store = open_store(data, progress.say) if spec.needs_mail else _own_tasks(data, spec)
            counts = {"train": data.train, "validation": data.validation, "test": data.test}
            names = {split: split_of(spec, split, level) for split in counts}
            loaded = {
                split: spec.load_tasks(store, names[split], count or None, data.seed) for split, count in counts.items()
            }
        if len(loaded["train"]) < self.config.train.groups:
            raise ConfigError(
                f"only {len(loaded['train'])} training tasks of {spec.id}, but an update takes "
                f"{self.config.train.groups}: lower train.groups, or bring more mail"
            )
        self.display.note(
            f"{spec.id}: {len(loaded['train'])} training, {len(loaded['validation'])} validation and "
            f"{len(loaded['test'])} held-out questions"
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
            set_matmul(run.matmul)
            from mailgym.train.policy import Policy

            return Policy(local, train.lora_rank, train.lora_alpha, derive_seed(run.seed, "adapters"))

    def _prepare_warm_start(self, policy: "Policy", tasks: Tasks) -> "WarmStart | None":
        """Make what is imitated ready before the model plays: what is asked wrongly should cost little time."""
        if not self.config.warm_start.trajectories:
            return None
        from mailgym.train.warm_start import WarmStart

        return WarmStart(self.run, self.config, self.display, policy, tasks)

    def _play_model(self, policy: "Policy", name: str, phase: str, tasks: Tasks) -> None:
        from mailgym.train.stage import policy_agent

        agent = policy_agent(policy, self.spec, self.config.run.turns, self.config.train, 0.0, name)
        with policy.merged():
            self._play_phase(agent, phase, tasks)

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

    def _train(self, policy: "Policy", splits: Splits, curriculum: Sequence[Splits]) -> None:
        """Train through the stages of the curriculum, and then in the environment of the run."""
        from mailgym.train.stage import Stage, train_stage

        run, train, folder = self.config.run, self.config.train, self.run.checkpoints
        stages = [
            Stage(
                get_spec(asked.env),
                asked.turns,
                run.profile,
                tasks.train,
                tasks.validation,
                replace(train, updates=asked.updates),
                derive_seed(run.seed, "stage", number),
                folder / f"stage-{number}",
                f"stage_{number}_",
                asked.until_reward,
            )
            for number, (asked, tasks) in enumerate(zip(self.config.curriculum.stages, curriculum, strict=True), 1)
        ]
        last = Stage(self.spec, run.turns, run.profile, splits.train, splits.validation, train, run.seed, folder)
        for number, stage in enumerate([*stages, last], 1):
            if stages:
                turns = f"{stage.turns} turn{'' if stage.turns == 1 else 's'}"
                self.display.note(f"stage {number} of {len(stages) + 1}: {stage.spec.id}, {turns}")
            train_stage(self.run, policy, stage, self.display)


def split_of(spec: EnvSpec, split: str, level: str) -> str:
    """Return the name of a split's part of one level; the split itself where no level is asked for.

    Raises:
        ConfigError: The environment has no such level.
    """
    if not level:
        return split
    if f"{split}-{level}" not in spec.splits:
        levels = [name.removeprefix(f"{split}-") for name in spec.splits if name.startswith(f"{split}-")]
        known = f"its levels are {', '.join(levels)}" if levels else "it has none: leave level out of the stage"
        raise ConfigError(f"{spec.id} has no level {level!r}: {known}")
    return f"{split}-{level}"


def baseline_names(spec: EnvSpec) -> tuple[str, ...]:
    """Return the agents without a model that every experiment plays: floors, heuristics, ceiling."""
    return ("null", "random", *spec.heuristics, "oracle")


def set_matmul(precision: str) -> None:
    """Multiply float32 matrices as ``run.matmul`` says, in this process, from here on."""
    import torch

    torch.set_float32_matmul_precision("medium" if precision == "bf16" else "highest")


def open_store(data: DataConfig, progress: Any = None) -> Path:
    """Return the store of an experiment's tasks, made when it is first needed.

    It is the one that ``mailgym eval`` uses: how many of its tasks an experiment takes does not change it, so a model
    is never measured on questions it was trained on. A store that somebody made is taken as it is.

    Raises:
        SourceError: The mailbox cannot be read, or is too small.
    """
    if data.source == "simulated":
        return simulated_store(data.seed, data.size, progress)
    if data.source == "store":
        return Path(data.store).expanduser()
    return mailbox_store(Path(data.mailbox), seed=data.seed, progress=progress)


def _own_tasks(data: DataConfig, spec: EnvSpec) -> Path:
    if data.source != "simulated":
        raise ConfigError(f"{spec.id} brings its own tasks and takes none from mail: leave --mailbox and --store out")
    return OWN_TASKS
