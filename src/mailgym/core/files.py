"""Files that survive a kill: written whole or not at all, and lines that are appended one at a time."""

import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from mailgym.core.errors import RunError


def write_atomically(path: Path, content: str | bytes) -> Path:
    """Write a file whole or not at all: after a kill it holds the old content or the new, never a part.

    Args:
        path: Where to write; folders above it are made.
        content: Text (written as UTF-8) or bytes.

    Returns:
        The path.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    with _replacing(path) as file:
        file.write(data)
    return path


@contextmanager
def lines_written_whole(path: Path) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Write records as JSON lines, one at a time, into a file that is there, whole, once the block has ended well.

    After an exception or a kill the file holds the old content, or is not there.

    Args:
        path: Where to write; folders above it are made.

    Yields:
        The function that writes one record.
    """
    with _replacing(path) as file:

        def write(record: dict[str, Any]) -> None:
            file.write(encode_line(record))

        yield write


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of another when the block has ended well, and is removed else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644 if not path.exists() else path.stat().st_mode & 0o777)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def is_unfinished(name: str) -> bool:
    """Return whether a file's name is one that :func:`write_atomically` writes under, as a kill may leave it."""
    return name.startswith(".") and name.endswith(".tmp")


def encode_line(record: dict[str, Any]) -> bytes:
    """Return a record as one line of strict JSON; a number that is not finite becomes null."""
    try:
        text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(record), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", errors="backslashreplace") + b"\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def append_line(path: Path, record: dict[str, Any]) -> None:
    """Append a record as one JSON line, in one write; a kill loses at most this line."""
    line = encode_line(record)
    with path.open("ab", buffering=0) as file:
        written = file.write(line)
        while written < len(line):
            written += file.write(line[written:])


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the byte offset and the bytes of every whole line; a torn last line is left out."""
    if not path.exists():
        return
    offset = 0
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield offset, line
            offset += len(line)


def cut_torn_line(path: Path) -> int:
    """Cut a last line that a kill tore off before its end.

    Returns:
        The bytes cut, 0 when the file ended well.
    """
    if not path.exists():
        return 0
    whole = size = path.stat().st_size
    with path.open("r+b") as file:
        while whole > 0:
            start = max(0, whole - 65_536)
            file.seek(start)
            newline = file.read(whole - start).rfind(b"\n")
            if newline >= 0:
                whole = start + newline + 1
                break
            whole = start
        if whole < size:
            file.truncate(whole)
            os.fsync(file.fileno())
    return size - whole


def decode_line(path: Path, offset: int, line: bytes) -> dict[str, Any]:
    """Read one JSON line.

    Raises:
        RunError: The line is not a JSON object.
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise damaged(path, offset, str(error)) from error
    if not isinstance(record, dict):
        raise damaged(path, offset, "not a record")
    return record


def damaged(path: Path, offset: int, why: str) -> RunError:
    """Return the error that says where a file of records is damaged, and how to mend it."""
    fix = "delete that line; a resumed run does what it held again"
    return RunError(f"{path} is damaged at byte {offset} ({why}): {fix}")
