"""One task as two agents played it, told for the owner: what each wrote, and what came of it.

It reads plain observations and knows no environment: a list of records in an observation is shown as a result
list, with the records marked whose ``message_id`` the answer key names; everything else is shown as it is.
Where mail is private, only figures and positions are told: no question, no call, no id, no name.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mailgym.core.episode import Step, Trajectory
from mailgym.evaluate.compare import EpisodePair

HIDDEN = "(left out: the mail is real; --with-mail shows it)"
MAX_TEXT_CHARS = 4_000
_COLUMNS = ("date", "from", "subject", "snippet")
_NOT_SHOWN = ("kind", "turns_left", "tools", "task_id", "cut_chars")


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One record of a result list: its position from 1, its cells, and whether the answer key names it."""

    position: int
    cells: tuple[str, ...]
    right: bool


@dataclass(frozen=True, slots=True)
class TurnStory:
    """One turn: what the agent wrote, and what it got; ``missed`` when the right mail is not among the results."""

    wrote: str
    results: tuple[ResultLine, ...]
    empty: bool
    missed: bool
    answer: str


@dataclass(frozen=True, slots=True)
class PlayStory:
    """One agent's episode.

    Attributes:
        agent: Who played.
        reward: Its reward; None for a failure.
        ended: The stop reason, or what failed.
        turns: What was written and answered.
        parts: The score's parts that count or are not 0: name, value, weight, note.
    """

    agent: str
    reward: float | None
    ended: str
    turns: tuple[TurnStory, ...]
    parts: tuple[tuple[str, float, float, str], ...]


@dataclass(frozen=True, slots=True)
class EpisodeStory:
    """One task as it was played before and after training, and by the best heuristic."""

    title: str
    kind: str
    question: tuple[tuple[str, str], ...]
    difference: float
    plays: tuple[PlayStory, ...]


def tell(pair: EpisodePair, heuristic: Trajectory | None, private: bool) -> EpisodeStory:
    """Tell one pair of episodes.

    Args:
        pair: The episodes before and after.
        heuristic: The best heuristic's episode of the same task, where there is one.
        private: Leave out everything that may hold mail's text.
    """
    before, after = pair.before, pair.after
    plays = [play_story(before, "before", private), play_story(after, "after", private)]
    if heuristic is not None:
        plays.append(play_story(heuristic, heuristic.agent, private))
    return EpisodeStory(
        title="" if private else before.task_id,
        kind=str(before.key.get("kind", "")),
        question=(("question", HIDDEN),) if private else _question(before),
        difference=pair.difference,
        plays=tuple(plays),
    )


def _question(trajectory: Trajectory) -> tuple[tuple[str, str], ...]:
    first = trajectory.steps[0].observation if trajectory.steps else trajectory.task
    return tuple((name, _text(value)) for name, value in first.items() if name not in _NOT_SHOWN)


def play_story(trajectory: Trajectory, label: str, private: bool) -> PlayStory:
    """Tell one episode; ``label`` names its player."""
    right = right_ids(trajectory.key)
    ended = trajectory.stop_reason
    if trajectory.failure is not None:
        detail = "" if private else f": {trajectory.failure.message}"
        ended = f"failed ({trajectory.failure.boundary}){detail}"
    parts = trajectory.score.parts if trajectory.score else ()
    return PlayStory(
        agent=label,
        reward=trajectory.reward,
        ended=ended,
        turns=tuple(_turn(step, right, private) for step in trajectory.steps),
        parts=tuple(
            (part.name, part.value, part.weight, "" if private else part.note)
            for part in parts
            if part.weight or part.value
        ),
    )


def right_ids(key: Mapping[str, Any]) -> frozenset[str]:
    """Return the ids of the mails that an answer key names."""
    ids = key.get("message_ids", ())
    return frozenset(str(item) for item in ids) if isinstance(ids, list | tuple) else frozenset()


def _turn(step: Step, right: frozenset[str], private: bool) -> TurnStory:
    wrote = step.decision.text or _text(step.decision.action)
    observation = _flat(step.result.observation if step.result is not None else {})
    lists = [value for value in observation.values() if _is_result_list(value)]
    results = tuple(_result(index, item, right, private) for index, item in enumerate(lists[0] if lists else [], 1))
    named = "results" in observation
    others = {
        name: value
        for name, value in observation.items()
        if name not in _NOT_SHOWN and not _is_result_list(value) and value not in ("", [], None) and name != "results"
    }
    answer = "\n".join(f"{name}: {_text(value)}" for name, value in others.items())
    if private:
        answer = str(observation.get("kind", "")) if others else ""
    return TurnStory(
        wrote=HIDDEN if private else _cut(wrote),
        results=results,
        empty=named and not results,
        missed=bool(results and right) and not any(result.right for result in results),
        answer=_cut(answer),
    )


def _flat(observation: dict[str, Any]) -> dict[str, Any]:
    """Return an observation that answers several calls as one: all their results in one list, the rest by number."""
    answers = observation.get("answers")
    if not isinstance(answers, list) or not _is_result_list(answers):
        return observation
    flat = {name: value for name, value in observation.items() if name != "answers"}
    for number, answer in enumerate(answers, 1):
        for name, value in answer.items():
            if name == "results" and isinstance(value, list):
                flat["results"] = [*flat.get("results", []), *value]
            else:
                flat[f"{number}. {name}"] = value
    return flat


def _is_result_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _result(position: int, item: dict[str, Any], right: frozenset[str], private: bool) -> ResultLine:
    is_right = str(item.get("message_id", "")) in right
    if private:
        return ResultLine(position, ("a mail",), is_right)
    cells = tuple(_text(item[name]) for name in _COLUMNS if item.get(name))
    return ResultLine(position, cells or (_text(item),), is_right)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _cut(text: str) -> str:
    if len(text) <= MAX_TEXT_CHARS:
        return text
    return f"{text[:MAX_TEXT_CHARS]}… ({len(text) - MAX_TEXT_CHARS} more characters)"
