"""The Enron corpus: where the paths of the CMU release say whose mail it is, and ART·E's inboxes by address."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType

from mailgym.core.errors import UserError

_TEST = (
    "karen.denne",
    "john.lavorato",
    "paul.kaufman",
    "sarah.novosel",
    "greg.whalley",
    "james.steffes",
    "sara.shackleton",
    "tim.belden",
)
_TRAIN = (
    "louise.kitchen",
    "gerald.nemec",
    "susan.mara",
    "alan.comnes",
    "joe.hartsoe",
    "william.bradford",
    "harry.kingerski",
    "kate.symes",
    "richard.shapiro",
    "sally.beck",
    "jeff.dasovich",
    "kay.mann",
    "daren.farmer",
    "steven.kean",
    "richard.sanders",
    "mark.taylor",
    "pete.davis",
    "elizabeth.sager",
    "tana.jones",
    "sandra.mccubbin",
)

SPLITS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "art-e": MappingProxyType(
            {
                "train": tuple(f"{name}@enron.com" for name in _TRAIN),
                "test": tuple(f"{name}@enron.com" for name in _TEST),
            }
        )
    }
)
"""Named splits of the corpus's inboxes: the parts of each, and the addresses of each part.

``art-e`` has the addresses whose mail ART·E trains (20) and tests (8) on.
"""
DEFAULT_SPLIT = "art-e"

_TOP = "maildir"
_RELEASE_PATH = re.compile(r"(?:^|/)maildir/[a-z]+(?:-[a-z0-9]+)+/(?:[^/]+/)*\d+\.$")
_PERSON_PATH = re.compile(r"[a-z]+(?:-[a-z0-9]+)+/(?:[^/]+/)+\d+\.")
_UNSAFE = re.compile(r"[^\w.-]+", re.ASCII)


def inbox_addresses(split: str) -> tuple[str, ...]:
    """Return the addresses whose inboxes a named split has.

    Args:
        split: ``art-e``, or a part of it: ``art-e:train``, ``art-e:test``; ``train`` and ``test`` alone are parts of
            ``art-e``.

    Raises:
        UserError: There is no such split, or no such part of it.
    """
    name, _, part = split.partition(":")
    if name not in SPLITS and name in SPLITS[DEFAULT_SPLIT] and not part:
        name, part = DEFAULT_SPLIT, name
    if name not in SPLITS or (part and part not in SPLITS[name]):
        known = [full for name, parts in SPLITS.items() for full in (name, *(f"{name}:{part}" for part in parts))]
        raise UserError(f"no split of inboxes is called {split!r}: write one of {', '.join(known)}")
    parts = SPLITS[name]
    return parts[part] if part else tuple(address for addresses in parts.values() for address in addresses)


def by_address(names: Mapping[str, str]) -> Callable[[Collection[str]], list[str]]:
    """Return what names the mailboxes of a message by the addresses of its author and recipients.

    It is what ART·E calls an inbox: every mail from or to an address in the whole corpus, so one message may belong to
    several mailboxes, or to none.

    Args:
        names: The mailbox's name for each address (lower case), as from :func:`mailbox_names`.
    """

    def route(addresses: Collection[str]) -> list[str]:
        return list(dict.fromkeys(names[key] for address in addresses if (key := address.lower()) in names))

    return route


def mailbox_names(addresses: Iterable[str]) -> dict[str, str]:
    """Return the mailbox's name for each address (lower case): its local part where no other has the same.

    Names are safe as file names: other characters than letters, digits, ``. _ -`` become ``-``. Where two addresses
    would share a name, whatever its case, both are named by their whole address, and numbered if even that is the
    same; names do not depend on the order of the addresses.
    """
    known = sorted({address.strip().lower() for address in addresses if address.strip()})
    local = {address: _safe(address.partition("@")[0]) for address in known}
    shared = {name for name in local.values() if list(local.values()).count(name) > 1}
    names: dict[str, str] = {}
    taken = {name for name in local.values() if name not in shared}
    for address in known:
        name = local[address]
        if name in shared:
            name = whole = _safe(address.replace("@", "-at-"))
            number = 2
            while name in taken:
                name, number = f"{whole}-{number}", number + 1
            taken.add(name)
        names[address] = name
    return names


def is_release_path(path: str) -> bool:
    """Return whether a mail's path is one of the release: ``maildir/allen-p/_sent_mail/1.`` at the end of it."""
    return _RELEASE_PATH.search(path) is not None


def is_person_path(path: str) -> bool:
    """Return whether a path below a folder is one of the release's below ``maildir``: ``allen-p/_sent_mail/1.``."""
    return _PERSON_PATH.fullmatch(path) is not None


def release_wrapper(path: str) -> tuple[str, ...]:
    """Return the folders of a mail's path that are above all persons: ``maildir`` and what it lies in."""
    parts = tuple(path.split("/"))
    return parts[: parts.index(_TOP) + 1]


def split_path(folder: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return whose folder it is, and the folder: ``maildir/allen-p/inbox`` is allen-p's ``inbox``."""
    if _TOP in folder[:2]:
        folder = folder[folder.index(_TOP) + 1 :]
    return (folder[0], folder[1:]) if folder else ("", ())


def _safe(name: str) -> str:
    return _UNSAFE.sub("-", name).strip("-.") or "mailbox"
