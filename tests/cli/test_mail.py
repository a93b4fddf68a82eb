from pathlib import Path
from typing import Any

import pytest

MBOX = b"".join(
    b"From dana@x.example Tue Mar  4 09:00:00 2025\n"
    b"Message-ID: <m%d@x.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\n"
    b"From: Dana Lind <dana@x.example>\nTo: tom@x.example\nSubject: Note %d\n\nHello %d\n\n" % (n, n, n)
    for n in range(3)
)


@pytest.fixture
def mbox(tmp_path: Path) -> Path:
    path = tmp_path / "dana.mbox"
    path.write_bytes(MBOX)
    return path


def test_import_counts_every_message_once(mailgym: Any, mbox: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = mailgym("mail", "import", mbox, "--store", store, "--owner", "dana@x.example")
    assert first.code == 0
    assert first.out.splitlines()[1] == "3 messages read: 3 added, 0 duplicates"
    assert first.out.splitlines()[2] == f"next: mailgym eval find --mailbox {store / 'dana.mailbox'}"
    again = mailgym("mail", "import", mbox, "--store", store, "--json")
    assert again.data["duplicates"] == again.data["messages"] == 3
    assert again.data["addresses"] == ["dana@x.example"]
    assert (store / "dana.mailbox").exists()


def test_a_name_of_its_own(mailgym: Any, mbox: Path, tmp_path: Path) -> None:
    result = mailgym("mail", "import", mbox, "--store", tmp_path / "s", "--name", "work", "--owner", "dana@x.example")
    assert result.code == 0
    assert (tmp_path / "s" / "work.mailbox").exists()


def test_messages_left_out_are_told(mailgym: Any, tmp_path: Path) -> None:
    path = tmp_path / "gap.mbox"
    path.write_bytes(MBOX + b"From x Tue Mar  4 09:00:00 2025\n\n")
    result = mailgym("mail", "import", path, "--store", tmp_path / "s", "--owner", "dana@x.example")
    assert "1 skipped: empty" in result.out


def test_a_dry_run_reads_and_writes_nothing(mailgym: Any, mbox: Path, tmp_path: Path) -> None:
    result = mailgym("mail", "import", mbox, "--store", tmp_path / "s", "--dry-run", "--owner", "dana@x.example")
    assert result.out.startswith(f"would write {tmp_path / 's' / 'dana.mailbox'}")
    assert "3 added" in result.out
    assert not (tmp_path / "s").exists()


def test_a_source_that_is_not_there(mailgym: Any) -> None:
    result = mailgym("mail", "import", "none.mbox")
    assert result.code == 2
    assert "none.mbox does not exist" in result.err
