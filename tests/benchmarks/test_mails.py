import lzma
from pathlib import Path

import pytest
from contestants.mails import percentile, plain_mboxes, read_mails, spread, verdict, where_it_ran, write_mbox

MAILS = [
    b"Subject: one\n\nFirst line.\n\nFrom here on it gets better.\n",
    b"Subject: two\n\n>From the files\n\n",
    b"Subject: three\r\n\r\nWith other line ends.\r\n",
]


def test_an_mbox_gives_back_what_was_written(tmp_path: Path) -> None:
    mbox = tmp_path / "a.mbox"
    assert write_mbox(mbox, MAILS) == 3
    back = list(read_mails(mbox))
    assert [mail.rstrip(b"\r\n") for mail in back] == [mail.rstrip(b"\r\n") for mail in MAILS]


def test_only_a_from_line_with_a_year_after_an_empty_line_begins_a_mail(tmp_path: Path) -> None:
    mbox = tmp_path / "a.mbox"
    mbox.write_bytes(
        b"From a/inbox Mon Jan  1 10:00:00 2001\nSubject: a\n\ntext\nFrom b Mon Jan  1 10:00:00 2001\n\nFrom me\n\n"
        b"From a/sent Mon Jan  2 10:00:00 2001\nSubject: b\n\ntext\n"
    )
    assert [mail[:10] for mail in read_mails(mbox)] == [b"Subject: a", b"Subject: b"]


def test_compressed_mboxes_are_written_out_once(tmp_path: Path) -> None:
    folder, scratch = tmp_path / "given", tmp_path / "plain"
    write_mbox(folder / "a.mbox", MAILS)
    (folder / "b.mbox.xz").write_bytes(lzma.compress((folder / "a.mbox").read_bytes()))
    for _ in range(2):
        paths = plain_mboxes(folder, scratch)
        assert paths == [folder / "a.mbox", scratch / "b.mbox"]
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_folder_without_mboxes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"holds no \.mbox"):
        plain_mboxes(tmp_path, tmp_path)


@pytest.mark.parametrize(("percent", "expected"), [(50, 5), (90, 9), (95, 10), (99, 10), (100, 10)])
def test_a_percentile_is_the_nearest_rank(percent: float, expected: float) -> None:
    assert percentile([10, 1, 9, 2, 8, 3, 7, 4, 6, 5], percent) == expected


def test_figures_are_told_with_their_spread() -> None:
    assert spread([3.0, 1.0, 8.0], 1) == "3.0 (1.0 to 8.0)"
    assert (verdict(True), verdict(False)) == ("met", "MISSED")


def test_the_head_names_machine_date_and_command() -> None:
    head = where_it_ran()
    assert all(word in head for word in ("command: python", "cores", "SQLite", "date: 2"))
