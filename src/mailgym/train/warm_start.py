"""The warm start of an experiment: who is imitated on which tasks, what is kept of it, and what a person sees."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mailgym.agents.finder import find_agent
from mailgym.core.config import near_names
from mailgym.core.episode import Action, AnswerKey, Decision, Task, Trajectory, Turn
from mailgym.core.errors import ConfigError
from mailgym.core.protocols import Agent, WritingPrompt
from mailgym.core.runs import RunFolder
from mailgym.core.seeds import derive_seed, stream
from mailgym.envs.base import TaskSet
from mailgym.envs.registry import EnvSpec, get_spec
from mailgym.llm.base import Sampling
from mailgym.rollout.recorded import play_missing
from mailgym.train.checkpoint import Checkpoints
from mailgym.train.config import ExperimentConfig
from mailgym.train.display import Display, PhaseProgress, warm_start_line
from mailgym.train.imitate import PHASE, Lessons, imitate, make_lessons, plan
from mailgym.train.policy import Policy

IMITATED = "imitated"
CHECKPOINTS = "warm-start"


class WithoutArguments:
    """A player whose calls lack some arguments: it plays as one that does not know them."""

    def __init__(self, player: Agent, names: Sequence[str]) -> None:
        """Let ``player`` decide, and drop the arguments of these names from its calls."""
        self._player, self._names = player, tuple(names)

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return f"{self._player.name} without {', '.join(self._names)}"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide as the player does, without the arguments."""
        return [replace(decision, action=self._without(decision.action)) for decision in self._player.act(turns)]

    def _without(self, action: Action | None) -> Action | None:
        if not isinstance(action, dict):
            return action
        if action.keys() == {"calls"}:
            return {"calls": [self._without(call) for call in action["calls"]]}
        known = action.get("arguments")
        if not isinstance(known, dict):
            return action
        return {**action, "arguments": {name: value for name, value in known.items() if name not in self._names}}


class WarmStart:
    """Imitates a player on training tasks, in a run folder that is open for writing."""

    def __init__(
        self,
        run: RunFolder,
        config: ExperimentConfig,
        display: Display,
        policy: Policy,
        tasks: TaskSet[Task, AnswerKey],
    ) -> None:
        """Let the player play, and turn what it played into tokens.

        Args:
            run: Takes the player's episodes (phase ``imitated``), the records (phase ``warm_start``), the checkpoints.
            config: The experiment's.
            display: Shows it.
            policy: What is trained.
            tasks: The training tasks; no others are played.

        Raises:
            ConfigError: The environment's prompt cannot write actions, there is no such player, there are too few
                tasks, or nothing that the player did can be imitated.
        """
        self._run, self._config, self._display, self._policy = run, config, display, policy
        self._spec: EnvSpec = get_spec(config.run.env)
        self._lessons = self._learn_from(self._play(tasks))

    def run(self) -> None:
        """Imitate; nothing is done where the run's checkpoints say that all is done."""
        warm, train, seed = self._config.warm_start, self._config.train, self._config.run.seed
        checkpoints = Checkpoints(self._run.checkpoints, CHECKPOINTS)
        left = len(plan(len(self._lessons.samples), warm, seed)) - checkpoints.newest()
        with self._display.phase("warm start", left) as progress:
            imitate(
                self._policy,
                self._lessons.samples,
                warm,
                train,
                derive_seed(seed, "warm start"),
                checkpoints,
                lambda record: self._observe(record, progress),
            )
        self._display.note(warm_start_line(list(self._run.metrics(PHASE))))

    def _observe(self, record: dict[str, Any], progress: PhaseProgress) -> None:
        self._run.append_metrics(record)
        progress.advance(1)
        progress.describe(f"loss {record['loss']:.3f}")

    def _play(self, tasks: TaskSet[Task, AnswerKey]) -> list[Trajectory]:
        warm, run = self._config.warm_start, self._config.run
        known = self._spec.players(tasks)
        if warm.player not in known:
            raise ConfigError(f"no player {warm.player!r} to imitate in {run.env}: choose one of {', '.join(known)}")
        if warm.trajectories > len(tasks):
            raise ConfigError(
                f"{warm.trajectories} trajectories to imitate, each of another task, but there are only {len(tasks)} "
                f"training tasks: lower warm_start.trajectories to {len(tasks)}, or bring more mail"
            )
        chosen = stream(run.seed, "warm start tasks").sample(list(tasks.task_ids), warm.trajectories)
        agent = find_agent(warm.player, self._spec, tasks, turns=run.turns)
        if warm.leave_out:
            agent = WithoutArguments(agent, self._known_arguments())
        played = {key.task_id for key in self._run.episode_keys(IMITATED) if key.agent == agent.name}
        with self._display.phase(f"{IMITATED}: {agent.name}", len(chosen) - len(played)) as progress:
            play_missing(
                self._run,
                IMITATED,
                agent,
                lambda: self._spec.make(tasks, profile=run.profile, turns=run.turns),
                chosen,
                derive_seed(run.seed, "imitated"),
                self._spec.id,
                progress=progress.advance,
            )
        found = {trajectory.task_id: trajectory for _, trajectory in self._run.episodes(IMITATED, agent=agent.name)}
        return [found[task_id] for task_id in chosen]

    def _known_arguments(self) -> list[str]:
        """Return what is left out, checked against the tools: a name that is wrong would leave nothing out."""
        tools = self._spec.tools(self._config.run.turns).values()
        known = list(dict.fromkeys(name for tool in tools for name in tool.model_fields))
        for name in self._config.warm_start.leave_out:
            if name not in known:
                raise ConfigError(f"warm_start.leave_out: no tool has an argument {name!r}{near_names(name, known)}")
        return self._config.warm_start.leave_out

    def _learn_from(self, trajectories: list[Trajectory]) -> Lessons:
        run = self._config.run
        prompt = self._spec.prompt(run.turns)
        if not isinstance(prompt, WritingPrompt):
            raise ConfigError(
                f"{run.env} cannot be imitated: its prompt has no write(action) that says how a model writes an action"
            )
        train = self._config.train
        sampling = Sampling(max_tokens=train.max_tokens, max_episode_tokens=train.max_episode_tokens or None)
        lessons = make_lessons(trajectories, prompt, self._policy.local, sampling)
        if lessons.left_out:
            reasons = ", ".join(f"{count} {reason}" for reason, count in lessons.left_out.items())
            self._display.note(f"not imitated: {reasons} of {len(trajectories)} trajectories")
        return lessons
