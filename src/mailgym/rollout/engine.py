"""Plays many episodes at once in one process.

Episodes advance in lock-step: every live episode asks for its next action, the agent answers all of them in one call
(a local model batches them), each environment takes its step, and an episode that ended makes room for the next.
What is played depends on the seed and the episode's key alone, not on what else is played at the same time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mailgym.core.clock import Clock, SystemClock
from mailgym.core.episode import Decision, Failure, Step, StepResult, Trajectory, Turn
from mailgym.core.errors import MailgymError
from mailgym.core.protocols import Agent, Environment
from mailgym.core.seeds import derive_seed
from mailgym.rollout.judging import Judging

DEFAULT_LIVE_EPISODES = 64


@dataclass(frozen=True, slots=True)
class EpisodeRequest:
    """Which episode to play; the four fields are the key of its record."""

    task_id: str
    sample: int = 0
    update: int = 0
    attempt: int = 0

    @property
    def key(self) -> str:
        """The episode's name, unique among the episodes of one call."""
        return f"{self.update}/{self.task_id}/{self.sample}/{self.attempt}"


@dataclass(slots=True)
class _Live:
    index: int
    request: EpisodeRequest
    environment: Environment
    observation: dict[str, Any]
    started_s: float
    seed: int
    steps: list[Step] = field(default_factory=list)

    def turn(self) -> Turn:
        seed = derive_seed(self.seed, "turn", len(self.steps))
        return Turn(self.request.key, self.observation, tuple(self.steps), seed)


def play_episodes(
    environments: Callable[[], Environment],
    agent: Agent,
    requests: Sequence[EpisodeRequest],
    seed: int,
    env_id: str,
    *,
    progress: Callable[[int], None] | None = None,
    live_episodes: int = DEFAULT_LIVE_EPISODES,
    timeout_s: float | None = None,
    clock: Clock | None = None,
    judging: Judging | None = None,
) -> list[Trajectory]:
    """Play every requested episode and return the trajectories in the order of the requests.

    Args:
        environments: Makes an environment; called at most ``live_episodes`` times.
        agent: Who plays.
        requests: The episodes, each key once.
        seed: Decides every random draw, together with the episode's key.
        env_id: The environment's id, recorded in the trajectories.
        progress: Called with the number of episodes that have just ended.
        live_episodes: How many episodes are played at once.
        timeout_s: Longest time an episode may take before it ends as a failure; None (as in training): no limit.
        clock: Where the time comes from; the machine's clock by default. It decides nothing but latencies and
            time-outs.
        judging: Whom to ask about answers that a rubric's matcher could not tell, once all episodes are over; without
            it their scores stay unsure.

    Returns:
        One trajectory a request. A model that failed, an environment that raised one of mailgym's errors and a time-out
        give a trajectory with ``failure`` set, ``reward`` None and stop reason ``failed``.

    Raises:
        ValueError: Two requests have the same key, or the agent did not give one decision a turn.
    """
    if len({request.key for request in requests}) != len(requests):
        raise ValueError("two episodes have the same key: give them different samples or attempts")
    clock = clock or SystemClock()
    done: dict[int, Trajectory] = {}
    waiting: Iterator[tuple[int, EpisodeRequest]] = iter(enumerate(requests))
    spare: list[Environment] = []
    live: list[_Live] = []
    while True:
        while len(live) < live_episodes and (entry := next(waiting, None)) is not None:
            environment = spare.pop() if spare else environments()
            started = _start(entry, environment, agent, seed, env_id, clock)
            if isinstance(started, Trajectory):
                done[entry[0]] = started
                spare.append(environment)
            else:
                live.append(started)
        if not live:
            break
        decisions = _decide(agent, live)
        still_live = []
        for episode, decision in zip(live, decisions, strict=True):
            ended = _advance(episode, decision, agent, env_id, clock, timeout_s)
            if ended is None:
                still_live.append(episode)
            else:
                done[episode.index] = ended
                spare.append(episode.environment)
        if progress is not None and len(still_live) < len(live):
            progress(len(live) - len(still_live))
        live = still_live
    played = [done[index] for index in range(len(requests))]
    return played if judging is None else judging.resolve(played)


def _decide(agent: Agent, live: Sequence[_Live]) -> list[Decision]:
    decisions = agent.act([episode.turn() for episode in live])
    if len(decisions) != len(live):
        raise ValueError(f"{agent.name} gave {len(decisions)} decisions for {len(live)} turns")
    return decisions


def _start(
    entry: tuple[int, EpisodeRequest],
    environment: Environment,
    agent: Agent,
    seed: int,
    env_id: str,
    clock: Clock,
) -> "_Live | Trajectory":
    index, request = entry
    episode_seed = derive_seed(seed, env_id, request.task_id, request.sample, request.update, request.attempt)
    episode = _Live(index, request, environment, {}, clock.now_s(), episode_seed)
    try:
        episode.observation = environment.reset(request.task_id, derive_seed(episode_seed, "reset"))
    except MailgymError as error:
        return _failed(episode, Failure("environment", str(error)), agent, env_id, clock)
    return episode


def _advance(
    episode: _Live, decision: Decision, agent: Agent, env_id: str, clock: Clock, timeout_s: float | None
) -> Trajectory | None:
    """Play one decision; return the trajectory if the episode ended with it."""
    failure = decision.failure
    if failure is None and decision.stop_reason is not None and episode.steps:
        return _cut(episode, decision.stop_reason, agent, env_id, clock)
    if failure is None and decision.action is None:
        failure = Failure("model", f"{agent.name} decided nothing and named no failure")
    if failure is None and timeout_s is not None and clock.now_s() - episode.started_s > timeout_s:
        failure = Failure("time", f"the episode took more than {timeout_s:g} s")
    result = None
    if failure is None and decision.action is not None:
        try:
            result = episode.environment.step(decision.action)
        except MailgymError as error:
            failure = Failure("environment", str(error))
    episode.steps.append(Step(episode.observation, decision, result))
    if failure is not None:
        return _failed(episode, failure, agent, env_id, clock)
    assert result is not None
    if not result.done:
        episode.observation = result.observation
        return None
    return _ended(episode, result, agent, env_id, clock)


def _cut(episode: _Live, stop_reason: str, agent: Agent, env_id: str, clock: Clock) -> Trajectory:
    """End an episode after its last step, since the agent has no room for another turn; it is worth what it earned."""
    last = episode.steps[-1]
    assert last.result is not None
    result = replace(last.result, truncated=True, stop_reason=stop_reason)
    episode.steps[-1] = replace(last, result=result)
    return _ended(episode, result, agent, env_id, clock)


def _ended(episode: _Live, result: StepResult, agent: Agent, env_id: str, clock: Clock) -> Trajectory:
    view = episode.environment.owner_view()
    rewards = [step.result.reward for step in episode.steps if step.result is not None]
    return Trajectory(
        env=env_id,
        agent=agent.name,
        task_id=episode.request.task_id,
        steps=tuple(episode.steps),
        stop_reason=result.stop_reason or ("terminated" if result.terminated else "truncated"),
        reward=float(sum(rewards)),
        score=view.score,
        task=view.task,
        key=view.key,
        **_common(episode, clock),
    )


def _failed(episode: _Live, failure: Failure, agent: Agent, env_id: str, clock: Clock) -> Trajectory:
    task: dict[str, Any] = {}
    key: dict[str, Any] = {}
    if episode.observation:
        view = episode.environment.owner_view()
        task, key = view.task, view.key
    return Trajectory(
        env=env_id,
        agent=agent.name,
        task_id=episode.request.task_id,
        steps=tuple(episode.steps),
        stop_reason="failed",
        reward=None,
        score=None,
        failure=failure,
        task=task,
        key=key,
        **_common(episode, clock),
    )


def _common(episode: _Live, clock: Clock) -> dict[str, Any]:
    metrics: dict[str, float] = {
        "turns": float(len(episode.steps)),
        "latency_s": clock.now_s() - episode.started_s,
    }
    for step in episode.steps:
        for name, amount in step.decision.usage.items():
            metrics[name] = metrics.get(name, 0.0) + amount
    request = episode.request
    return {
        "update": request.update,
        "sample": request.sample,
        "attempt": request.attempt,
        "seed": episode.seed,
        "metrics": metrics,
    }
