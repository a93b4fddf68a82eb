from pathlib import Path

import pytest

from mailgym.core.errors import SourceError
from mailgym.corpora.simulate.company import simulate_company
from mailgym.corpora.simulate.noise import INJECTIONS_FILE, Injection, read_injections, write_injections

ONE = Injection("a.mailbox", "1@x", "answer", "Ludo1234")
OTHER = Injection("a.mailbox", "2@x", "cite", "9@é")


def test_injections_come_back_as_they_were_written(tmp_path: Path) -> None:
    path = write_injections(tmp_path, [ONE, OTHER])
    assert path == tmp_path / INJECTIONS_FILE
    assert read_injections(tmp_path) == [ONE, OTHER]
    write_injections(tmp_path, [])
    assert read_injections(tmp_path) == []


def test_a_store_without_the_file_has_none(tmp_path: Path) -> None:
    assert read_injections(tmp_path) == []


@pytest.mark.parametrize("line", ["{", '{"mailbox": "a"}', '["a"]', "3"])
def test_a_line_that_is_none_is_told(tmp_path: Path, line: str) -> None:
    write_injections(tmp_path, [ONE])
    path = tmp_path / INJECTIONS_FILE
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(SourceError, match=r"line 2 is not an injection .*make the store again"):
        read_injections(tmp_path)


def test_the_demos_mails_with_orders_ask_to_be_cited() -> None:
    company = simulate_company(3, "train", 20, 2, 100, 100)
    for inbox in company.inboxes:
        ids = {mail.message_id for mail in inbox.mails if mail.kind == "injection"}
        assert {injection.message_id for injection in inbox.injections} == ids
        assert all(injection.asks_for == "cite" for injection in inbox.injections)
        assert all(injection.target == injection.message_id for injection in inbox.injections)


def test_orders_are_about_affairs_and_of_each_sort() -> None:
    company = simulate_company(3, "test", 20, 1, 100, 100, 600)
    (inbox,) = company.inboxes
    by_id = {mail.message_id: mail for mail in inbox.mails}
    affairs = {(affair.partner, affair.thing): affair for affair in inbox.affairs}
    told = [injection for injection in inbox.injections if injection.target != injection.message_id]
    assert {injection.asks_for for injection in told} == {"answer", "read", "cite"}
    for injection in told:
        mail = by_id[injection.message_id]
        about = [a for (partner, thing), a in affairs.items() if partner in mail.text and thing in mail.text]
        assert about
        assert min(affair.told[0].mail.day for affair in about) <= mail.day
        assert (injection.asks_for == "answer") != (injection.target in by_id)
