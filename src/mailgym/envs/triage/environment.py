"""The inbox as it is played: under ``classic`` each answer repeats the reward, and a perfect score ends the episode."""

from dataclasses import replace

from mailgym.core.episode import Action, StepResult
from mailgym.envs.base import TaskSet, WorldEnvironment
from mailgym.envs.triage.rubric import TriageRubric
from mailgym.envs.triage.tasks import TriageKey, TriageTask
from mailgym.envs.triage.world import TriageFacts, TriageWorld

PERFECT = 1.0 - 1e-9


class TriageEnvironment(WorldEnvironment[TriageTask, TriageKey, TriageFacts]):
    """A :class:`~mailgym.envs.base.WorldEnvironment` that tells its rewards where the document's does.

    A language model sees observations alone, so what the document returns beside them has to be in them: ``reward``
    (of this step) and ``reward_so_far`` (the score). Both are numbers that the agent's side is given anyway; of labels,
    parts and notes there is nothing.
    """

    def __init__(self, world: TriageWorld, tasks: TaskSet[TriageTask, TriageKey], rubric: TriageRubric) -> None:
        """Play ``world`` over ``tasks``; whether rewards are told depends on the rubric."""
        super().__init__(world, tasks, rubric)
        self._tells = rubric.tells_rewards

    def step(self, action: Action) -> StepResult:
        """Play one action.

        Raises:
            NotReset: Before the first reset.
            EpisodeOver: After the end.
        """
        result = super().step(action)
        if not self._tells:
            return result
        observation = {**result.observation, "reward": result.reward, "reward_so_far": self._reward}
        result = replace(result, observation=observation)
        if self._reward < PERFECT or result.terminated:
            return result
        self._stop_reason = "perfect"
        return replace(result, terminated=True, truncated=False, stop_reason="perfect")
