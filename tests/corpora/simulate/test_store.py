from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from mailgym.core.errors import ConfigError
from mailgym.corpora.question import Question, read_questions
from mailgym.corpora.simulate import Size, StoreSummary, simulate_company, write_store
from mailgym.corpora.simulate.difficulty import SEARCHES, measure
from mailgym.mail.mailbox import Mailbox

SMALL = Size(
    people=12,
    days=100,
    mails_per_owner=100,
    owners={"train": 1, "validation": 1, "test": 1},
    questions={"train": 10, "validation": 5, "test": 5},
)


@dataclass(frozen=True)
class Written:
    store: Path
    summary: StoreSummary
    questions: list[Question]
    progress: list[tuple[str, int, int]]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """A store with some of the demo's mailboxes and the same density of mail."""
    store = tmp_path_factory.mktemp("simulated") / "store"
    size = Size(
        people=24,
        days=420,
        mails_per_owner=840,
        owners={"train": 2, "validation": 1, "test": 1},
        questions={"train": 241, "validation": 20, "test": 120},
    )
    progress: list[tuple[str, int, int]] = []
    summary = write_store(store, 11, size, lambda *at: progress.append(at))
    return Written(store, summary, read_questions(store), progress)


def of_split(written: Written, split: str) -> list[Question]:
    return [question for question in written.questions if question.split == split]


def test_store_holds_what_its_summary_says(written: Written) -> None:
    assert written.summary.questions == {"train": 241, "validation": 20, "test": 120}
    shares = Counter(question.mailbox for question in of_split(written, "train"))
    assert sorted(shares.values()) == [120, 121]
    assert Counter(question.split for question in written.questions) == written.summary.questions
    assert written.summary.searches == {"train": 0, "validation": 0, "test": 0}
    assert all(question.answer is None for question in written.questions)
    files = sorted(path.name for path in written.store.glob("*.mailbox"))
    assert files == sorted(written.summary.mails)
    assert Counter(name.split("-")[0] for name in files) == {"train": 2, "validation": 1, "test": 1}
    for name, count in written.summary.mails.items():
        assert 700 <= count <= 1_200
        with Mailbox.open(written.store / name) as mailbox:
            assert len(mailbox) == count
    assert [(done, total) for _, done, total in written.progress] == [(n, 4) for n in range(1, 5)]


def test_each_answer_is_in_the_mailbox_well_before_it_is_asked_for(written: Written) -> None:
    assert len({question.id for question in written.questions}) == len(written.questions)
    for question in written.questions:
        with Mailbox.open(written.store / question.mailbox, as_of=question.asked_on) as mailbox:
            assert question.owner in mailbox.owner_addresses
            assert question.owner_name == mailbox.owner_name
            for message_id in question.message_ids:
                sent = mailbox.read(message_id).date
                assert sent is not None
                assert 30 <= (question.asked_on - sent.date()).days <= 200


def test_questions_are_short_plain_and_varied(written: Written) -> None:
    for question in written.questions:
        assert question.text.isascii()
        assert 9 <= len(question.text.split()) <= 24
        assert set(question.facts) <= {"keywords", "from_addr", "to_addr", "sent_after", "sent_before"}
    for split, least in (("train", 20), ("test", 12), ("validation", 8)):
        questions = of_split(written, split)
        assert len({question.template for question in questions}) >= least
        assert {question.kind for question in questions} <= {"sent", "person", "superseded", "many", "single"}
    train = of_split(written, "train")
    assert 0.1 < sum("sent_after" not in question.facts for question in train) / len(train) < 0.45
    assert 0.1 < sum("from_addr" not in question.facts for question in train) / len(train) < 0.35
    assert len({question.kind for question in train}) == 5


def test_facts_say_no_more_than_the_question_and_who_asks(written: Written) -> None:
    for question in written.questions:
        said = f"{question.text} {question.owner_name}".lower()
        words = [*question.facts["keywords"], question.facts.get("from_addr", ""), question.facts.get("to_addr", "")]
        assert all(word in said for text in words for word in text.lower().split())


@pytest.mark.parametrize("split", ["train", "test"])
def test_difficulty_is_as_intended(written: Written, split: str) -> None:
    mean = measure(written.store, of_split(written, split))
    assert set(mean) == set(SEARCHES)
    assert 0.35 < mean["all words"] < 0.65
    assert 0.42 < mean["content words"] < 0.72
    assert mean["all words"] < mean["content words"]
    assert 0.12 < mean["capitalised words"] < 0.5
    assert mean["newest mail"] < 0.02
    assert mean["facts"] >= 0.95
    assert mean["content words + people"] > mean["content words"] + 0.08
    assert mean["content words + people + dates"] > mean["content words + people"] + 0.12


def test_no_train_answer_or_text_is_in_the_test_split(written: Written) -> None:
    train, test = of_split(written, "train"), of_split(written, "test")
    assert {q.text for q in train}.isdisjoint(q.text for q in test)
    assert {q.template for q in train}.isdisjoint(q.template for q in test)
    assert {q.message_ids for q in train}.isdisjoint(q.message_ids for q in test)


def test_simple_searches_read_the_question_alone(written: Written) -> None:
    text = "What did Ann Lee write about the Acme bill, in early May?"
    question = replace(written.questions[0], text=text, facts={"keywords": ["Acme"], "from_addr": "Ann Lee"})
    found = {name: search(question) for name, search in SEARCHES.items()}
    content = ["Ann", "Lee", "write", "Acme", "bill", "early", "May"]
    assert found["content words"] == {"keywords": content}
    assert found["capitalised words"] == {"keywords": ["Ann", "Lee", "Acme", "May"]}
    assert found["all words"]["keywords"][:4] == ["What", "did", "Ann", "Lee"]
    assert found["content words + people"] == {"keywords": content, "from_addr": "Ann Lee"}
    assert found["content words + people + dates"] == found["content words + people"]
    assert found["facts"] == question.facts


def test_a_question_without_a_capitalised_word_finds_nothing_by_them(written: Written) -> None:
    question = replace(written.questions[0], text="what was it again?")
    assert measure(written.store, [question])["capitalised words"] == 0


def test_same_seed_writes_the_same_questions_and_mail(tmp_path: Path) -> None:
    for name, seed in (("one", 5), ("two", 5), ("other", 6)):
        write_store(tmp_path / name, seed, SMALL)
    one, two, other = (read_questions(tmp_path / name) for name in ("one", "two", "other"))
    assert one == two
    assert one != other
    for question in one[:5]:
        with (
            Mailbox.open(tmp_path / "one" / question.mailbox) as first,
            Mailbox.open(tmp_path / "two" / question.mailbox) as second,
        ):
            assert first.read_raw(question.message_ids[0]) == second.read_raw(question.message_ids[0])


def test_a_store_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "something").write_text("mine")
    with pytest.raises(ConfigError, match="not empty"):
        write_store(tmp_path, 1, SMALL)
    assert (tmp_path / "something").read_text() == "mine"


def test_more_questions_than_there_are_is_an_error(tmp_path: Path) -> None:
    size = Size(SMALL.people, SMALL.days, SMALL.mails_per_owner, SMALL.owners, {**SMALL.questions, "train": 500})
    with pytest.raises(ConfigError, match="ask for fewer questions"):
        write_store(tmp_path / "store", 1, size)
    assert not list(tmp_path.iterdir()), "nothing half-written is left"


def test_the_smallest_free_size_can_be_written(tmp_path: Path) -> None:
    size = Size.of(people=10, days=90)
    assert write_store(tmp_path / "new" / "store", 3, size).questions == size.questions


def test_the_full_size_is_that_of_art_e() -> None:
    full = Size.full()
    assert (full.searches["train"], full.searches["validation"], full.searches["test"]) == (4_000, 500, 1_000)
    assert full.mails_per_owner + full.affair_mails_per_owner >= 5_400
    assert full.people - max(full.owners.values()) >= 8


def test_mail_about_affairs_grows_with_days_and_people_and_needs_people_without_mailbox() -> None:
    small, large = Size.of(20, 100), Size.of(40, 300)
    assert large.affair_mails_per_owner == 6 * small.affair_mails_per_owner
    assert large.searches["train"] >= 5 * small.searches["train"] > 0
    assert (Size.of(15, 100).affair_mails_per_owner, sum(Size.of(15, 100).searches.values())) == (0, 0)
    forty = Size.of(40, 180)
    mails = sum(forty.owners.values()) * (forty.mails_per_owner + forty.affair_mails_per_owner)
    assert mails > 20_000


@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_the_smallest_size_with_affairs_has_enough_questions(split: str) -> None:
    size = Size.of(people=16, days=90)
    count = size.owners[split]
    company = simulate_company(3, split, 16, count, 90, 20, size.affair_mails_per_owner)
    for inbox in company.inboxes:
        assert len(list(company.searches(inbox))) > 1.2 * size.searches[split] / count


def test_a_store_holds_questions_of_both_sorts(tmp_path: Path) -> None:
    size = replace(SMALL, people=16, affair_mails_per_owner=120, searches={"train": 6, "validation": 4, "test": 5})
    summary = write_store(tmp_path / "store", 3, size)
    assert (summary.questions, summary.searches) == (size.questions, size.searches)
    questions = read_questions(tmp_path / "store")
    assert Counter(question.answer is None for question in questions) == {True: 20, False: 15}
    assert len({question.id for question in questions}) == len(questions)


def test_sizes() -> None:
    demo = Size.demo()
    assert demo.questions["train"] >= 700
    assert (demo.questions["validation"], demo.questions["test"]) == (64, 240)
    assert (demo.owners["train"], demo.owners["test"]) == (4, 8)
    double = Size.of(people=30, days=840)
    assert (double.people, double.days) == (30, 840)
    assert double.mails_per_owner == 2 * demo.mails_per_owner
    assert double.questions["train"] == 2 * demo.questions["train"]


def test_a_file_in_the_stores_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("mine")
    with pytest.raises(ConfigError, match="is a file"):
        write_store(tmp_path / "store", 1, SMALL)


def test_the_folder_one_stands_in_can_be_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    write_store(Path(), 3, SMALL)
    assert (place / "questions.jsonl").exists()
