from datetime import date
from pathlib import Path

import pytest

from mailgym.core.errors import RunError
from mailgym.corpora.questions.item import Item
from mailgym.corpora.questions.journal import Journal, kept_records, writing_questions
from mailgym.corpora.questions.meter import Usage
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.write import Made

MADE = Made((Item("When?", "Friday", ("a@x",), 0.9, date(2024, 2, 3)),), 2, "item 3: no")


def journal(store: Path, options: Options | None = None, model: str = "openai:m") -> Journal:
    return Journal(store, model, options or Options())


def begun(store: Path) -> Journal:
    found = journal(store)
    found.check(resume=False)
    found.begin()
    return found


def test_what_was_kept_is_there_for_the_next_run(tmp_path: Path) -> None:
    first = begun(tmp_path)
    first.keep("k1", "maya.mailbox", MADE)
    first.keep_usage(Usage(calls=3, prompt_tokens=10, cost_usd=0.5, priced=3))
    first.keep_usage(Usage(calls=1, prompt_tokens=5))
    second = journal(tmp_path)
    second.check(resume=True)
    second.begin()
    assert second.made == first.made == {"k1": MADE}
    assert second.usage == first.usage
    assert (second.usage.calls, second.usage.priced, second.usage.to_json()["cost_usd"]) == (4, 3, None)


def test_another_model_or_other_options_are_another_work(tmp_path: Path) -> None:
    begun(tmp_path).keep("k1", "maya.mailbox", MADE)
    for other in (journal(tmp_path, Options(seed=1)), journal(tmp_path, model="local")):
        assert other.made == {}
        other.check(resume=False)


def test_work_that_lies_there_is_not_done_again_unasked(tmp_path: Path) -> None:
    begun(tmp_path).keep("k1", "maya.mailbox", MADE)
    with pytest.raises(RunError, match=r"1 batches .* --resume"):
        journal(tmp_path).check(resume=False)


def test_there_must_be_something_to_resume(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="leave out --resume"):
        journal(tmp_path).check(resume=True)
    begun(tmp_path)
    journal(tmp_path).check(resume=True)
    journal(tmp_path).check(resume=False)


def test_a_line_torn_by_a_kill_is_cut(tmp_path: Path) -> None:
    first = begun(tmp_path)
    first.keep("k1", "maya.mailbox", MADE)
    whole = first.path.read_bytes()
    first.keep("k2", "maya.mailbox", MADE)
    for length in (len(whole) + 1, len(whole) + 40):
        first.path.write_bytes(first.path.read_bytes()[:length])
        again = journal(tmp_path)
        assert set(again.made) == {"k1"}
        again.begin()
        assert first.path.read_bytes() == whole
        again.keep("k2", "maya.mailbox", MADE)


def test_a_damaged_line_is_an_error_that_says_where(tmp_path: Path) -> None:
    path = begun(tmp_path).path
    for bad in (b"{oops\n", b'{"kind": "batch", "key": "k"}\n', b'{"kind": "usage", "cost_usd": 1, "x": 2}\n'):
        path.write_bytes(bad)
        with pytest.raises(RunError, match="damaged at byte 0"):
            journal(tmp_path)


def test_one_process_alone_writes_questions(tmp_path: Path) -> None:
    with (
        writing_questions(tmp_path),
        pytest.raises(RunError, match="are being written"),
        writing_questions(tmp_path),
    ):
        pass
    with writing_questions(tmp_path):
        pass


def test_all_records_of_a_store_can_be_read(tmp_path: Path) -> None:
    assert list(kept_records(tmp_path)) == []
    begun(tmp_path).keep("k1", "maya.mailbox", MADE)
    assert [record["kind"] for record in kept_records(tmp_path)] == ["about", "batch"]
