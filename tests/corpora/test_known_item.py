import re
from datetime import date, datetime, timedelta
from random import Random

import pytest

from mailgym.core.errors import SourceError
from mailgym.corpora.known_item import known_item_questions
from mailgym.corpora.known_item.build import find_candidates
from mailgym.corpora.known_item.describe import (
    Who,
    clean_words,
    ordinal,
    remembered_person,
    remembered_time,
    remembered_words,
)
from mailgym.corpora.known_item.templates import TEMPLATES
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Address
from mailgym.mail.parse import parse_message
from mailgym.mail.store import MailboxWriter

SYLLABLES = [a + b for a in "bdfgklmnprstv" for b in "aeiou"]
PEOPLE = ["Dana Whitfield", "Dana Moss", "Omar Reyes", "Lena Fisk", "Tom Okafor", "Priya Nand"]
OWNER = "Bob Ray <bob.ray@x.example>"


def make_mailbox(path, count: int):
    rng = Random(3)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 3))) for _ in range(500)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    with MailboxWriter(path, "bob", ["bob.ray@x.example"], "Bob Ray") as box:
        for number in range(count):
            name = rng.choice(PEOPLE)
            other = f"{name} <{name.lower().replace(' ', '.')}@x.example>"
            from_, to = (OWNER, other) if rng.random() < 0.4 else (other, OWNER)
            day = datetime(2000, 3, 1) + timedelta(hours=14 * number)
            if number == 5:
                day = datetime(1980, 1, 1)
            thread = rng.randrange(count // 2)
            text = " ".join(rng.choices(words, weights, k=rng.randint(8, 40)))
            box.add(
                f"Message-ID: <{number}@x>\nFrom: {from_}\nTo: {to}\nDate: {day:%d %b %Y %H:%M:%S} +0000\n"
                f"Subject: Re: matter {words[thread % 500]} {thread}\n\n{text}\nSee http://x.example/{number}\n".encode()
            )
    return path


@pytest.fixture(scope="module")
def mailbox(tmp_path_factory):
    with Mailbox.open(make_mailbox(tmp_path_factory.mktemp("store") / "bob.mailbox", 900)) as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def questions(mailbox):
    return known_item_questions(mailbox, 120, 20, 60, seed=1)


def split(questions, name):
    return [question for question in questions if question.split == name]


def test_there_are_as_many_as_asked_for(questions):
    assert [len(split(questions, name)) for name in ("train", "validation", "test")] == [120, 20, 60]
    assert len({question.id for question in questions}) == len(questions)
    assert len({question.text for question in split(questions, "train")}) == 120
    assert {question.kind for question in questions} == {"who", "when", "who_when", "words"}
    assert {question.owner for question in questions} == {"bob.ray@x.example"}
    assert {question.mailbox for question in questions} == {"bob.mailbox"}


def test_an_id_tells_nothing_of_the_key(questions):
    for question in questions:
        assert re.fullmatch(rf"bob-{question.split}-[0-9a-f]{{16}}", question.id)


def test_the_same_seed_gives_the_same_questions(mailbox, questions):
    assert known_item_questions(mailbox, 120, 20, 60, seed=1) == questions
    assert known_item_questions(mailbox, 120, 20, 60, seed=2) != questions


def test_questions_are_clean_sentences(questions):
    for question in questions:
        assert re.fullmatch(r"[A-Z][\w ,;.?]*[.?]", question.text), question.text
        assert "{" not in question.text
        assert not re.search(r"http|example|  ", question.text)


def test_the_true_facts_find_the_mail_first(mailbox, questions):
    for question in questions:
        facts = question.facts
        assert set(facts) <= {"keywords", "from_addr", "to_addr", "sent_after", "sent_before"}
        hits = mailbox.at(question.asked_on).search(
            facts["keywords"],
            from_=facts.get("from_addr"),
            to=facts.get("to_addr"),
            after=facts.get("sent_after"),
            before=facts.get("sent_before"),
        )
        assert hits[0].message_id == question.message_ids[0]


def test_facts_are_in_the_question_and_in_the_mail(mailbox, questions):
    for question in questions:
        message = mailbox.read(question.message_ids[0])
        for word in question.facts["keywords"]:
            assert word in question.text
            assert word in f"{message.subject} {message.new_text}"
        for who, person in (("from_addr", message.from_), ("to_addr", message.to[0])):
            if who in question.facts:
                assert question.facts[who] in question.text
                assert question.facts[who] in person.name


def test_a_share_of_the_words_is_misremembered(questions):
    told = sum(len(re.split(r", | and ", question.text)) for question in questions)
    true = sum(len(question.facts["keywords"]) for question in questions)
    assert 0.6 * told < true < told
    assert all(question.facts["keywords"] for question in questions)


def test_the_newest_mail_is_never_the_answer(mailbox, questions):
    for question in questions:
        message = mailbox.read(question.message_ids[0])
        then = mailbox.at(question.asked_on)
        assert question.asked_on - message.date.date() >= timedelta(days=30)
        later = [m for m in then.search(after=message.date, limit=1000) if m.message_id != message.message_id]
        assert len(later) >= 200


def test_splits_share_no_thread_no_template_and_keep_to_time(mailbox, questions):
    threads, templates, days = {}, {}, {}
    for question in questions:
        message = mailbox.read(question.message_ids[0])
        threads.setdefault(question.split, set()).add(message.subject.casefold())
        templates.setdefault(question.split, set()).add(question.template)
        days.setdefault(question.split, []).append(message.date)
    for one, other in (("train", "test"), ("train", "validation"), ("validation", "test")):
        assert not threads[one] & threads[other]
        assert not templates[one] & templates[other]
        assert max(days[one]) < min(days[other])
    sentences = [template for group in TEMPLATES.values() for template in group]
    assert len(sentences) == len(set(sentences)) >= 12


def test_wrong_clocks_and_the_newest_messages_are_left_out(mailbox):
    candidates = [candidate.message.message_id for candidate in find_candidates(list(mailbox))]
    assert len(candidates) > 600
    assert "5@x" not in candidates
    assert not {f"{number}@x" for number in range(700, 900)} & set(candidates)


def test_filters_are_worth_using(mailbox, questions):
    first = 0
    for question in questions:
        hits = mailbox.at(question.asked_on).search(question.text, limit=1)
        first += bool(hits) and hits[0].message_id == question.message_ids[0]
    assert first / len(questions) < 0.6


def test_a_small_mailbox_is_refused_and_says_why(tmp_path):
    with (
        Mailbox.open(make_mailbox(tmp_path / "small.mailbox", 150)) as small,
        pytest.raises(SourceError, match="150 messages, which give 0 training and 0 test questions"),
    ):
        known_item_questions(small, 100, 10, 50, seed=0)
    with MailboxWriter(tmp_path / "empty.mailbox", "empty", ["a@x"]):
        pass
    with Mailbox.open(tmp_path / "empty.mailbox") as empty, pytest.raises(SourceError, match="0 messages"):
        known_item_questions(empty, 1, 1, 1, seed=0)


def test_clean_words():
    text = "The storage, (Budget) at http://x.example is d@x.example 2nd e-mail HOU/ECT hmm xxx May"
    assert clean_words(text) == ["storage", "budget"]


@pytest.mark.parametrize(
    ("person", "expected"),
    [
        (Address("Phillip K Allen", "p@x"), Who("Phillip Allen", "Phillip")),
        (Address("", "naomi.johnston@x"), Who("Naomi Johnston", "Naomi")),
        (Address("the news team", "n@x"), None),
        (Address("ACME", "n@x"), None),
        (Address("R2 D2", "n@x"), None),
        (Address("", "k..allen@x"), None),
    ],
)
def test_people(person, expected):
    assert remembered_person(person) == expected


@pytest.mark.parametrize(
    "day", [date(2001, 1, 31), date(2000, 2, 29), date(2001, 12, 1), date(2001, 5, 15), date(2001, 11, 20)]
)
def test_times_hold_the_day_and_read_well(day):
    forms = set()
    for seed in range(60):
        when = remembered_time(day, Random(seed))
        assert when.after <= day < when.before
        forms.add((when.text.split()[0], len(when.text.split()), (when.before - when.after).days))
        assert re.fullmatch(r"(in|around) [\w ]+ \d{4}", when.text)
    assert len(forms) >= 4


def test_winter_spans_two_years():
    texts = {remembered_time(date(2001, 1, 31), Random(seed)) for seed in range(60)}
    winter = next(when for when in texts if "winter" in when.text)
    assert winter.text == "in the winter of 2000 to 2001"
    assert (winter.after, winter.before) == (date(2000, 12, 1), date(2001, 3, 1))


def test_ordinals():
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "31st"
    ]  # fmt: skip


def test_words_leave_out_the_people_and_too_few_words():
    message = parse_message(
        b"From: Dana Whitfield <dana@x>\nSubject: storage budget\n\ndana asks gas pipes plan\n> old\n"
    )
    counts = dict.fromkeys(["storage", "budget", "dana", "asks", "gas", "pipes", "plan", "old"], 9)
    seen = set()
    for seed in range(50):
        what = remembered_words(message, counts, ["noise"], (3,), Random(seed))
        assert set(what.true) <= set(what.told) | set(what.true)
        assert what.true
        seen |= set(what.told)
    assert seen == {"storage", "budget", "asks", "gas", "pipes", "plan", "noise"}
    assert remembered_words(message, {"storage": 9}, ["noise"], (3,), Random(0)) is None
