from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from tests.corpora.questions.shop import FIRST_DAY, offer, raw, write_box

from mailgym.core.errors import SourceError, UserError
from mailgym.corpora.question import Question, write_questions
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.survey import assign_splits, existing_questions, survey
from mailgym.mail.store import MailboxWriter

QUESTION = Question(
    id="q",
    split="validation",
    mailbox="box-3",
    owner="maya@ember.example",
    owner_name="Maya",
    asked_on=date(2024, 2, 3),
    text="Which?",
    message_ids=("a@x",),
    answer=None,
    kind="who",
    template="t",
    facts={},
)
BOXES = [f"box-{number}" for number in range(10)]


def test_by_mailbox_no_mailbox_is_in_two_splits_and_each_split_gets_its_share() -> None:
    splits = assign_splits(BOXES, [], Options())
    counts = [list(splits.values()).count(split) for split in ("train", "validation", "test")]
    assert counts == [7, 1, 2]
    assert splits == assign_splits(reversed(BOXES), [], Options()), "their order decides nothing"
    assert splits != assign_splits(BOXES, [], Options(seed=1))


@pytest.mark.parametrize(
    ("count", "expected"),
    [(1, {"test"}), (2, {"test", "train"}), (3, {"test", "validation", "train"})],
)
def test_few_mailboxes_are_for_testing_first(count: int, expected: set[str]) -> None:
    assert set(assign_splits(BOXES[:count], [], Options()).values()) == expected


def test_a_mailbox_keeps_the_split_that_its_questions_have() -> None:
    several = [QUESTION, replace(QUESTION, mailbox="box-4"), replace(QUESTION, mailbox="box-4", split="train")]
    splits = assign_splits(BOXES, several, Options())
    assert splits["box-3"] == "validation"
    assert sorted(set(splits.values())) == ["test", "train", "validation"]


@pytest.mark.parametrize("known", [BOXES[:3], BOXES[4:], BOXES])
def test_mailboxes_are_shared_out_alike_when_some_have_questions_by_now(known: list[str]) -> None:
    first = assign_splits(BOXES, [], Options())
    made = [replace(QUESTION, mailbox=name, split=first[name]) for name in known]
    assert assign_splits(BOXES, made, Options()) == first


def test_one_split_for_all_is_as_asked() -> None:
    assert set(assign_splits(BOXES, [QUESTION], Options(split="train")).values()) == {"train"}


def test_a_survey_mixes_the_batches_of_all_mailboxes(tmp_path: Path) -> None:
    for name in ("maya", "tom"):
        write_box(tmp_path, name, 60)
    looked: list[tuple[int, int]] = []
    with survey(tmp_path, Options(batch=6), lambda *seen: looked.append(seen)) as found:
        assert looked == [(1, 2), (2, 2)]
        assert (len(found.batches), found.mails, found.left_out) == (20, 120, {})
        assert len({batch.mailbox for batch in found.batches[:8]}) == 2
        other = survey(tmp_path, Options(batch=6))
    with other:
        assert other.batches == found.batches


def test_mailboxes_without_an_owner_are_left_out_and_named(tmp_path: Path) -> None:
    write_box(tmp_path)
    with MailboxWriter(tmp_path / "lost.mailbox", "lost", []) as writer:
        writer.add(offer(1, 1))
    with survey(tmp_path, Options()) as found:
        assert found.without_owner == ["lost.mailbox"]
        assert set(found.mailboxes) == {"maya.mailbox"}
    (tmp_path / "maya.mailbox").unlink()
    with pytest.raises(UserError, match="--owner"):
        survey(tmp_path, Options())


def test_reasons_for_leaving_mail_out_are_added_up(tmp_path: Path) -> None:
    for name in ("maya", "tom"):
        write_box(tmp_path, name, 3, raw("undated", None, "Hi", "Hello, hello, hello, hello, hello, hello!"))
    with survey(tmp_path, Options()) as found:
        assert found.left_out == {"no date": 2}


def test_a_store_that_is_none_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="mailgym mail import"):
        survey(tmp_path / "none", Options())
    with pytest.raises(UserError, match="holds no mailbox"):
        survey(tmp_path, Options())
    write_box(tmp_path, "maya", 0, raw("short", FIRST_DAY, "Hi", "Hi!"))
    with pytest.raises(SourceError, match="import more mail"):
        survey(tmp_path, Options())


def test_a_store_without_questions_has_none(tmp_path: Path) -> None:
    assert existing_questions(tmp_path) == []
    write_questions(tmp_path, [QUESTION])
    assert existing_questions(tmp_path) == [QUESTION]
