"""One episode: its task, its steps, and what was played.

Task and AnswerKey are different types: an agent is only ever handed a task (see docs/concepts.md).
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from mailgym.core.score import Score

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool in an endpoint's own form, apart from text.

    Attributes:
        id: By which its answer names it.
        name: The tool.
        arguments: JSON as the model wrote it; it may be broken.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn with a language model. Not a message: a message is an e-mail.

    Attributes:
        role: Who speaks.
        content: What is said.
        calls: The assistant's calls in the endpoint's own form; empty in the text form.
        call_id: The call that a ``tool`` chat message answers.
    """

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """What the agent may see. Environments derive their own task type from it."""

    id: str


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """What only the rubric, and the owner's side, may see.

    Attributes:
        task_id: The task it answers.
        template: What the task was made from; statistics cluster by it.
        mailbox: Whose mail it is about; statistics cluster by it.
        kind: The task kind, for breakdowns.
    """

    task_id: str
    template: str
    mailbox: str
    kind: str


@dataclass(frozen=True, slots=True)
class MalformedAction:
    """What a model wrote where an action was due, when no action can be read from it."""

    text: str
    reason: str


Action = dict[str, Any] | MalformedAction


def is_deeper(value: object, levels: int) -> bool:
    """Return whether plain data holds lists or tables nested more than ``levels`` deep; it never recurses."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            item
            for holder in layer
            if isinstance(holder, dict | list | tuple)
            for item in (holder.values() if isinstance(holder, dict) else holder)
        ]
    return bool(layer)


@dataclass(frozen=True, slots=True)
class StepResult:
    """What :meth:`Environment.step` returns; the agent's side.

    Attributes:
        observation: Plain data (JSON types) that the agent sees next.
        reward: The reward of this step.
        terminated: The task ended.
        truncated: A limit cut the episode.
        stop_reason: Why it ended, None while it goes on.
    """

    observation: dict[str, Any]
    reward: float
    terminated: bool = False
    truncated: bool = False
    stop_reason: str | None = None

    @property
    def done(self) -> bool:
        """Whether the episode is over, for whichever reason."""
        return self.terminated or self.truncated


@dataclass(frozen=True, slots=True)
class Failure:
    """A model, judge or environment that failed inside an episode: a value, never a reward of 0."""

    boundary: Literal["model", "judge", "environment", "time"]
    message: str


@dataclass(frozen=True, slots=True)
class Generation:
    """The exact tokens of one model turn.

    Attributes:
        prompt_ids: All token ids before the completion, earlier turns included.
        completion_ids: The token ids the model wrote, its end token included where it wrote one.
        logprobs: Log-probability of each completion token at the sampling temperature; same length.
        entropies: Entropy in nats of the distribution each completion token was drawn from; same length, or empty.
        finished: True when the model ended its turn itself, False when the token limit cut it.
    """

    prompt_ids: tuple[int, ...]
    completion_ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    entropies: tuple[float, ...] = ()
    finished: bool = True


NO_TOKENS = {"prompt_tokens": 0.0, "completion_tokens": 0.0, "cost_usd": 0.0}
"""Usage of a decision that no language model took part in: it is known to be nothing, where {} is not known."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent decided in one turn.

    Attributes:
        action: The action, or what could not be read as one. None when the agent failed.
        text: What the model wrote, or a readable form of the action.
        generation: Exact tokens, from local models only.
        usage: Token counts and cost where known (``prompt_tokens``, ``completion_tokens``, ``cost_usd``).
        failure: Set when the agent could not decide; the episode then ends as a failure.
        stop_reason: Set when the agent has no room left for another turn (``out_of_tokens``): the episode is then cut
            for this reason before any action.
    """

    action: Action | None
    text: str = ""
    generation: Generation | None = None
    usage: dict[str, float] = field(default_factory=dict)
    failure: Failure | None = None
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One transition: what was seen, what was decided, and what came of it."""

    observation: dict[str, Any]
    decision: Decision
    result: StepResult | None


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent is asked in one turn: the episode so far, agent's side only.

    Attributes:
        episode_key: Unique among the episodes played at once.
        observation: The current observation.
        steps: Earlier steps of this episode, oldest first.
        seed: Seed of this turn's randomness; the same whatever else is played at once.
    """

    episode_key: str
    observation: dict[str, Any]
    steps: tuple[Step, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What was played: one episode from reset to its end, failures included.

    Records are keyed by (update, task_id, sample, attempt).

    Attributes:
        reward: Sum of the step rewards; None when the episode failed.
        score: The whole score, owner's side; None when the episode failed.
        stop_reason: Why it ended (``failed`` for failures).
        metrics: Measured by the rollout itself: ``turns``, ``prompt_tokens``, ``completion_tokens``, ``latency_s``.
        task: The task as plain data. key: the answer key as plain data (owner's side).
    """

    env: str
    agent: str
    task_id: str
    steps: tuple[Step, ...]
    stop_reason: str
    reward: float | None
    score: Score | None
    failure: Failure | None = None
    update: int = 0
    sample: int = 0
    attempt: int = 0
    seed: int = 0
    metrics: dict[str, float] = field(default_factory=dict)
    task: dict[str, Any] = field(default_factory=dict)
    key: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for ``episodes.jsonl``."""
        data = asdict(self)
        data["score"] = self.score.to_json() if self.score else None
        for step, record in zip(self.steps, data["steps"], strict=True):
            if isinstance(step.decision.action, MalformedAction):
                record["decision"]["action"] = {"malformed": asdict(step.decision.action)}
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Trajectory":
        """Read what :meth:`to_json` wrote."""
        data = dict(data)
        data["steps"] = tuple(_step_from_json(step) for step in data["steps"])
        data["score"] = Score.from_json(data["score"]) if data["score"] is not None else None
        data["failure"] = Failure(**data["failure"]) if data["failure"] else None
        return cls(**data)


def _step_from_json(data: dict[str, Any]) -> Step:
    decision = dict(data["decision"])
    action = decision["action"]
    if isinstance(action, dict) and set(action) == {"malformed"} and _is_malformed(action["malformed"]):
        decision["action"] = MalformedAction(**action["malformed"])
    if decision["generation"]:
        fields = decision["generation"].items()
        generation: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in fields}
        decision["generation"] = Generation(**generation)
    decision["failure"] = Failure(**decision["failure"]) if decision["failure"] else None
    result = StepResult(**data["result"]) if data["result"] else None
    return Step(data["observation"], Decision(**decision), result)


def _is_malformed(record: Any) -> bool:
    return isinstance(record, dict) and set(record) == {"text", "reason"}
