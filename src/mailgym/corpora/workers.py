"""Prepares chunks of messages, in this process or in several beside it; they come back in the order they went in."""

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import count as count_from
from multiprocessing import resource_tracker
from types import TracebackType
from typing import Self

from mailgym.core.errors import StoreError
from mailgym.mail.contents import Packer
from mailgym.mail.postings import Vocabulary
from mailgym.mail.prepare import Chunk, RawMessage, prepare

WAITING_CHUNKS_PER_WORKER = 2
CHUNKS_BETWEEN_COLLECTIONS = 16


class Workers:
    """A queue of chunks. A context manager: the processes end with the block.

    With one worker all is done in this process. With more they are new processes (never forks, which would copy the
    locks of threads that run here), so that a script that uses them needs its ``if __name__ == "__main__":``.
    """

    def __init__(self, count: int, dictionary: bytes) -> None:
        """Name how many processes there shall be, and the dictionary that contents are packed with."""
        self._pool: ProcessPoolExecutor | None = None
        if count > 1:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(count, context, _start, (dictionary,))
        else:
            self._packer, self._vocabulary = Packer(dictionary), Vocabulary()
        self._most_waiting = WAITING_CHUNKS_PER_WORKER * count
        self._waiting: deque[Future[Chunk]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def waiting(self) -> int:
        """How many chunks went in that did not come back."""
        return len(self._waiting)

    @property
    def is_full(self) -> bool:
        """Whether a chunk should come back before another goes in."""
        return self.waiting >= self._most_waiting

    def put(self, messages: Sequence[RawMessage]) -> None:
        """Give a chunk of messages to be prepared.

        Raises:
            StoreError: A worker has died.
        """
        if self._pool is None:
            done: Future[Chunk] = Future()
            done.set_result(prepare(messages, self._packer, self._vocabulary))
            self._waiting.append(done)
            return
        try:
            with _out_of_reach_of_interrupts():  # the first chunk starts the processes
                self._waiting.append(self._pool.submit(_prepare, messages))
        except BrokenProcessPool as error:
            raise _died() from error

    def get(self) -> Chunk:
        """Wait for the oldest chunk, and take it out.

        Raises:
            StoreError: A worker has died.
        """
        try:
            return self._waiting.popleft().result()
        except BrokenProcessPool as error:
            raise _died() from error


def _died() -> StoreError:
    return StoreError(
        "a process that parses mail was killed, perhaps for want of memory: run the import again with --workers 1; "
        "what was imported so far is kept"
    )


_kept: list[tuple[Packer, Vocabulary]] = []
"""What this worker process keeps from chunk to chunk."""
_chunks = count_from(1)


@contextmanager
def _out_of_reach_of_interrupts() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, so that they die in silence, with the one that started them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # where it is started later, it lets interrupts in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _start(dictionary: bytes) -> None:
    threading.Thread(target=_die_with_parent, daemon=True).start()  # a killed parent cannot end its workers
    gc.disable()  # looking for cycles among all that a chunk makes takes a third of the time else; see _prepare
    _kept.append((Packer(dictionary), Vocabulary()))


def _prepare(messages: Sequence[RawMessage]) -> Chunk:
    chunk = prepare(messages, *_kept[0])
    if next(_chunks) % CHUNKS_BETWEEN_COLLECTIONS == 0:
        gc.collect()
    return chunk
