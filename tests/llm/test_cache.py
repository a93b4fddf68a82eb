import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mailgym.core.episode import ChatMessage, Failure
from mailgym.core.errors import UserError
from mailgym.llm.base import ChatReply, ChatRequest, Sampling
from mailgym.llm.cache import CallCache, call_key


def request(text: str = "hello", seed: int = 0) -> ChatRequest:
    return ChatRequest((ChatMessage("user", text),), seed=seed)


def test_the_key_depends_on_everything_that_changes_the_reply() -> None:
    base = call_key("http://a", "m", request(), Sampling())
    others = [
        call_key("http://b", "m", request(), Sampling()),
        call_key("http://a", "n", request(), Sampling()),
        call_key("http://a", "m", request("hi"), Sampling()),
        call_key("http://a", "m", request(seed=1), Sampling()),
        call_key("http://a", "m", request(), Sampling(temperature=1.0)),
        call_key("http://a", "m", request(), Sampling(max_tokens=1)),
        call_key("http://a", "m", ChatRequest((ChatMessage("system", "hello"),)), Sampling()),
    ]
    assert len({base, *others}) == 8
    assert base == call_key("http://a", "m", request(), Sampling())


def test_a_reply_comes_back_marked_and_free(tmp_path: Path) -> None:
    path = tmp_path / "new" / "calls.sqlite"
    with CallCache(path) as cache:
        assert cache.get("k") is None
        cache.put("k", "m", ChatReply("text", usage={"prompt_tokens": 7.0, "cost_usd": 0.5}))
    with CallCache(path) as cache:
        reply = cache.get("k")
        assert reply == ChatReply("text", usage={"prompt_tokens": 7.0, "cost_usd": 0.0, "cached": 1.0})
        assert len(cache) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    with CallCache(tmp_path / "c") as cache:
        cache.put("k", "m", ChatReply("", failure=Failure("model", "down")))
        assert len(cache) == 0


def test_the_question_is_not_on_disk(tmp_path: Path) -> None:
    secret = "the merger with Harbour"
    with CallCache(tmp_path / "c") as cache:
        cache.put(call_key("u", "m", request(secret), Sampling()), "m", ChatReply("yes"))
    assert all(secret.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_many_threads_share_it(tmp_path: Path) -> None:
    with CallCache(tmp_path / "c") as cache, ThreadPoolExecutor(8) as pool:

        def work(number: int) -> str:
            cache.put(f"k{number % 50}", "m", ChatReply(f"r{number % 50}"))
            reply = cache.get(f"k{number % 50}")
            return reply.text if reply else "lost"

        assert list(pool.map(work, range(400))) == [f"r{number % 50}" for number in range(400)]
        assert len(cache) == 50


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    path = tmp_path / "c"
    path.write_text("this is a text, and long enough to be no empty database")
    with pytest.raises(UserError, match="delete the file"):
        CallCache(path)
    with pytest.raises(UserError, match="delete the file"):
        CallCache(tmp_path)


def test_a_table_that_vanished_is_named(tmp_path: Path) -> None:
    path = tmp_path / "c"
    with CallCache(path) as cache:
        other = sqlite3.connect(path)
        other.execute("DROP TABLE replies")
        other.commit()
        other.close()
        with pytest.raises(UserError, match="cannot be used"):
            cache.get("k")
