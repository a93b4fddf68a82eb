"""Plays episodes into a run folder, written as they end, and none that the folder holds already."""

from collections.abc import Callable, Sequence

from mailgym.core.protocols import Agent, Environment
from mailgym.core.runs import RunFolder
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.rollout.judging import Judging

EPISODES_BETWEEN_RECORDS = 128


def play_missing(
    run: RunFolder,
    phase: str,
    agent: Agent,
    environments: Callable[[], Environment],
    task_ids: Sequence[str],
    seed: int,
    env_id: str,
    *,
    progress: Callable[[int], None] | None = None,
    episodes_between_records: int = EPISODES_BETWEEN_RECORDS,
    live_episodes: int | None = None,
    judging: Judging | None = None,
) -> None:
    """Play every task that the run does not hold yet for this phase and agent, and append the episodes to it.

    What was stopped anywhere loses at most the episodes played since the last record.

    Args:
        run: A run that is open for writing.
        phase: The phase the episodes are recorded under.
        agent: Who plays.
        environments: Makes an environment.
        task_ids: The tasks, each once.
        seed: Decides every random draw, together with the episode's key.
        env_id: The environment's id, recorded in the trajectories.
        progress: Called with the number of episodes that have just ended.
        episodes_between_records: How many are played at once and then written.
        live_episodes: How many are played side by side; None for all that are then written.
        judging: Whom to ask about answers that a rubric's matcher could not tell; the verdicts are written with them.

    Raises:
        RunError: The run is not open for writing, or its episodes are damaged.
    """
    on_disk = {key.task_id for key in run.episode_keys(phase) if key.agent == agent.name}
    missing = [EpisodeRequest(task_id) for task_id in task_ids if task_id not in on_disk]
    for start in range(0, len(missing), episodes_between_records):
        requests = missing[start : start + episodes_between_records]
        played = play_episodes(
            environments,
            agent,
            requests,
            seed,
            env_id,
            progress=progress,
            live_episodes=live_episodes or episodes_between_records,
            judging=judging,
        )
        for trajectory in played:
            run.append_episode(trajectory, phase)
