"""A suite names tasks by their contents: what changed is an error, never another figure under the same name."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.errors import UserError
from mailgym.envs.registry import get_spec
from mailgym.evaluate.suite import Suite, freeze, load_entry, read_suite, suite_names, task_digest


@pytest.fixture
def suite(small_tasks: Any) -> Suite:
    return freeze("v9", {"find": get_spec("find")}, lambda spec: small_tasks, seed=7)


def write(suite: Suite, folder: Path) -> Path:
    path = folder / f"{suite.name}.json"
    path.write_text(json.dumps(suite.to_json()))
    return path


def test_a_suite_is_read_back_as_it_was_frozen(suite: Suite, tmp_path: Path) -> None:
    write(suite, tmp_path)
    assert read_suite("v9", tmp_path) == suite
    assert suite_names(tmp_path) == ["v9"]
    (entry,) = suite.entries
    assert (entry.env, entry.split, entry.source) == ("find", "test", {"simulated": "demo", "seed": 7})
    assert list(entry.tasks) == ["q-bill", "q-sync", "q-outage", "q-mine"]


def test_its_tasks_are_loaded_in_its_order(suite: Suite, small_tasks: Any) -> None:
    (entry,) = suite.entries
    turned = replace(entry, tasks=dict(reversed(entry.tasks.items())))
    loaded = load_entry(turned, get_spec("find"), small_tasks.folder)
    assert loaded.task_ids == ("q-mine", "q-outage", "q-sync", "q-bill")
    assert load_entry(entry.first(2), get_spec("find"), small_tasks.folder).task_ids == ("q-bill", "q-sync")
    assert entry.first(None) is entry


@pytest.mark.parametrize("side", ["task", "key"])
def test_a_task_or_key_that_changed_is_an_error(suite: Suite, small_tasks: Any, side: str) -> None:
    (entry,) = suite.entries
    task, key = small_tasks.tasks["q-bill"], small_tasks.keys["q-bill"]
    if side == "task":
        changed = replace(small_tasks, tasks={**small_tasks.tasks, "q-bill": replace(task, question="Another?")})
    else:
        changed = replace(small_tasks, keys={**small_tasks.keys, "q-bill": replace(key, message_ids=("other",))})
    spec = replace(get_spec("find"), load_tasks=lambda *_: changed)
    with pytest.raises(UserError, match=r"1 of the 4 tasks of find \(q-bill\) are not what was frozen"):
        load_entry(entry, spec, small_tasks.folder)
    assert task_digest(changed, "q-sync") == entry.tasks["q-sync"]


def test_a_task_that_is_gone_is_an_error(suite: Suite, small_tasks: Any) -> None:
    (entry,) = suite.entries
    with pytest.raises(UserError, match=r"\(gone\) are not there"):
        load_entry(replace(entry, tasks={"gone": "0"}), get_spec("find"), small_tasks.folder)


def test_a_file_that_was_edited_is_an_error(suite: Suite, tmp_path: Path) -> None:
    path = write(suite, tmp_path)
    path.write_text(path.read_text().replace("q-bill", "q-bull"))
    with pytest.raises(UserError, match="was changed after it was frozen"):
        read_suite("v9", tmp_path)


def test_a_suite_that_is_not_there(tmp_path: Path, suite: Suite) -> None:
    with pytest.raises(UserError, match=r"none yet: python scripts/freeze_suite\.py v1"):
        read_suite("v1", tmp_path)
    write(suite, tmp_path)
    with pytest.raises(UserError, match="no suite 'v1': there is v9"):
        read_suite("v1", tmp_path)


def test_digests_are_the_same_everywhere(small_tasks: Any) -> None:
    """Written down once: another machine, or another order of fields, must come to the same."""
    assert task_digest(small_tasks, "q-bill") == "7e3e78824c51ce97"


@pytest.mark.parametrize("name", suite_names())
def test_suites_that_ship_are_whole(name: str) -> None:
    suite = read_suite(name)
    assert len({entry.env for entry in suite.entries}) == len(suite.entries)
    assert all(entry.tasks for entry in suite.entries)


@pytest.mark.parametrize(
    ("name", "env_id"),
    [(name, entry.env) for name in suite_names() for entry in read_suite(name).entries if "own" in entry.source],
)
def test_tasks_of_suites_that_ship_have_not_changed(name: str, env_id: str) -> None:
    from mailgym.envs.drawn import OWN_TASKS

    entry = next(entry for entry in read_suite(name).entries if entry.env == env_id)
    assert len(load_entry(entry, get_spec(env_id), OWN_TASKS)) == len(entry.tasks)
