"""Which episodes there are: the bank's rotation, splits that share nothing, balanced labels."""

from collections import Counter

import pytest

from mailgym.core.errors import UserError
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.routing.phrasebook import read_bank, read_phrasebook
from mailgym.envs.routing.schema import LABELS, STARTS, UNROUTED, levels_from
from mailgym.envs.routing.tasks import load_tasks, secrets

SPLITS = ("train", "validation", "test")


def test_the_bank_has_eight_easy_six_medium_and_six_hard_mails() -> None:
    assert {level: len(mails) for level, mails in read_bank().items()} == {"easy": 8, "medium": 6, "hard": 6}


def test_the_bank_rotates_each_pool_by_itself() -> None:
    bank = load_tasks(OWN_TASKS, "bank")
    first = [task_id for task_id in bank.task_ids if task_id.startswith(STARTS[0])]
    assert len(first) == 24, "after 24 resets the rotation of 8, 6 and 6 begins anew"
    templates = [bank.keys[task_id].template for task_id in first]
    assert templates[0] == "bank-easy-1+bank-medium-1+bank-hard-1"
    assert templates[7] == "bank-easy-8+bank-medium-2+bank-hard-2"
    assert templates[23] == "bank-easy-8+bank-medium-6+bank-hard-6"
    assert [len([i for i in bank.task_ids if i.startswith(start)]) for start in STARTS] == [24, 6, 6]


def test_a_task_has_as_many_mails_as_its_start_leaves() -> None:
    tasks = load_tasks(OWN_TASKS, "test")
    for task_id, task in tasks.tasks.items():
        assert task_id.partition(":")[0] == task.start
        assert len(task.emails) == len(levels_from(task.start)) == len(tasks.keys[task_id].right)


@pytest.mark.parametrize(("split", "least"), [("train", 400), ("validation", 100), ("test", 200)])
def test_a_split_is_large_enough_and_most_of_it_plays_all_three_tasks(split, least) -> None:
    starts = Counter(task.start for task in load_tasks(OWN_TASKS, split).tasks.values())
    total = sum(starts.values())
    assert total >= least
    assert starts == {STARTS[0]: total * 6 // 8, STARTS[1]: total // 8, STARTS[2]: total // 8}


@pytest.mark.parametrize("split", SPLITS)
def test_every_label_is_equally_frequent_in_every_task(split) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for key in load_tasks(OWN_TASKS, split).keys.values():
        for level, right in zip(levels_from(key.kind), key.right, strict=True):
            counts[level.task_id, right.label] += 1
    for start in STARTS:
        assert len({counts[start, label] for label in LABELS}) == 1


def test_no_template_name_company_product_or_owner_is_in_two_splits() -> None:
    seen: Counter[str] = Counter()
    for split in SPLITS:
        book = read_phrasebook(split)
        ids = [mail.id for trio in book.trios for mail in trio.mails] + [trio.id for trio in book.trios]
        words = [word for kind, group in book.words.items() if kind != "titles" for word in group]
        people = [name for owner in book.owners for name in (owner.first, owner.last, owner.company, owner.domain)]
        seen.update({*ids, *words, *people, *book.words["titles"]})
    assert [word for word, count in seen.items() if count > 1] == []


def test_departments_belong_to_work_and_urgent_mail() -> None:
    templates = [mail for split in SPLITS for trio in read_phrasebook(split).trios for mail in trio.mails]
    templates += [mail for level in ("medium", "hard") for mail in read_bank()[level]]
    for template in templates:
        assert (template.department == "none") is (template.label in UNROUTED), template.id
        assert bool(template.reply) is (template.label != "spam"), template.id
        assert template.facts, template.id
        assert template.summary, template.id
        assert bool(template.asks) is bool(template.reply), template.id


def test_a_split_is_the_same_whatever_the_seed_which_chooses_alone() -> None:
    whole = load_tasks(OWN_TASKS, "validation", seed=1)
    some = load_tasks(OWN_TASKS, "validation", 10, seed=5)
    assert len(some) == 10
    assert all(whole.tasks[task_id] == task for task_id, task in some.tasks.items())
    assert some.task_ids != load_tasks(OWN_TASKS, "validation", 10, seed=6).task_ids


def test_an_episode_is_one_cluster_of_templates_and_one_owner() -> None:
    for key in load_tasks(OWN_TASKS, "test").keys.values():
        assert {right.template.partition("/")[0] for right in key.right} == {key.template}
        assert key.mailbox in {owner.company for owner in read_phrasebook("test").owners}


def test_secrets_are_the_templates_and_the_model_answers() -> None:
    key = load_tasks(OWN_TASKS, "test").keys["spam-filtering:test-084"]
    assert set(secrets(key)) >= {key.template, key.right[0].template, key.right[0].summary}


def test_an_unknown_split_says_which_there_are() -> None:
    with pytest.raises(UserError, match="choose one of test, validation, train, bank"):
        load_tasks(OWN_TASKS, "exam")
