"""Asks a judge about the answers of episodes that are over, and puts its verdicts into their scores.

An environment never waits on a network: a rubric whose matcher cannot tell leaves a
:class:`~mailgym.core.score.Judgement` in the score, with the score that either verdict would make of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from mailgym.core.episode import Failure, Trajectory
from mailgym.core.score import Judgement, Part, Score

if TYPE_CHECKING:
    from mailgym.rubrics.answers import Match
    from mailgym.rubrics.asking import Tally
    from mailgym.rubrics.judge import Case, Verdict

JUDGED, JUDGE_AGREES = "judged", "judge_agrees"
JUDGE_COST = "judge_cost_usd"


class Grader(Protocol):
    """What the rollout asks of a judge; :class:`mailgym.rubrics.judge.Judge` is one."""

    def grade(self, cases: "Sequence[Case]") -> "list[Verdict]":
        """Return one verdict a case, in order; one that could not be reached says why."""
        ...

    @property
    def tally(self) -> "Tally":
        """Calls, tokens and cost so far."""
        ...


@dataclass(slots=True)
class Judging:
    """Which answers a judge is asked about.

    Attributes:
        judge: The judge.
        pairs: What matcher and judge said of each answer that the judge was asked about, for their agreement.
        sure_answers: How many more answers it is asked about that the matcher is sure of. They change no score: they
            show how far matcher and judge agree.
    """

    judge: Grader
    sure_answers: int = 0
    pairs: "list[tuple[Match, Verdict]]" = field(default_factory=list)

    def resolve(self, trajectories: Sequence[Trajectory]) -> list[Trajectory]:
        """Return the trajectories with the judge's verdicts in their scores, in order.

        An unsure answer gets the score that the verdict makes of it, and the part ``judged`` (1 for right), whose note
        is the judge's reason; the last step's reward changes with it. An answer the matcher was sure of gets the part
        ``judge_agrees``. An unsure answer that the judge could not decide makes its episode a failure of the judge: it
        has no reward, and is never taken for wrong. What the judge cost is divided evenly among the episodes it was
        asked about (``judge_cost_usd``; 0 where its price is not known).
        """
        asked = [index for index, trajectory in enumerate(trajectories) if self._asks(trajectory)]
        if not asked:
            return list(trajectories)
        from mailgym.rubrics.answers import Match

        cost_before_usd = self.judge.tally.cost_usd
        verdicts = self.judge.grade([_case(_judgement(trajectories[index])) for index in asked])
        cost_usd = (self.judge.tally.cost_usd - cost_before_usd) / len(asked)
        resolved = list(trajectories)
        for index, verdict in zip(asked, verdicts, strict=True):
            judged = _with_verdict(trajectories[index], verdict)
            resolved[index] = replace(judged, metrics={**judged.metrics, JUDGE_COST: cost_usd})
            self.pairs.append((Match(_judgement(trajectories[index]).matched), verdict))
        return resolved

    def _asks(self, trajectory: Trajectory) -> bool:
        judgement = trajectory.score.judgement if trajectory.score is not None else None
        if judgement is None:
            return False
        if judgement.matched == "unsure":
            return True
        if self.sure_answers <= 0:
            return False
        self.sure_answers -= 1
        return True


def _judgement(trajectory: Trajectory) -> Judgement:
    assert trajectory.score is not None
    assert trajectory.score.judgement is not None
    return trajectory.score.judgement


def _case(judgement: Judgement) -> "Case":
    from mailgym.rubrics.judge import Case

    return Case(judgement.question, judgement.right, judgement.given, judgement.answer_type)


def _with_verdict(trajectory: Trajectory, verdict: "Verdict") -> Trajectory:
    judgement = _judgement(trajectory)
    if judgement.matched != "unsure":
        return _compared(trajectory, judgement, verdict)
    if verdict.is_right is None:
        failure = Failure("judge", verdict.failure or "the judge could not tell, and did not say why")
        return replace(trajectory, stop_reason="failed", reward=None, score=None, failure=failure)
    score = judgement.if_right if verdict.is_right else judgement.if_wrong
    assert score is not None
    assert trajectory.reward is not None
    assert trajectory.score is not None
    change = score.reward - trajectory.score.reward
    whole = Score((*score.parts, Part(JUDGED, float(verdict.is_right), 0.0, verdict.reason)))
    last = trajectory.steps[-1]
    assert last.result is not None
    step = replace(last, result=replace(last.result, reward=last.result.reward + change))
    return replace(trajectory, reward=trajectory.reward + change, score=whole, steps=(*trajectory.steps[:-1], step))


def _compared(trajectory: Trajectory, judgement: Judgement, verdict: "Verdict") -> Trajectory:
    assert trajectory.score is not None
    if verdict.is_right is None:
        return trajectory
    agrees = verdict.is_right == (judgement.matched == "right")
    part = Part(JUDGE_AGREES, float(agrees), 0.0, f"the matcher: {judgement.matched}; the judge: {verdict.reason}")
    return replace(trajectory, score=Score((*trajectory.score.parts, part)))
