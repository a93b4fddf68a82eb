import re
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import pytest

from mailgym.core.errors import UserError
from mailgym.envs.reply.asides import with_asides
from mailgym.envs.reply.fill import cases_of, fill, read_templates
from mailgym.envs.reply.rubric.hardened import told_of
from mailgym.envs.reply.schema import CATEGORIES, TONES, URGENCIES
from mailgym.envs.reply.tasks import LEVELS, SETS, load_tasks, pairs_of, secrets
from mailgym.envs.reply.words import words_of

GENERATED = ("train", "validation", "test")
BLANK = re.compile(r"\{\w*\}")


def texts_of(split):
    return {text for template in read_templates(split) for case in cases_of(template) for text in case["texts"]}


def test_there_are_enough_tasks_of_every_set_and_level():
    least = {"test": 200, "validation": 100, "train": 400, "bank": 25}
    assert all(len(pairs_of(split)) >= least[split] for split in SETS)
    assert Counter(task.level for task, _ in pairs_of("bank")) == {"easy": 10, "medium": 8, "hard": 7}
    for split, level in product(GENERATED, LEVELS):
        assert len(pairs_of(f"{split}-{level}")) >= 20
    assert sum(len(pairs_of(f"test-{level}")) for level in LEVELS) == len(pairs_of("test"))


@pytest.mark.parametrize(("one", "other"), list(combinations(SETS, 2)))
def test_no_two_sets_share_a_template_a_text_or_a_word_that_fills_it(one, other):
    assert not {key.template for _, key in pairs_of(one)} & {key.template for _, key in pairs_of(other)}
    assert not texts_of(one) & texts_of(other)
    assert not {task.text for task, _ in pairs_of(one)} & {task.text for task, _ in pairs_of(other)}
    mine, theirs = words_of(one), words_of(other)
    for name in ("owners", "first_names", "last_names", "companies", "cities", "providers"):
        assert not set(mine[name]) & set(theirs[name])


def test_the_same_tasks_come_every_time():
    assert tuple(fill("validation")) == tuple(fill("validation"))


@pytest.mark.parametrize("split", SETS)
def test_every_blank_is_filled_and_every_label_exists(split):
    for task, key in pairs_of(split):
        shown = (task.subject, task.text, task.briefing, task.sender_name, task.sender_address, task.owner_name)
        said = (key.good_reply, key.good_reason, *(form for forms in key.wanted.keywords for form in forms))
        asked = (form for ask in key.wanted.asks for form in ask.accepted)
        assert not [text for text in (*shown, *said, *asked) if BLANK.search(text)]
        assert key.labels.urgency in URGENCIES
        assert key.labels.category in CATEGORIES
        assert "@" in task.sender_address
        assert len(key.good_reason.split()) >= 5
        if key.labels.requires_reply:
            assert key.wanted.tone in TONES
            assert 1 <= len(key.wanted.asks) <= 3 or split == "bank"
            assert 30 <= len(key.good_reply.split()) <= 80
        else:
            assert (key.good_reply, key.wanted.asks, key.wanted.tone) == ("", (), "")
        assert key.labels.category != "spam" or not key.labels.requires_reply


@pytest.mark.parametrize("split", SETS)
def test_no_good_reply_tells_what_is_private(split):
    assert [key.task_id for _, key in pairs_of(split) if told_of(key.good_reply, key.private)] == []


def test_whether_a_reply_is_due_does_not_follow_from_the_notes_or_their_asides():
    shares = Counter()
    for _, key in pairs_of("test"):
        shares[key.labels.requires_reply, bool(key.private)] += 1
    with_, without = (shares[needed, True] / (shares[needed, True] + shares[needed, False]) for needed in (True, False))
    assert abs(with_ - without) < 0.1
    assert all(task.briefing for task, _ in pairs_of("test"))


def test_no_triple_of_labels_is_most_of_a_set():
    for split in GENERATED:
        counted = Counter(key.labels for _, key in pairs_of(split))
        assert max(counted.values()) / sum(counted.values()) < 0.3
        assert len(counted) >= 11


def test_a_word_gives_no_label_away():
    """Words that sound like a label stand in mails of other labels as well."""
    mails = [(f"{task.subject} {task.text}".lower(), key.labels) for task, key in pairs_of("test")]
    for word, field, label in (
        ("urgent", "urgency", "high"),
        ("today", "urgency", "high"),
        ("no hurry", "urgency", "medium"),
        ("dinner", "category", "social"),
        ("account", "category", "spam"),
        ("meeting", "category", "work"),
        ("?", "requires_reply", True),
    ):
        found = [getattr(labels, field) for text, labels in mails if word in text]
        assert found, word
        assert any(value != label for value in found), word


def test_n_tasks_are_chosen_by_seed_and_bad_numbers_refused():
    some = load_tasks(Path("own"), "test", 10, 1)
    assert len(some) == 10
    assert some.task_ids != load_tasks(Path("own"), "test", 10, 2).task_ids
    assert some.task_ids == load_tasks(Path("elsewhere"), "test", 10, 1).task_ids
    with pytest.raises(UserError, match="at least 1"):
        load_tasks(Path("own"), "test", 0)


def test_secrets_are_texts_of_the_key_alone():
    for task, key in pairs_of("bank"):
        shown = f"{task.id} {task.subject} {task.text} {task.briefing}"
        assert all(secret and secret not in shown for secret in secrets(key))


def test_the_conflict_of_the_document_is_in_the_bank():
    task, key = next((t, k) for t, k in pairs_of("bank-hard") if k.template == "bank-megha-conflict")
    assert task.sender_name.startswith("Megha")
    assert key.labels.requires_reply


def test_asides_stand_between_whole_sentences():
    import random

    notes, private = with_asides("One. Two.", "train", {"sender_first": "Owen"}, random.Random(3))
    assert len(private) == 1
    assert {"One.", "Two."} < set(re.split(r"(?<=[.!?])\s+", notes))
    assert with_asides("One.", "bank", {}, random.Random(3)) == ("One.", ())
