import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from mailgym.core.episode import ChatMessage, Failure, ToolCall
from mailgym.core.errors import UserError
from mailgym.llm.base import ChatReply, ChatRequest, Sampling, ToolSpec
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


def test_calls_of_tools_come_back_and_decide_the_key(tmp_path: Path) -> None:
    call = ToolCall("c1", "search", '{"a": 1}')
    with CallCache(tmp_path / "calls.sqlite") as cache:
        cache.put("k", "m", ChatReply("", calls=(call,)))
        cache.put("plain", "m", ChatReply("text"))
        reply, plain = cache.get("k"), cache.get("plain")
    assert reply is not None
    assert plain is not None
    assert (reply.calls, plain.calls) == ((call,), ())
    tool = ToolSpec("search", "Searches.", {"type": "object"})
    keys = {
        call_key("http://a", "m", asked, Sampling())
        for asked in (
            request(),
            replace(request(), tools=(tool,)),
            replace(request(), tools=(replace(tool, name="find"),)),
            ChatRequest((ChatMessage("assistant", "hello", (call,)),)),
            ChatRequest((ChatMessage("assistant", "hello"),)),
            ChatRequest((ChatMessage("tool", "hello", call_id="c1"),)),
            ChatRequest((ChatMessage("tool", "hello", call_id="c2"),)),
        )
    }
    assert len(keys) == 7


def test_what_was_paid_for_before_there_were_tools_keeps_its_key() -> None:
    expected = "8ed3c65aa366f48c"
    assert call_key("http://a", "m", request(), Sampling())[:16] == expected
