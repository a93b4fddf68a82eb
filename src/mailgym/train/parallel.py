"""Runs independent pieces of work on the CPU's cores, one piece a core.

A small model's operators are too short to be worth sharing among threads: on two cores the training phase of an update
took 23.6 s on one thread and still 17.5 s on two. Two micro-batches side by side, each on one thread, use both cores.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_on_cores(function: Callable[[Item], Result], items: Sequence[Item], device: torch.device) -> Iterable[Result]:
    """Call ``function`` on every item and yield the results in the order of the items.

    As many run at once as torch has threads on the CPU, each on one thread; on another device one after the other. What
    comes out depends on the items alone.

    Args:
        function: The work; torch releases Python's lock inside its operators, so threads do run side by side.
        items: What to work on.
        device: Where the work happens.
    """
    threads = torch.get_num_threads()
    if device.type != "cpu" or threads == 1 or len(items) == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(min(threads, len(items)), initializer=torch.set_num_threads, initargs=(1,)) as pool:
        try:
            yield from pool.map(function, items)
        finally:
            torch.set_num_threads(threads)  # the workers' call sets some libraries' numbers for the whole process
