import json
from pathlib import Path

import pytest

from mailgym.core.errors import RunError
from mailgym.core.files import (
    append_line,
    cut_torn_line,
    decode_line,
    encode_line,
    lines_written_whole,
    read_lines,
    write_atomically,
)


def test_a_file_is_written_whole_and_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_atomically(path, "größer")
    assert path.read_text(encoding="utf-8") == "größer"
    write_atomically(path, b"\x00\x01")
    assert path.read_bytes() == b"\x00\x01"
    assert [p.name for p in path.parent.iterdir()] == ["file.txt"]


def test_a_failed_write_keeps_the_old_content_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_atomically(tmp_path / "file.txt", "old")

    def full_disk(handle: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["file.txt"]


def test_numbers_that_are_not_finite_become_null_and_the_line_stays_strict_json() -> None:
    line = encode_line({"loss": float("nan"), "deep": [{"x": float("inf")}, (1.5, -float("inf"))], "ok": 1})
    assert json.loads(line) == {"loss": None, "deep": [{"x": None}, [1.5, None]], "ok": 1}


def test_a_text_that_is_no_valid_unicode_survives_the_round_trip() -> None:
    assert json.loads(encode_line({"text": "a\ud800\nb"})) == {"text": "a\ud800\nb"}
    assert encode_line({"text": "a\nb"}).count(b"\n") == 1


def test_a_torn_last_line_is_not_read_and_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    append_line(path, {"n": 1})
    append_line(path, {"n": 2})
    whole = path.stat().st_size
    with path.open("ab") as file:
        file.write(b'{"n": 3, "text": "' + b"x" * 100_000)
    assert [json.loads(line)["n"] for _, line in read_lines(path)] == [1, 2]
    assert cut_torn_line(path) == 100_018
    assert path.stat().st_size == whole
    assert cut_torn_line(path) == 0


def test_a_file_that_holds_nothing_but_a_torn_line_becomes_empty(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'{"n"')
    assert cut_torn_line(path) == 4
    assert path.read_bytes() == b""
    assert cut_torn_line(tmp_path / "missing.jsonl") == 0
    assert list(read_lines(tmp_path / "missing.jsonl")) == []


@pytest.mark.parametrize("line", [b"{broken\n", b"[1]\n", b"\x00\x00\n", b"\xff\xfe\n"])
def test_a_damaged_line_is_named_with_its_place(tmp_path: Path, line: bytes) -> None:
    with pytest.raises(RunError, match=r"lines\.jsonl is damaged at byte 17 .*delete that line"):
        decode_line(tmp_path / "lines.jsonl", 17, line)


def test_lines_are_there_once_all_are_written(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lines.jsonl"
    with lines_written_whole(path) as write:
        write({"n": 1, "text": "größer"})
        assert not path.exists()
        write({"n": 2})
    assert [json.loads(line) for _, line in read_lines(path)] == [{"n": 1, "text": "größer"}, {"n": 2}]
    assert [p.name for p in path.parent.iterdir()] == ["lines.jsonl"]


def test_lines_broken_off_leave_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = write_atomically(tmp_path / "lines.jsonl", "old")

    def write_some() -> None:
        with lines_written_whole(path) as write:
            write({"n": 1})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_some()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["lines.jsonl"]
