"""Generated episodes: enough of them, nothing shared between splits, and nothing to be read off without reading."""

import itertools
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from statistics import mean

import pytest

from mailgym.agents.null import NullAgent
from mailgym.agents.random import RandomAgent
from mailgym.core.errors import UserError
from mailgym.core.protocols import Agent
from mailgym.envs.inbox import INBOX, make_inbox
from mailgym.envs.inbox.generate import EPISODES_OF_LEVEL, generate
from mailgym.envs.inbox.letters import Book, read_book, read_states
from mailgym.envs.inbox.players.words import BagOfWords, learn
from mailgym.envs.inbox.rubric import Decided, HardenedRubric, InboxFacts
from mailgym.envs.inbox.schema import CATEGORIES, DEPARTMENTS, FIELDS_OF_LEVEL, MAIL_ACTIONS, PRIORITIES
from mailgym.envs.inbox.tasks import MAILS_OF_LEVEL, InboxKey, load_tasks
from mailgym.rollout.engine import EpisodeRequest, play_episodes

OWN = Path("own")
SPLITS = ("train", "validation", "test")
LABELS = {*CATEGORIES, *PRIORITIES, *DEPARTMENTS, *MAIL_ACTIONS}
WORDS = re.compile(r"[a-z']+")


@lru_cache(maxsize=16)
def reward(name: str, profile: str) -> float:
    tasks = load_tasks(OWN, "test", n=48, seed=1)
    players = INBOX.players(tasks)
    agents: dict[str, Agent] = {
        "null": NullAgent(INBOX.null_action),
        "random": RandomAgent(INBOX.tools(12)),
        "only_records": BagOfWords(learn(generate("train"), reads_mail=False), reads_mail=False),
    }
    agent = agents.get(name) or players[name]()
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    played = play_episodes(lambda: make_inbox(tasks, profile), agent, requests, 0, "inbox")
    assert all(trajectory.failure is None for trajectory in played)
    return mean(trajectory.reward for trajectory in played if trajectory.reward is not None)


def phrases(book: Book) -> set[tuple[str, ...]]:
    texts = [t["text"] for t in book.templates] + [s for t in book.templates for s in t["subjects"]]
    texts += [*book.outside_asides, *book.inside_asides, *book.quotes, *book.references]
    words = [WORDS.findall(re.sub(r"\{\w+\}", "slot", text).lower()) for text in texts]
    return {tuple(found[place : place + 6]) for found in words for place in range(len(found) - 5)}


def test_there_are_enough_episodes_and_they_are_always_the_same() -> None:
    assert {split: sum(counts.values()) for split, counts in EPISODES_OF_LEVEL.items()} == {
        "train": 480,
        "validation": 120,
        "test": 240,
    }
    for split in SPLITS:
        pairs = generate(split)
        assert len(pairs) == sum(EPISODES_OF_LEVEL[split].values())
        assert all(len(task.mails) == MAILS_OF_LEVEL[task.level] == len(key.right) for task, key in pairs)
    again = generate.__wrapped__("validation")
    assert again == generate("validation")
    assert load_tasks(OWN, "test", 5, 1).tasks != load_tasks(OWN, "test", 5, 2).tasks
    with pytest.raises(UserError, match="bank-alone"):
        load_tasks(OWN, "exam")


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(SPLITS, 2)))
def test_splits_share_no_template_name_product_or_phrase(one: str, other: str) -> None:
    a, b = read_book(one), read_book(other)
    for pool in ("companies", "products", "people", "firms", "colleagues"):
        assert not set(getattr(a, pool)) & set(getattr(b, pool))
    assert not {t["id"] for t in a.templates} & {t["id"] for t in b.templates}
    assert not {t["text"] for t in a.templates} & {t["text"] for t in b.templates}
    assert not phrases(a) & phrases(b)
    templates = [{source.split("/")[0] for _, key in generate(split) for source in key.sources} for split in SPLITS]
    assert not templates[SPLITS.index(one)] & templates[SPLITS.index(other)]


@pytest.mark.parametrize("split", SPLITS)
def test_at_least_two_fifths_of_hard_mails_hang_on_the_back_office(split: str) -> None:
    hard = [right for task, key in generate(split) if task.level == 3 for right in key.right]
    assert 0.4 <= mean(right.needs_tool for right in hard) <= 0.6


@pytest.mark.parametrize("split", SPLITS)
def test_a_mail_that_needs_a_look_up_is_decided_otherwise_by_another_record(split: str) -> None:
    for template in read_book(split).templates:
        states = [case.get("state", "") for case in template["cases"]]
        assert len(set(states)) == len(states)
        assert len(states) > 1 if "tool" in template else states == [""]
        assert all(not state or state in read_states()[template["tool"]] for state in states)


@pytest.mark.parametrize("split", SPLITS)
def test_no_field_is_lopsided(split: str) -> None:
    right = [labels for _, key in generate(split) for labels in key.right]
    for name in FIELDS_OF_LEVEL[3]:
        shares = Counter(getattr(labels, name) for labels in right)
        assert max(shares.values()) / len(right) < 0.6
        assert min(shares.values()) / len(right) > 0.05
    assert all(
        labels.department == "ignore" and labels.action == "archive" for labels in right if labels.category == "spam"
    )


def test_records_hold_no_label() -> None:
    texts = [line for states in read_states().values() for lines in states.values() for line in lines]
    assert not {word for text in texts for word in WORDS.findall(text.lower())} & LABELS


def test_every_record_can_belong_to_opposite_decisions() -> None:
    """What is asked decides as much as what is found: most states go with several decisions, in train and in test."""
    for split in ("train", "test"):
        decided: dict[str, set[tuple[str, str]]] = {}
        for _, key in generate(split):
            for right, source in zip(key.right, key.sources, strict=True):
                if right.needs_tool:
                    decided.setdefault(source.split("/")[1], set()).add((right.priority, right.action))
        assert mean(len(found) > 1 for found in decided.values()) > 0.5


def test_every_id_that_decides_is_in_the_mail() -> None:
    for task, key in generate("test"):
        for mail, right, source in zip(task.mails, key.right, key.sources, strict=True):
            if right.needs_tool and not source.endswith("no record"):
                ids = {k for r in task.records if r.tool == right.fitting_tool for k in r.keys if "@" not in k}
                assert any(named in f"{mail.subject}\n{mail.email_text}" for named in ids), source


def test_no_slot_or_alternative_is_left_open() -> None:
    for task, _ in (pair for split in SPLITS for pair in generate(split)):
        for mail in task.mails:
            assert not re.search(r"[{}\[\]|]", f"{mail.subject}{mail.sender}{mail.email_text}")
            assert len(mail.email_text) < 1_600, "the prompt shows it whole"
        assert len({mail.email_id for mail in task.mails}) == len(task.mails)
        assert not any(set("{}") & set(line) for record in task.records for line in record.lines)


def test_the_players_order_under_classic() -> None:
    order = [reward(name, "classic") for name in ("null", "random", "rules", "oracle")]
    assert order == sorted(order)
    assert len(set(order)) == 4
    assert reward("rules", "classic") <= 0.75 * reward("oracle", "classic")


def test_the_players_order_under_hardened() -> None:
    """Random play is worth less than none there: a mistake costs, on purpose."""
    order = [reward(name, "hardened") for name in ("random", "null", "rules", "bag_of_words", "oracle")]
    assert order == sorted(order)
    assert reward("null", "hardened") == 0.0
    assert reward("rules", "hardened") <= 0.75 * reward("oracle", "hardened")
    assert reward("bag_of_words", "hardened") <= 0.5 * reward("oracle", "hardened")
    assert reward("oracle", "hardened") > 0.95


def test_records_alone_decide_little() -> None:
    assert reward("only_records", "hardened") <= 0.2 * reward("oracle", "hardened")


def test_no_constant_answer_earns_anything() -> None:
    """Every combination of four labels, over all test mails of task 3; and every category over those of task 1."""
    rubric = HardenedRubric()
    for level in (1, 3):
        mails = Counter(right for task, key in generate("test") if task.level == level for right in key.right)
        wanted = FIELDS_OF_LEVEL[level]
        worth: Counter[tuple[str, ...]] = Counter()
        for answer in itertools.product(*(CATEGORIES, PRIORITIES, DEPARTMENTS, MAIL_ACTIONS)[: len(wanted)]):
            facts = InboxFacts([Decided(dict(zip(wanted, answer, strict=True)), 1)], 1)
            for right, count in mails.items():
                key = InboxKey("t", "template", "us", f"task {level}", level, (right,), ("a/b",))
                worth[answer] += rubric.score(facts, key).reward * count / mails.total()
        assert len(worth) == (5 if level == 1 else 240)
        assert max(worth.values()) < 0.0
