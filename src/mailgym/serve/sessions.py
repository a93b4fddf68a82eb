"""Sessions of a server without memory of its own between requests: one episode each, found again by a name.

A session that nobody speaks to for a while is closed, and its place is free again; over capacity a new one is refused.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mailgym.core.clock import Clock, SystemClock
from mailgym.core.episode import Action
from mailgym.core.errors import NotReset, ServerFull
from mailgym.core.protocols import Environment
from mailgym.envs.dialects import Moment, Opening

SESSION_FIELDS = ("session_id",)
"""Fields of an envelope that name the session and are no part of what is asked."""
DEFAULT_NAME = "default"
"""The session of a client that names none: the bare curl user's."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one server takes on.

    Attributes:
        most_sessions: Sessions of one environment at once.
        session_timeout_s: A session that nobody speaks to for so long is closed.
    """

    most_sessions: int = 256
    session_timeout_s: float = 1800.0


class Session:
    """One episode and what was played of it."""

    def __init__(self, environment: Environment) -> None:
        """Play in this environment, which nobody else plays in."""
        self.lock = threading.Lock()
        self.users = 0  # requests that hold it or wait for it
        self.environment = environment
        self._moment: Moment | None = None

    @property
    def moment(self) -> Moment:
        """Where the episode stands.

        Raises:
            NotReset: None is open.
        """
        if self._moment is None:
            raise NotReset("no episode is open in this session: POST /reset first")
        return self._moment

    @property
    def is_open(self) -> bool:
        """Whether an episode was opened."""
        return self._moment is not None

    def reset(self, opening: Opening) -> Moment:
        """Open an episode; one that was open is dropped.

        Raises:
            UnknownTask: No task has this id.
        """
        observation = self.environment.reset(opening.task_id, opening.seed)
        self._moment = Moment(observation, self.environment.state)
        return self._moment

    def step(self, action: Action) -> Moment:
        """Play one action.

        Raises:
            NotReset: No episode is open.
            EpisodeOver: It is over.
        """
        before = self.moment
        result = self.environment.step(action)
        self._moment = Moment(
            observation=result.observation,
            state=self.environment.state,
            rewards=(*before.rewards, result.reward),
            actions=(*before.actions, action),
            done=result.done,
            terminated=result.terminated,
            truncated=result.truncated,
            stop_reason=result.stop_reason,
        )
        return self._moment


class Sessions:
    """The sessions of one environment, by name. Safe to use from several threads."""

    def __init__(
        self,
        make: Callable[[], Environment],
        limits: Limits,
        clock: Clock | None = None,
    ) -> None:
        """Keep sessions, each with an environment that ``make`` makes, within limits that ``clock`` is read for."""
        self._make = make
        self._most = limits.most_sessions
        self._timeout_s = limits.session_timeout_s
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}
        self._used_s: dict[str, float] = {}

    def __len__(self) -> int:
        with self._lock:
            self._close_idle()
            return len(self._sessions)

    @contextmanager
    def opened(self, name: str) -> Iterator[Session]:
        """Hold the session of this name, made when there is none; nobody else plays in it meanwhile.

        Raises:
            ServerFull: There is no place for another.
        """
        session = self._find(name, make=True)
        assert session is not None
        with self._in_use(name, session):
            yield session

    @contextmanager
    def found(self, name: str) -> Iterator[Session]:
        """Hold the session of this name.

        Raises:
            NotReset: There is none, or none any more.
        """
        session = self._find(name, make=False)
        if session is None:
            raise NotReset("there is no session of this name, or it was closed after idling: POST /reset first")
        with self._in_use(name, session):
            yield session

    @contextmanager
    def _in_use(self, name: str, session: Session) -> Iterator[None]:
        """Wait for a session that :meth:`_find` returned and hold it; it idles from the end of this on."""
        try:
            with session.lock:
                yield
        finally:
            with self._lock:
                session.users -= 1
                self._used_s[name] = self._clock.now_s()

    def _find(self, name: str, *, make: bool) -> Session | None:
        with self._lock:
            self._close_idle()
            session = self._sessions.get(name)
            if session is None and make:
                if len(self._sessions) >= self._most:
                    raise ServerFull(
                        f"all {self._most} sessions are taken: try again later, or serve more with --max-sessions"
                    )
                session = self._sessions[name] = Session(self._make())
            if session is not None:
                session.users += 1
                self._used_s[name] = self._clock.now_s()
            return session

    def _close_idle(self) -> None:
        oldest_s = self._clock.now_s() - self._timeout_s
        for name in [name for name, used_s in self._used_s.items() if used_s < oldest_s]:
            if not self._sessions[name].users:  # somebody plays in it at this moment, or waits to
                del self._sessions[name], self._used_s[name]
