"""What a template may copy from an observation of any environment: names, subject, text, ids, by their field names.

It understands nothing of what it copies. A field's name decides what it is taken for; where no name says so, the
longest text is the mail.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

SENDER = ("sender_name", "from_name", "sender", "from", "from_addr", "sender_address", "author")
OWNER = ("owner_name", "to_name", "recipient_name", "owner", "recipient", "to", "user_name")
SUBJECT = ("subject", "title")
TEXT = ("body", "text", "question", "content", "snippet")
NOT_MAIL = ("instruction", "instructions", "error", "hint", "feedback", "kind", "task_id", "today")
NOT_AN_ID = ("task_id", "episode_id")

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_NUMBER = re.compile(r"[$€£]?\d[\d.,:/-]*")
_NAME = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_WORD = re.compile(r"[^\W\d_]+")
_MARK = re.compile(r"</?[a-z_ -]+>")
MOST_COPIED_WORDS = 12


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read off an episode so far.

    Attributes:
        sender: Who wrote, as a name where there is one.
        owner: Whose mail it is.
        subject: The subject.
        text: The mail, or the question.
        ids: What fields that end in ``id`` hold, in the order seen.
        items: The longest list of objects seen: several mails at once, or hits of a search.
    """

    sender: str = ""
    owner: str = ""
    subject: str = ""
    text: str = ""
    ids: tuple[str, ...] = ()
    items: tuple[Mapping[str, Any], ...] = ()

    @property
    def sentences(self) -> list[str]:
        """The text's sentences."""
        return [sentence for found in _SENTENCE.findall(self.text) if len(sentence := found.strip()) > 2]

    @property
    def longest_words(self) -> list[str]:
        """The text's longest words, longest first, each once."""
        words = dict.fromkeys(word.lower() for word in _WORD.findall(f"{self.subject} {self.text}"))
        return sorted((word for word in words if len(word) > 3), key=lambda word: -len(word))[:MOST_COPIED_WORDS]

    @property
    def names(self) -> list[str]:
        """Capitalised words of the text, each once."""
        return list(dict.fromkeys(_NAME.findall(self.text)))[:MOST_COPIED_WORDS]

    @property
    def numbers(self) -> list[str]:
        """The text's numbers, each once."""
        return list(dict.fromkeys(_NUMBER.findall(self.text)))[:MOST_COPIED_WORDS]


def read(observations: Sequence[Mapping[str, Any]]) -> Reading:
    """Read what can be copied off an episode's observations; what the newest lacks is taken from the one before.

    Args:
        observations: Oldest first; any plain data.
    """
    readings = [_read_one(observation) for observation in reversed(observations)]
    names = [entry.name for entry in fields(Reading)]
    found = {name: [value for reading in readings if (value := getattr(reading, name))] for name in names}
    return Reading(**{name: values[0] for name, values in found.items() if values})


def read_item(item: Mapping[str, Any], whole: Reading) -> Reading:
    """Read one item of a list; what it lacks is the whole observation's."""
    own = _read_one(item)
    return replace(
        whole,
        sender=own.sender or whole.sender,
        owner=own.owner or whole.owner,
        subject=own.subject or whole.subject,
        text=own.text or whole.text,
        ids=own.ids or whole.ids,
    )


def _read_one(observation: Mapping[str, Any]) -> Reading:
    leaves = list(_leaves(observation))
    return Reading(
        sender=_bare_name(_named(leaves, SENDER)),
        owner=_bare_name(_named(leaves, OWNER)),
        subject=_named(leaves, SUBJECT),
        text=_MARK.sub("", _named(leaves, TEXT) or _longest(leaves)).strip(),
        ids=tuple(dict.fromkeys(value for key, value in leaves if _is_id(key))),
        items=max(_object_lists(observation), key=len, default=()),
    )


def _is_id(key: str) -> bool:
    return (key == "id" or key.endswith("_id")) and key not in NOT_AN_ID


def _named(leaves: Sequence[tuple[str, str]], names: Sequence[str]) -> str:
    found: dict[str, str] = {}
    for key, value in leaves:
        found.setdefault(key, value)
    return next((found[name] for name in names if found.get(name)), "")


def _longest(leaves: Sequence[tuple[str, str]]) -> str:
    return max((value for key, value in leaves if key not in NOT_MAIL and not _is_id(key)), key=len, default="")


def _bare_name(person: str) -> str:
    """Return the name of ``Name <address>``, or what stands before the @ of a bare address."""
    name, _, rest = person.partition("<")
    return name.strip() or rest.partition("@")[0].strip() if rest else person.partition("@")[0].strip()


def _leaves(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _leaves(item, str(name))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item, key)


def _object_lists(value: Any) -> Iterator[tuple[Mapping[str, Any], ...]]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _object_lists(item)
    elif isinstance(value, list | tuple):
        if value and all(isinstance(item, Mapping) for item in value):
            yield tuple(value)
        for item in value:
            yield from _object_lists(item)
