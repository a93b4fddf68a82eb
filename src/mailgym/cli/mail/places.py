"""From what was typed to mailboxes and messages: shared by every verb of ``mailgym mail`` that reads."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mailgym.core.errors import StoreError, UnknownMessage, UserError

if TYPE_CHECKING:
    from mailgym.mail.mailbox import Mailbox

DEFAULT_STORE = Path("store")
LEAST_ID_CHARACTERS = 8
MOST_NAMED = 8

StoreFolder = Annotated[Path, typer.Option("--store", metavar="FOLDER", help="The folder of mailboxes.")]
OneMailbox = Annotated[
    str | None,
    typer.Option("--mailbox", metavar="MAILBOX", help="One mailbox, by name or file; all of the store else."),
]
MessageId = Annotated[
    str, typer.Argument(metavar="ID", help="A Message-ID, or the beginning of one that fits no other message.")
]


def mailbox_paths(store: Path) -> list[Path]:
    """Return the mailbox files of a store, by name.

    Raises:
        UserError: There is no such folder, or no mailbox in it.
    """
    from mailgym.mail.schema import MAILBOX_SUFFIX

    if not store.is_dir():
        what = "is no folder" if store.exists() else "does not exist"
        raise UserError(f"{store} {what}: name the folder of mailboxes with --store, or import mail into it first")
    paths = sorted(path for path in store.glob(f"*{MAILBOX_SUFFIX}") if not path.name.startswith("."))
    if not paths:
        raise UserError(f"{store} holds no mailbox: import mail with  mailgym mail import SOURCE --store {store}")
    return paths


def find_mailbox(wanted: str, store: Path) -> Path:
    """Return the file of one mailbox, named as in the store (case aside where that fits one alone) or by its path.

    Raises:
        UserError: There is none, or it may be either of several.
    """
    from mailgym.mail.schema import MAILBOX_SUFFIX

    own = Path(wanted).expanduser()
    if len(own.parts) > 1:
        return own
    if own.name.endswith(MAILBOX_SUFFIX):
        in_store = store / own.name
        if own.exists() and in_store.exists() and not own.samefile(in_store):
            raise UserError(f"{wanted} may be ./{own} or {in_store}: write the one you mean with its folder")
        if own.exists() or not store.is_dir():
            return own
    paths = mailbox_paths(store)
    name = own.name.removesuffix(MAILBOX_SUFFIX)
    exact = [path for path in paths if path.stem == name]
    found = exact or [path for path in paths if path.stem.casefold() == name.casefold()]
    if len(found) == 1:
        return found[0]
    problem = "may be any of" if found else f"is no mailbox in {store}: there is"
    raise UserError(f"{wanted!r} {problem} {name_some([path.stem for path in found or paths])}")


def name_some(names: Sequence[str]) -> str:
    """Name the first few of many."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


@contextmanager
def open_mailboxes(wanted: str | None, store: Path) -> Iterator[dict[str, "Mailbox"]]:
    """Open one mailbox, or all of a store; yields them by name, in order.

    Of a store those are left out into which nothing was ever written, as a kill at the very beginning leaves one.

    Raises:
        UserError: There is no such mailbox, or no store.
        StoreError: A file is damaged, or of another schema version.
    """
    from mailgym.mail.mailbox import Mailbox

    if wanted is not None:
        paths = [find_mailbox(wanted, store)]
    else:
        all_paths = mailbox_paths(store)
        paths = [path for path in all_paths if not path.is_file() or path.stat().st_size] or all_paths
    with ExitStack() as opened:
        mailboxes = {}
        for path in paths:
            try:
                mailboxes[path.stem] = opened.enter_context(Mailbox.open(path))
            except StoreError as error:
                if len(paths) == 1:
                    raise
                raise StoreError(f"{error}; or choose another mailbox with --mailbox NAME") from error
        yield mailboxes


def find_message(mailboxes: dict[str, "Mailbox"], wanted: str) -> tuple[str, list[str]]:
    """Return the whole id of a message, and the names of the mailboxes that hold it.

    A whole id is taken as such, even where it begins another.

    Raises:
        UnknownMessage: No message has an id that begins so.
        UserError: Several messages do; it names them.
    """
    beginning = wanted.strip().removeprefix("<").removesuffix(">")
    if not beginning:
        raise UnknownMessage(f"{wanted!r} is no id: write one that  mailgym mail search  shows")
    found: dict[str, list[str]] = {}
    for name, mailbox in mailboxes.items():
        for message_id in mailbox.ids_beginning_with(beginning, MOST_NAMED + 1):
            found.setdefault(message_id, []).append(name)
    if beginning in found:
        return beginning, found[beginning]
    if len(found) == 1:
        return next(iter(found.items()))
    if not found:
        where = name_some(list(mailboxes))
        raise UnknownMessage(f"no message {wanted!r:.80} in {where}: use an id that  mailgym mail search  shows")
    some = name_some([f"<{message_id}>" for message_id in sorted(found)][:MOST_NAMED])
    several = f"{len(found)}" if len(found) <= MOST_NAMED else f"more than {MOST_NAMED}"
    raise UserError(f"{wanted!r:.80} fits {several} messages: {some}; write more of the id")


def short_id(mailboxes: dict[str, "Mailbox"], message_id: str) -> str:
    """Return the shortest beginning of an id, of 8 characters at least, that fits no other message here.

    It is 8, 12, 16 or so on characters long; the whole id where nothing shorter tells it from others.
    """

    def is_telling(length: int) -> bool:
        fitting = (found for box in mailboxes.values() for found in box.ids_beginning_with(message_id[:length], 2))
        return all(found == message_id for found in fitting)

    lengths = range(LEAST_ID_CHARACTERS, len(message_id), 4)
    for length in lengths[bisect_left(lengths, True, key=is_telling) :]:  # ids may share a beginning of any length
        beginning = message_id[:length]
        if beginning == beginning.strip() and not beginning.endswith(">"):
            return beginning
    return message_id
