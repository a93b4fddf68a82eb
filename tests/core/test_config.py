from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest

from mailgym.core.config import (
    apply_overrides,
    flatten,
    freeze,
    from_dict,
    load_preset,
    near_names,
    parse_toml,
    preset_names,
    to_dict,
)
from mailgym.core.errors import ConfigError

CONFIG = {
    "run": {"seed": 3, "name": "demo", "note": None},
    "train": {"learning_rate": 3e-4, "live": True, "sizes": [1, 2], "deep": {"x": 1}},
}


@dataclass(frozen=True)
class Inner:
    rate: float
    steps: int = 4

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise ValueError("steps must be at least 1")


@dataclass(frozen=True)
class Outer:
    inner: Inner
    mode: Literal["fast", "slow"] = "fast"
    path: Path | None = None
    names: tuple[str, ...] = ()
    pair: tuple[int, str] = (1, "a")
    weights: dict[str, float] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=list)
    either: int | str = 1
    anything: Any = None
    some: Sequence[float] = ()
    table: Mapping[str, int] = field(default_factory=dict)
    flag: bool = False
    derived: int = field(init=False, default=9)


def test_the_presets_that_ship_load() -> None:
    envs = {name: load_preset(name)["run"]["env"] for name in preset_names()}
    assert {("demo", "find"), ("cpu", "find"), ("art-e", "search")} <= set(envs.items())


def test_a_preset_may_be_a_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[run]\nseed = 5\n")
    assert load_preset(path) == load_preset(str(path)) == {"run": {"seed": 5}}
    path.write_text("[run\n")
    with pytest.raises(ConfigError, match=r"mine\.toml is not TOML"):
        load_preset(path)
    with pytest.raises(ConfigError, match=r"none\.toml does not exist: give a TOML file, or one of the presets"):
        load_preset(tmp_path / "none.toml")


def test_an_unknown_preset_names_the_near_one() -> None:
    with pytest.raises(ConfigError, match="there is no preset 'dmo': did you mean demo"):
        load_preset("dmo")
    with pytest.raises(
        ConfigError, match="there is no preset 'zzz': known are art-e, cpu, demo, find-warm, search-cpu"
    ):
        load_preset("zzz")


def test_near_names_of_nothing_are_nothing() -> None:
    assert near_names("x", []) == ""


@pytest.mark.parametrize(
    ("override", "where", "value"),
    [
        ("run.seed=7", ("run", "seed"), 7),
        ("run.seed = -7", ("run", "seed"), -7),
        ("train.learning_rate=1e-5", ("train", "learning_rate"), 1e-5),
        ("train.learning_rate=1", ("train", "learning_rate"), 1.0),
        ("train.live=false", ("train", "live"), False),
        ("run.name=long run = 2", ("run", "name"), "long run = 2"),
        ('run.name="quoted"', ("run", "name"), "quoted"),
        ("run.name=7", ("run", "name"), "7"),
        ("run.name=true", ("run", "name"), "true"),
        ("run.name=", ("run", "name"), ""),
        ("run.note=3", ("run", "note"), 3),
        ("train.sizes=[4, 5, 6]", ("train", "sizes"), [4, 5, 6]),
        ("train.sizes=[]", ("train", "sizes"), []),
    ],
)
def test_an_override_replaces_a_value_by_one_of_its_type(override: str, where: tuple[str, str], value: object) -> None:
    changed = apply_overrides(CONFIG, [override])
    assert changed[where[0]][where[1]] == value
    assert type(changed[where[0]][where[1]]) is type(value)
    assert CONFIG["run"] == {"seed": 3, "name": "demo", "note": None}


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("run.sed=7", r"no key 'run.sed': did you mean run.seed"),
        ("trian.live=true", r"no key 'trian.live': did you mean train.live"),
        ("zzzz=1", r"known are run.name, run.note, run.seed, train"),
        ("run.seed=1.5", r"run.seed must be a whole number, as 3 is; '1.5' is a number"),
        ("run.seed=true", r"run.seed must be a whole number, as 3 is; 'true' is true or false"),
        ("train.live=1", r"train.live must be true or false"),
        ("train.learning_rate=fast", r"train.learning_rate must be a number, .* 'fast' is a text"),
        ("train.sizes=3", r"train.sizes must be a list"),
        ('train.sizes=["a"]', r"train.sizes is a list of which each is a whole number"),
        ("train.deep=3", r"train.deep is a table: override one of its keys \(train.deep.x\)"),
        ("run.seed.x=3", r"run.seed is a value, not a table"),
        ("run.seed", r"is not key=value"),
        ("=3", r"is not key=value"),
    ],
)
def test_a_wrong_override_says_what_is_wrong(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        apply_overrides(CONFIG, [override])


def test_flatten_gives_dotted_keys_and_keeps_empty_tables() -> None:
    assert flatten({"a": {"b": {"c": 1}, "d": 2}, "e": {}}) == {"a.b.c": 1, "a.d": 2, "e": {}}


def test_freeze_gives_what_toml_holds() -> None:
    frozen = freeze({"path": Path("x/y"), "pair": (1, (2, 3)), "day": date(2025, 3, 1), "none": None, "t": {"n": None}})
    assert frozen == {"path": "x/y", "pair": [1, [2, 3]], "day": date(2025, 3, 1), "t": {}}
    with pytest.raises(ConfigError, match=r"a\.b is .*: a configuration holds numbers"):
        freeze({"a": {"b": {1, 2}}})


def test_a_dataclass_is_built_with_every_kind_of_field() -> None:
    data = {
        "inner": {"rate": 1},
        "mode": "slow",
        "path": "x/y",
        "names": ["a", "b"],
        "pair": [2, "b"],
        "weights": {"w": 2},
        "sizes": [1],
        "either": "text",
        "anything": {"x": []},
        "some": [1, 2.5],
        "table": {"k": 1},
        "flag": True,
    }
    built = from_dict(Outer, data)
    assert built == Outer(
        inner=Inner(1.0),
        mode="slow",
        path=Path("x/y"),
        names=("a", "b"),
        pair=(2, "b"),
        weights={"w": 2.0},
        sizes=[1],
        either="text",
        anything={"x": []},
        some=(1.0, 2.5),
        table={"k": 1},
        flag=True,
    )
    assert type(built.inner.rate) is float
    assert from_dict(Outer, {"inner": {"rate": 0.5}, "path": None, "either": 2}).path is None


def test_what_was_frozen_and_written_builds_the_same_dataclass(tmp_path: Path) -> None:
    import tomli_w

    config = Outer(Inner(0.5, 2), path=Path("a/b"), names=("x",), weights={"w": 1.0})
    fields = {name: value for name, value in to_dict(config).items() if name != "derived"}
    assert fields["inner"] == {"rate": 0.5, "steps": 2}
    assert from_dict(Outer, parse_toml(tomli_w.dumps(freeze(fields)), "config.toml")) == config


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"inner": {"rate": 1}, "mod": "slow"}, r"there is no key 'mod': did you mean mode"),
        ({"inner": {"rate": 1, "stps": 2}}, r"there is no key 'inner.stps': did you mean steps"),
        ({}, r"inner is missing: it has no default"),
        ({"inner": {}}, r"inner.rate is missing"),
        ({"inner": 3}, r"inner is 3, a whole number: give a table"),
        ({"inner": {"rate": "x"}}, r"inner.rate is 'x', a text: give a number"),
        ({"inner": {"rate": True}}, r"inner.rate is True, true or false: give a number"),
        ({"inner": {"rate": 1, "steps": 2.0}}, r"inner.steps is 2.0, a number: give a whole number"),
        ({"inner": {"rate": 1, "steps": 0}}, r"inner: steps must be at least 1"),
        ({"inner": {"rate": 1}, "mode": "fst"}, r"mode is 'fst', and must be one of fast, slow: did you mean fast"),
        ({"inner": {"rate": 1}, "mode": 3}, r"mode is 3, and must be one of fast, slow$"),
        ({"inner": {"rate": 1}, "path": 3}, r"path is 3, a whole number: give Path"),
        ({"inner": {"rate": 1}, "names": "abc"}, r"names is 'abc', a text: give a list"),
        ({"inner": {"rate": 1}, "names": ["a", 2]}, r"names\[1\] is 2, a whole number: give a text"),
        ({"inner": {"rate": 1}, "pair": [1]}, r"pair must have 2 items, and has 1"),
        ({"inner": {"rate": 1}, "weights": []}, r"weights is \[\], a list: give a table"),
        ({"inner": {"rate": 1}, "weights": {"w": "x"}}, r"weights.w is 'x'"),
        ({"inner": {"rate": 1}, "either": 1.5}, r"either is 1.5, a number: give a whole number or a text"),
        ({"inner": {"rate": 1}, "derived": 2}, r"there is no key 'derived'"),
    ],
)
def test_a_wrong_configuration_says_where_and_what(data: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_dict(Outer, data)


def test_only_dataclasses_are_built() -> None:
    with pytest.raises(TypeError, match="is not a dataclass"):
        from_dict(dict, {})
