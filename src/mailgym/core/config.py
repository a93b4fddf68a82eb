"""Configuration: TOML presets, dotted overrides, and frozen dataclasses checked field by field.

A preset is a name of a file that ships with mailgym, or a path. Every wrong key or value is a
:class:`~mailgym.core.errors.ConfigError` that names the near names or the type that was expected.
"""

import copy
import dataclasses
import difflib
import tomllib
import types
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from importlib import resources
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from mailgym.core.errors import ConfigError

T = TypeVar("T")
Config = dict[str, Any]

_TYPE_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
    type(None): "nothing",
}


def preset_names() -> list[str]:
    """Return the names of the presets that ship with mailgym."""
    folder = resources.files("mailgym") / "presets"
    files = [entry.name for entry in folder.iterdir()]
    return sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml"))


def load_preset(name_or_path: str | Path) -> Config:
    """Read a preset: one that ships with mailgym by its name, or any TOML file by its path.

    Raises:
        ConfigError: There is no such preset or file, or it is not TOML.
    """
    name = str(name_or_path)
    if name in preset_names():
        text = (resources.files("mailgym") / "presets" / f"{name}.toml").read_text(encoding="utf-8")
        return parse_toml(text, f"preset {name}")
    path = Path(name_or_path).expanduser()
    if path.is_file():
        return parse_toml(path.read_bytes(), str(path))
    if path.suffix == ".toml" or len(path.parts) > 1:
        known = ", ".join(preset_names())
        raise ConfigError(f"{path} does not exist: give a TOML file, or one of the presets {known}")
    raise ConfigError(f"there is no preset {name!r}{near_names(name, preset_names())}")


def parse_toml(text: str | bytes, where: str) -> Config:
    """Read TOML text.

    Args:
        text: The TOML; bytes must be UTF-8.
        where: What to call it in an error.

    Raises:
        ConfigError: It is not TOML.
    """
    try:
        return tomllib.loads(text.decode("utf-8") if isinstance(text, bytes) else text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{where} is not TOML: {error}") from error


def near_names(name: str, known: Iterable[str]) -> str:
    """Return the end of an error: the known names nearest to ``name``, or all of them when none is near."""
    names = sorted(known)
    if not names:
        return ""
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    return f": did you mean {' or '.join(near)}?" if near else f": known are {', '.join(names)}"


def apply_overrides(config: Mapping[str, Any], overrides: Iterable[str]) -> Config:
    """Return a copy of a configuration with dotted overrides applied, such as ``train.learning_rate=3e-4``.

    A value is read as TOML where it is TOML, and as text otherwise; it must be of the type of the value it
    replaces (a whole number may stand for a number; a value that is None takes any type).

    Raises:
        ConfigError: An override is not ``key=value``, names no known key, or has a value of another type.
    """
    changed = copy.deepcopy(dict(config))
    for override in overrides:
        dotted, equals, text = override.partition("=")
        if not equals or not dotted.strip():
            raise ConfigError(f"override {override!r} is not key=value: write, for example, train.updates=20")
        _set(changed, dotted.strip(), text.strip())
    return changed


def _set(config: Config, dotted: str, text: str) -> None:
    table: Config = config
    parts = dotted.split(".")
    for depth, part in enumerate(parts):
        if part not in table:
            paths = list(flatten(config))
            raise ConfigError(f"there is no key {dotted!r}{near_names(dotted, paths)}")
        if depth < len(parts) - 1:
            if not isinstance(table[part], dict):
                above = ".".join(parts[: depth + 1])
                raise ConfigError(f"{above} is a value, not a table: it has no key {dotted!r}")
            table = table[part]
    table[parts[-1]] = _like(table[parts[-1]], text, dotted)


def _like(old: Any, text: str, dotted: str) -> Any:
    if isinstance(old, dict):
        keys = ", ".join(f"{dotted}.{key}" for key in flatten(old))
        raise ConfigError(f"{dotted} is a table: override one of its keys ({keys})")
    new = _parse_value(text)
    if old is None or type(new) is type(old):
        if isinstance(old, list) and old and not all(type(item) is type(old[0]) for item in new):
            raise ConfigError(f"{dotted} is a list of which each is {_word(type(old[0]))}; {text} is not")
        return new
    if isinstance(old, str):
        return text
    if isinstance(old, float) and type(new) is int:
        return float(new)
    raise ConfigError(f"{dotted} must be {_word(type(old))}, as {old!r} is; {text!r} is {_word(type(new))}")


def _parse_value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _word(kind: type) -> str:
    return _TYPE_WORDS.get(kind, kind.__name__)


def flatten(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return a configuration as dotted keys and values, in order; an empty table stays a value."""
    flat: dict[str, Any] = {}
    for key, value in config.items():
        if isinstance(value, Mapping) and value:
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def freeze(config: Mapping[str, Any]) -> Config:
    """Return a deep copy in the types that TOML holds, so that what is written is what will be read.

    Paths become texts and tuples lists; a key whose value is None is left out (its dataclass default must be
    None).

    Raises:
        ConfigError: A value of another type.
    """
    return {str(key): _plain(value, str(key)) for key, value in config.items() if value is not None}


def _plain(value: Any, where: str) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item, f"{where}.{key}") for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_plain(item, where) for item in value]
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, bool | int | float | str | datetime | date | time):
        return value
    raise ConfigError(
        f"{where} is {value!r}: a configuration holds numbers, texts, true or false, dates, lists and tables"
    )


def to_dict(config: Any) -> Config:
    """Return a configuration dataclass as nested dictionaries, None included, for :func:`apply_overrides`."""
    return {field.name: _plain_copy(getattr(config, field.name)) for field in dataclasses.fields(config)}


def _plain_copy(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return to_dict(value)
    if isinstance(value, list | tuple):
        return type(value)(_plain_copy(item) for item in value)
    return copy.deepcopy(value)


def from_dict(cls: type[T], data: Mapping[str, Any], where: str = "") -> T:
    """Build a (frozen) dataclass from a dictionary, nested dataclasses included.

    Args:
        cls: The dataclass. A field without default must be given.
        data: Its fields by name.
        where: Dotted name of this table, for errors.

    Raises:
        ConfigError: An unknown key (with the near names), a missing key, a value of another type, or a value
            that the dataclass itself refuses with a ValueError.
    """
    if not dataclasses.is_dataclass(cls):
        raise TypeError(f"{cls!r} is not a dataclass")
    fields = {field.name: field for field in dataclasses.fields(cls) if field.init}
    prefix = f"{where}." if where else ""
    for key in data:
        if key not in fields:
            raise ConfigError(f"there is no key {prefix + str(key)!r}{near_names(str(key), fields)}")
    hints = get_type_hints(cls)
    values = {key: _convert(hints[key], value, prefix + key) for key, value in data.items()}
    for name, field in fields.items():
        defaults = (field.default, field.default_factory)
        if name not in values and all(default is dataclasses.MISSING for default in defaults):
            raise ConfigError(f"{prefix}{name} is missing: it has no default")
    try:
        return cls(**values)
    except ValueError as error:
        raise ConfigError(f"{where or cls.__name__}: {error}") from error


def _convert(hint: Any, value: Any, where: str) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return value
    if origin is Literal:
        return _choice(arguments, value, where)
    if origin in (Union, types.UnionType):
        return _first_fit(arguments, value, where)
    if origin in (list, tuple, Sequence):
        return _sequence(origin, arguments, value, where)
    if origin in (dict, Mapping) or dataclasses.is_dataclass(hint):
        return _table(hint, arguments, value, where)
    return _scalar(hint, value, where)


def _table(hint: Any, arguments: tuple[Any, ...], value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise _wrong(where, value, "a table")
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return from_dict(hint, value, where)
    return {key: _convert(arguments[1], item, f"{where}.{key}") for key, item in value.items()}


def _scalar(hint: Any, value: Any, where: str) -> Any:
    if hint is float and type(value) is int:
        return float(value)
    if hint is Path and isinstance(value, str):
        return Path(value)
    if type(value) is hint or (hint not in (bool, int, float) and isinstance(value, hint)):
        return value
    raise _wrong(where, value, _word(hint))


def _choice(choices: tuple[Any, ...], value: Any, where: str) -> Any:
    if any(value == choice and type(value) is type(choice) for choice in choices):
        return value
    near = near_names(value, [str(choice) for choice in choices]) if isinstance(value, str) else ""
    raise ConfigError(f"{where} is {value!r}, and must be one of {', '.join(map(str, choices))}{near}")


def _first_fit(options: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in options:
        return None
    options = tuple(option for option in options if option is not type(None))
    if len(options) == 1:
        return _convert(options[0], value, where)
    for option in options:
        try:
            return _convert(option, value, where)
        except ConfigError:
            continue
    raise _wrong(where, value, " or ".join(_word(option) for option in options))


def _sequence(origin: Any, arguments: tuple[Any, ...], value: Any, where: str) -> Any:
    if not isinstance(value, list | tuple):
        raise _wrong(where, value, "a list")
    if origin is tuple and (not arguments or arguments[-1] is not Ellipsis):
        if len(value) != len(arguments):
            raise ConfigError(f"{where} must have {len(arguments)} items, and has {len(value)}")
        return tuple(_convert(hint, item, where) for hint, item in zip(arguments, value, strict=True))
    items = [_convert(arguments[0], item, f"{where}[{index}]") for index, item in enumerate(value)]
    return items if origin is list else tuple(items)


def _wrong(where: str, value: Any, expected: str) -> ConfigError:
    return ConfigError(f"{where} is {value!r}, {_word(type(value))}: give {expected}")
