"""``mailgym questions`` on a small store, with a scripted model and with a server that speaks the OpenAI protocol."""

import io
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Run
from tests.corpora.questions.shop import honest, model_of, offer, write_box

from mailgym import __file__ as package
from mailgym.core.episode import ChatMessage
from mailgym.corpora.question import read_questions
from mailgym.llm import names
from mailgym.llm.base import ChatRequest
from mailgym.llm.cache import CallCache
from mailgym.mail.store import MailboxWriter

SMALL = ("--batch", "5", "--mails-per-box", "10")


class Endpoint(ThreadingHTTPServer):
    """Answers chat completions as an honest model would; keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.status = 200
        self.stuck_from: int | None = None
        self.freed = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Endpoint)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked.append(body)
        if server.stuck_from is not None and len(server.asked) >= server.stuck_from:
            server.freed.wait(60)
            return
        chat = tuple(ChatMessage(one["role"], one["content"]) for one in body["messages"])
        message = {"role": "assistant", "content": honest(ChatRequest(chat))}
        answer: dict[str, Any] = {
            "id": "c",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
        }
        data = json.dumps(answer if server.status == 200 else {"error": {"message": "no"}}).encode()
        self.send_response(server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Stay quiet."""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    with Endpoint() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    write_box(folder, "maya", 30)
    return folder


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "open_model", lambda name, **_: model_of())


def test_an_endpoint_makes_questions_and_the_cost_is_shown(mailgym: Run, store: Path, endpoint: Endpoint) -> None:
    price = ("--price-in", "2", "--price-out", "8")
    done = mailgym("questions", "generate", "--store", store, "--model", "openai:m", *SMALL, *price, "--yes")
    assert done.code == 0, done.err
    assert "goes to m at http://127.0.0.1" in done.err
    assert "the text of up to 10 mails of 1 mailbox" in done.err
    assert done.out.startswith("kept 10 of 10 questions from 2 batches: test 10\n")
    assert "12 calls, 0 more from the cache: 12,000 tokens read, 1,200 written, $0.03\n" in done.out
    assert "batch 2 of 2, 10 questions kept" in done.err
    assert len(read_questions(store)) == 10
    assert {body["model"] for body in endpoint.asked} == {"m"}


def test_paid_calls_are_made_once_even_where_the_record_is_lost(mailgym: Run, store: Path, endpoint: Endpoint) -> None:
    ask = ("questions", "generate", "--store", store, "--model", "openai:m", *SMALL, "--yes", "--json")
    first = mailgym(*ask).data
    for path in (store / "questions-made").iterdir():
        path.unlink()
    again = mailgym(*ask).data
    assert len(endpoint.asked) == 12
    assert (first["usage"]["calls"], again["usage"]["calls"], again["usage"]["cached"]) == (12, 0, 12)
    assert again["kept_by_split"] == first["kept_by_split"] == {"test": 10}


def test_a_kill_loses_no_paid_call_and_resuming_ends_as_if_it_had_not_been(
    mailgym: Run, store: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ask = ("questions", "generate", "--store", str(store), "--model", "openai:m", "--batch", "2", "--yes", "--json")
    monkeypatch.setenv("MAILGYM_CACHE", str(tmp_path / "cache"))
    calls, stuck = 15 + 30, 6
    endpoint.stuck_from = calls - stuck + 1
    command = [sys.executable, "-m", "mailgym.cli.main", *ask]
    with (
        CallCache(tmp_path / "cache" / "calls.sqlite") as cache,
        subprocess.Popen(command, cwd=Path(package).parents[1], stderr=subprocess.DEVNULL) as killed,
    ):
        deadline_s = time.monotonic() + 60
        while len(endpoint.asked) < calls or len(cache) < calls - stuck:
            assert time.monotonic() < deadline_s
            assert killed.poll() is None
            time.sleep(0.02)
        killed.kill()
    endpoint.stuck_from = None
    endpoint.freed.set()
    assert not (store / "questions.jsonl").exists()
    done = mailgym(*ask, "--resume")
    assert done.code == 0, done.err
    assert done.data["became"] == {"kept": 30}
    assert len(read_questions(store)) == 30
    assert len(endpoint.asked) == calls + stuck, "every call that was answered was made once"


def test_no_mail_leaves_for_a_remote_model_unasked(
    mailgym: Run, store: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = ("questions", "generate", "--store", store, "--model", "openai:m", *SMALL)
    done = mailgym(*ask)
    assert (done.code, done.out) == (2, "")
    assert "add --yes" in done.err

    class Person(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Person("n\n"))
    done = mailgym(*ask)
    assert done.code == 1
    assert "Send it? [y/N]" in done.err
    assert "nothing was sent" in done.err
    assert endpoint.asked == []
    monkeypatch.setattr("sys.stdin", Person("y\n"))
    assert mailgym(*ask).code == 0
    assert len(endpoint.asked) == 12


@pytest.mark.usefixtures("scripted")
def test_a_local_model_needs_no_leave(mailgym: Run, store: Path) -> None:
    done = mailgym("questions", "generate", "--store", store, "--model", "local", *SMALL, "--json")
    assert done.code == 0, done.err
    assert done.data["became"] == {"kept": 10}
    assert done.data["batches"] == {"done": 2, "failed": 0, "left": 0}
    assert done.data["usage"]["cost_usd"] is None
    assert Path(done.data["record"]).exists()


@pytest.mark.usefixtures("scripted")
def test_a_second_run_is_asked_to_resume_and_a_limit_leaves_batches(mailgym: Run, store: Path) -> None:
    ask = ("questions", "generate", "--store", store, "--model", "local", "--batch", "2")
    done = mailgym(*ask, "--limit", "3")
    assert "7 batches more can be made: --resume with a higher --limit" in done.out
    assert "13 dropped: more than were asked for" in done.out
    refused = mailgym(*ask)
    assert refused.code == 2
    assert "--resume" in refused.err
    done = mailgym(*ask, "--resume")
    assert done.out.startswith("kept 30 of 30 questions from 15 batches")


def test_a_dry_run_says_what_it_would_cost_and_calls_nothing(mailgym: Run, store: Path, endpoint: Endpoint) -> None:
    ask = ("questions", "generate", "--store", store, "--model", "openai:m", *SMALL, "--dry-run")
    done = mailgym(*ask)
    assert done.code == 0
    assert done.out.startswith("would show 10 mails of 1 mailbox in 2 batches: about 11 calls, ")
    assert "mailboxes: test 1\n" in done.out
    assert "--price-in and --price-out" in done.out
    plan = mailgym(*ask, "--json", "--price-in", "2", "--price-out", "8").data
    assert (plan["mails"], plan["batches"], plan["calls"]) == (10, 2, 11)
    expected_usd = (2 * plan["prompt_tokens"] + 8 * plan["completion_tokens"]) / 1e6
    assert plan["cost_usd"] == pytest.approx(expected_usd)
    assert endpoint.asked == []
    assert not (store / "questions.jsonl").exists()
    assert not (store / "questions-made").exists()


def test_a_price_has_two_sides(mailgym: Run, store: Path) -> None:
    done = mailgym("questions", "generate", "--store", store, "--model", "openai:m", "--price-in", "2")
    assert done.code == 2
    assert "give both" in done.err


def test_a_refused_key_ends_it_with_one_line(mailgym: Run, store: Path, endpoint: Endpoint) -> None:
    endpoint.status = 401
    done = mailgym("questions", "generate", "--store", store, "--model", "openai:m", *SMALL, "--yes")
    assert done.code == 2
    assert "OPENAI_API_KEY" in done.err
    assert "go on with --resume" in done.err
    endpoint.status = 200
    done = mailgym("questions", "generate", "--store", store, "--model", "openai:m", *SMALL, "--yes", "--resume")
    assert done.code == 0, done.err


def test_failed_batches_are_told_and_the_exit_code_says_so(
    mailgym: Run, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mailgym.core.episode import Failure

    bad = model_of(lambda one: Failure("model", "too late") if "Offer 4\n" in one.messages[1].content else honest(one))
    monkeypatch.setattr(names, "open_model", lambda name, **_: bad)
    done = mailgym("questions", "generate", "--store", store, "--model", "local", "--batch", "5")
    assert done.code == 1
    assert "1 batch failed (too late): go on with --resume" in done.err
    assert done.out.startswith("kept 25 of 25 questions from 5 batches")


def test_ctrl_c_says_how_to_go_on(mailgym: Run, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = iter(range(40))

    def interrupted(request: ChatRequest) -> str:
        if next(asked, None) is None:
            raise KeyboardInterrupt
        return honest(request)

    monkeypatch.setattr(names, "open_model", lambda name, **_: model_of(interrupted))
    ask = ("questions", "generate", "--store", store, "--model", "local", "--batch", "2")
    done = mailgym(*ask)
    assert done.code == 130
    assert "go on with --resume" in done.err
    monkeypatch.setattr(names, "open_model", lambda name, **_: model_of())
    assert mailgym(*ask, "--resume").out.startswith("kept 30 of 30 questions from 15 batches")


@pytest.mark.usefixtures("scripted")
def test_what_cannot_be_asked_about_is_said(mailgym: Run, store: Path) -> None:
    with MailboxWriter(store / "lost.mailbox", "lost", []) as writer:
        writer.add(offer(1, 1))
    write_box(store, "tom", 3, offer(1, 900).replace(b"offer-1@", b"copy@"))
    done = mailgym("questions", "generate", "--store", store, "--model", "local", "--dry-run")
    assert "lost.mailbox does not say whose it is" in done.err
    assert "mails that cannot be chosen: repeats an older mail 1\n" in done.out
    assert "mailboxes: train 1, test 1\n" in done.out


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_questions_go_out_and_come_in_as_a_table(mailgym: Run, store: Path, tmp_path: Path, form: str) -> None:
    assert mailgym("questions", "generate", "--store", store, "--model", "local", *SMALL).code == 0
    file = tmp_path / f"test.{form}"
    done = mailgym("questions", "export", file, "--store", store)
    assert done.out == f"wrote 10 questions to {file}\n"
    assert mailgym("questions", "export", file, "--store", store, "--split", "test", "--json").data["questions"] == 10
    other = tmp_path / "other"
    other.mkdir()
    write_box(other, "maya", 30)
    done = mailgym("questions", "import", file, "--store", other)
    assert done.out == "kept 10 of 10 rows: test 10\n"
    assert [one.text for one in read_questions(other)] == [one.text for one in read_questions(store)]
    assert mailgym("questions", "import", file, "--store", other, "--json").data["became"] == {"kept": 10}


def test_rows_that_are_not_kept_are_told_by_reason(mailgym: Run, store: Path, tmp_path: Path) -> None:
    good = {
        "id": 0,
        "question": "How much is it?",
        "answer": "101 euro",
        "message_ids": ["<offer-1@x>"],
        "how_realistic": 0.9,
        "inbox_address": "maya@ember.example",
        "query_date": "2024-02-01",
    }
    file = tmp_path / "mine.jsonl"
    rows = (good, {**good, "inbox_address": "tom@ember.example"}, {"id": 3})
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    done = mailgym("questions", "import", file, "--store", store, "--split", "train")
    assert done.out == (
        "kept 1 of 3 rows: train 1\n"
        "  1 dropped: a row that is no question\n"
        "  1 dropped: about a mailbox that the store does not have\n"
        "the first row that is no question: row 3: question: Field required\n"
    )
