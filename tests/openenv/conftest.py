"""A server of each environment, as OpenEnv's clients and validator meet it; these tests need the package openenv."""

import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mailgym.envs.dialects import own_dialect
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.registry import get_spec
from mailgym.serve.http import Place, listen
from mailgym.serve.run import make_server, openenv_routes, run_server
from mailgym.serve.services import Served
from mailgym.serve.sessions import Limits

PATIENCE_S = 120.0
Serve = Callable[..., str]


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """Return what starts a server (once for the same arguments) and tells its address."""
    assert openenv_routes() is not None, "these tests need openenv: make test-openenv installs it"
    running: dict[tuple[Any, ...], tuple[str, Any, threading.Thread]] = {}

    def start(env: str, limits: Limits | None = None, own: bool = False) -> str:
        asked = (env, limits, own)
        if asked not in running:
            spec = get_spec(env)
            dialect = own_dialect() if own else spec.dialect()
            served = Served(spec, spec.load_tasks(OWN_TASKS, dialect.split), dialect.profile, dialect)
            place = Place("127.0.0.1", 0)
            server = make_server([served], limits or Limits(), place, log_requests=False)
            listening = listen(place)
            thread = threading.Thread(target=run_server, args=(server, listening), daemon=True)
            thread.start()
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            _wait_for(url)
            running[asked] = (url, server, thread)
        return running[asked][0]

    yield start
    for _, server, _ in running.values():
        server.should_exit = True
    for _, _, thread in running.values():
        thread.join(PATIENCE_S)


def _wait_for(url: str) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=PATIENCE_S):
                return
        except OSError:
            if time.monotonic() > end_s:
                raise
            time.sleep(0.1)
