"""Replies that were paid for once, kept on disk so that the same call is never paid for again."""

import hashlib
import json
import sqlite3
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mailgym.core.episode import ChatMessage, ToolCall
from mailgym.core.errors import UserError
from mailgym.llm.base import ChatReply, ChatRequest, Sampling

FORMAT = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    text TEXT NOT NULL,
    usage TEXT NOT NULL
)
"""
_CALLS_SCHEMA = "CREATE TABLE IF NOT EXISTS calls (key TEXT PRIMARY KEY, calls TEXT NOT NULL)"


def call_key(endpoint: str, model: str, request: ChatRequest, sampling: Sampling) -> str:
    """Return the hash that stands for one call: endpoint, model, chat messages, sampling and seed."""
    call = {
        "format": FORMAT,
        "endpoint": endpoint,
        "model": model,
        "messages": [_said(message) for message in request.messages],
        "sampling": asdict(sampling),
        "seed": request.seed,
    }
    if request.tools:
        call["tools"] = [asdict(tool) for tool in request.tools]
    return hashlib.sha256(json.dumps(call, sort_keys=True).encode()).hexdigest()


def _said(message: ChatMessage) -> dict[str, Any]:
    """Return what decides of a chat message; without calls it is as it always was, so that what was paid for stays."""
    said: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls or message.call_id:
        said |= {"calls": [asdict(call) for call in message.calls], "call_id": message.call_id}
    return said


class CallCache:
    """Successful replies in one SQLite file, keyed by :func:`call_key`; safe under threads and processes.

    It keeps what the model wrote and the hash of what it was asked, never the question itself; only the owner of the
    file can read it, since a reply may quote mail.
    """

    def __init__(self, path: Path) -> None:
        """Open the cache, making the file when there is none.

        Raises:
            UserError: The file is not a cache, or cannot be written.
        """
        self.path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self._connection = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error
        try:
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute(_SCHEMA)
            self._connection.execute(_CALLS_SCHEMA)
        except sqlite3.Error as error:
            self._connection.close()
            raise self._unusable(error) from error

    def __enter__(self) -> "CallCache":
        """Return the cache itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def get(self, key: str) -> ChatReply | None:
        """Return the reply kept under this key, its usage marked ``cached`` and free of cost; None when there is none.

        Raises:
            UserError: The file cannot be read.
        """
        rows = self._execute("SELECT text, usage FROM replies WHERE key = ?", (key,))
        if not rows:
            return None
        text, usage = rows[0]
        kept = json.loads(usage)
        if "cost_usd" in kept:
            kept["cost_usd"] = 0.0
        calls = self._execute("SELECT calls FROM calls WHERE key = ?", (key,))
        called = tuple(ToolCall(*call) for call in json.loads(calls[0][0])) if calls else ()
        return ChatReply(text=text, usage={**kept, "cached": 1.0}, calls=called)

    def put(self, key: str, model: str, reply: ChatReply) -> None:
        """Keep a reply; one that failed is not kept.

        Raises:
            UserError: The file cannot be written.
        """
        if reply.failure is not None:
            return
        if reply.calls:
            called = json.dumps([[call.id, call.name, call.arguments] for call in reply.calls])
            self._execute("INSERT OR REPLACE INTO calls VALUES (?, ?)", (key, called))
        values = (key, model, reply.text, json.dumps(reply.usage))
        self._execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", values)

    def __len__(self) -> int:
        """Return the number of replies kept."""
        return int(self._execute("SELECT COUNT(*) FROM replies", ())[0][0])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _execute(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> UserError:
        return UserError(
            f"the cache of model calls {self.path} cannot be used ({error}): delete the file and try again"
        )
