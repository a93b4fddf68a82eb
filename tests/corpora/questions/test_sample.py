from datetime import timedelta
from pathlib import Path

from tests.corpora.questions.shop import FIRST_DAY, raw, write_box

from mailgym.corpora.questions.sample import Sample, choose_batches, shown_text
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.store import MailboxWriter


def sample(path: Path, mails_per_box: int = 1000, batch: int = 20, seed: int = 0) -> Sample:
    with Mailbox.open(path) as mailbox:
        return choose_batches(mailbox, mails_per_box, batch, seed)


def numbers(chosen: Sample) -> list[list[int]]:
    """Return the offers of each batch by their numbers."""
    return [[int(one.split("@")[0].removeprefix("offer-")) for one in batch.message_ids] for batch in chosen.batches]


def test_a_small_mailbox_is_shown_whole_in_batches_by_date(tmp_path: Path) -> None:
    chosen = sample(write_box(tmp_path, "maya", 45))
    assert [number for batch in numbers(chosen) for number in batch] == list(range(45))
    assert [len(batch.message_ids) for batch in chosen.batches] == [15, 15, 15]
    assert (chosen.mails, chosen.usable, chosen.left_out) == (45, 45, {})


def test_of_a_large_mailbox_every_stretch_of_time_gives_one_run_of_neighbours(tmp_path: Path) -> None:
    chosen = sample(write_box(tmp_path, "maya", 60), mails_per_box=15, batch=5)
    assert [len(batch) for batch in numbers(chosen)] == [5, 5, 5]
    for number, batch in enumerate(numbers(chosen)):
        assert batch == list(range(batch[0], batch[0] + 5))
        assert 20 * number <= batch[0] <= 20 * number + 15


def test_the_seed_decides_the_mails_and_nothing_else_does(tmp_path: Path) -> None:
    path = write_box(tmp_path)
    one, same, other = (sample(path, 15, 5, seed) for seed in (1, 1, 2))
    assert one == same
    assert numbers(one) != numbers(other)


def test_a_batch_is_told_by_its_mailbox_and_mails(tmp_path: Path) -> None:
    maya, tom = sample(write_box(tmp_path, "maya", 40)), sample(write_box(tmp_path, "tom", 40))
    assert maya.batches[0].message_ids == tom.batches[0].message_ids
    assert len({batch.key for batch in (*maya.batches, *tom.batches)}) == 4


def test_mails_that_nobody_can_ask_about_are_left_out_and_counted(tmp_path: Path) -> None:
    text = "The meeting about the new harbour is on Friday at ten in the red room."
    more = [
        raw("undated", None, "Harbour", text),
        raw("short", FIRST_DAY, "Thanks", "Thank you!"),
        raw("future", FIRST_DAY + timedelta(days=20_000), "Harbour", f"{text} Later."),
        raw("copy-1", FIRST_DAY, "Harbour", text),
        raw("copy-2", FIRST_DAY + timedelta(days=1), "Harbour", text),
    ]
    path = write_box(tmp_path, "maya", 30, *more)
    with MailboxWriter(path, "maya", []) as writer:
        writer.add(raw("spam", FIRST_DAY, "Win", f"{text} Win!"), "inbox", ["spam"])
    chosen = sample(path)
    assert chosen.left_out == {
        "no date": 1,
        "next to no text": 1,
        "wrong clock": 1,
        "repeats an older mail": 1,
        "spam or draft": 1,
    }
    assert chosen.usable == 31


def test_a_mailbox_without_usable_mail_gives_no_batch(tmp_path: Path) -> None:
    assert sample(write_box(tmp_path, "maya", 0, raw("short", FIRST_DAY, "Hi", "Hi!"))).batches == ()


def test_quotes_are_shown_only_where_the_author_wrote_little(tmp_path: Path) -> None:
    quoted = "> The kiln costs 400 euro.\n> It is yours until Friday."
    little = raw("little", FIRST_DAY, "Re: Kiln", f"See below, please.\n\n{quoted}")
    much = raw("much", FIRST_DAY, "Re: Kiln", f"{'I have thought about this for long. ' * 8}\n\n{quoted}")
    with Mailbox.open(write_box(tmp_path, "maya", 0, little, much)) as mailbox:
        assert "400 euro" in shown_text(mailbox.read("little@x"))
        assert "400 euro" not in shown_text(mailbox.read("much@x"))
        assert shown_text(mailbox.read("much@x")).startswith("I have thought")
