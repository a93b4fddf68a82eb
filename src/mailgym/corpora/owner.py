"""Finds out whose mail a mailbox holds."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

_SENT_FOLDER = re.compile(r"(?:^|[^a-z])sent(?:[^a-z]|$)|outbox|gesendet|envoy[eé]", re.IGNORECASE)
_LEAST_SHARE_OF_SENT = 0.03
_LEAST_OWN_MESSAGES = 3
_LEAST_NAME_LENGTH = 3


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose mail it is: all addresses, the main one first, and a name (empty if unknown)."""

    addresses: tuple[str, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Correspondent:
    """How often one name and address wrote or got messages of one folder.

    Attributes:
        written: Messages of this folder from them.
        received: Messages of this folder to them (copies included).
    """

    name: str
    address: str
    folder: str
    written: int
    received: int


def find_owner(correspondents: Iterable[Correspondent]) -> Owner | None:
    """Find whose mail it is.

    Of those who wrote a good part of the mail in folders of sent mail (3 %), the owner is who gets most of
    the other mail, which an assistant who writes for somebody does not. Without a folder of sent mail it is
    who wrote and got most. Another address is the same person's if it too wrote sent mail (three messages at
    least) and has the owner's name, or its last word is the owner's last name; the main address is the busiest.

    Returns:
        The owner; None where no mail has an address.
    """
    people = [person for person in correspondents if "@" in person.address]
    sent: Counter[str] = Counter()
    received: Counter[str] = Counter()
    everything: Counter[str] = Counter()
    names: dict[str, Counter[str]] = {}
    for person in people:
        everything[person.address] += person.written + person.received
        if _SENT_FOLDER.search(person.folder):
            sent[person.address] += person.written
        else:
            received[person.address] += person.received
        if person.name:
            names.setdefault(person.address, Counter())[person.name] += person.written + person.received
    sent += Counter()  # drops those who wrote none
    least = _LEAST_SHARE_OF_SENT * sent.total()
    candidates = [address for address, count in sent.items() if count >= least] or list(everything)
    if not candidates:
        return None
    main = min(candidates, key=lambda a: (-received[a] if sent[a] else 0, -everything[a], a))
    others = [
        address
        for address, count in sorted(sent.items(), key=lambda item: (-item[1], item[0]))
        if address != main and count >= _LEAST_OWN_MESSAGES and _is_same_person(main, address, names)
    ]
    addresses = sorted((main, *others), key=lambda a: (-everything[a], a))
    return Owner(tuple(addresses), _best_name(main, names))


def name_from_address(address: str) -> str:
    """Make a name of an address such as ``dana.whitfield@x.example``; empty where it shows no full name."""
    words = re.findall(r"[^\W\d_]+", address.partition("@")[0])
    return " ".join(word.capitalize() for word in words) if len(words) > 1 else ""


def _best_name(address: str, names: dict[str, Counter[str]]) -> str:
    known = names.get(address)
    if not known:
        return name_from_address(address)
    return min(known, key=lambda name: (-known[name], name))


def _is_same_person(main: str, other: str, names: dict[str, Counter[str]]) -> bool:
    main_names = {name.casefold() for name in names.get(main, ())}
    if main_names & {name.casefold() for name in names.get(other, ())}:
        return True
    last = _last_word(_best_name(main, names) or main.partition("@")[0])
    return len(last) >= _LEAST_NAME_LENGTH and last == _last_word(other.partition("@")[0])


def _last_word(text: str) -> str:
    words = re.findall(r"[^\W\d_]+", text.casefold())
    return words[-1] if words else ""
