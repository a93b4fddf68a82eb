"""Tasks that an environment brings along, from a bank or a generator: which of a split are played."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from mailgym.core.episode import AnswerKey, Task
from mailgym.core.errors import UserError
from mailgym.core.seeds import stream
from mailgym.envs.base import TaskSet

TaskT = TypeVar("TaskT", bound=Task)
KeyT = TypeVar("KeyT", bound=AnswerKey)

OWN_TASKS = Path("own-tasks")
"""The source of environments that need no mail; nothing is read from it."""


def draw(
    source: Path, split: str, pairs: Sequence[tuple[TaskT, KeyT]], n: int | None, seed: int
) -> TaskSet[TaskT, KeyT]:
    """Return a split's tasks and keys, or ``n`` of them.

    The split itself is always the same; the seed chooses among its tasks, and the order stays the split's.

    Args:
        source: Passed on.
        split: Its name.
        pairs: All of its tasks with their keys.
        n: How many to choose; all when None or when there are fewer.
        seed: Chooses.

    Raises:
        UserError: ``n`` is less than 1, or the split is empty.
    """
    if n is not None and n < 1:
        raise UserError(f"{n} tasks: ask for at least 1")
    chosen = list(pairs)
    if n is not None and n < len(chosen):
        places = sorted(stream(seed, "tasks", split).sample(range(len(chosen)), n))
        chosen = [chosen[place] for place in places]
    tasks = {task.id: task for task, _ in chosen}
    if len(tasks) != len(chosen):
        raise ValueError(f"tasks of split {split!r} share an id")
    return TaskSet(split, source, tasks, {key.task_id: key for _, key in chosen})
