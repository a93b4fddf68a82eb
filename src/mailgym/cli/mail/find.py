"""``mailgym mail search``: mail found by words and filters, in one mailbox or in all of a store."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from mailgym.cli.mail import plain
from mailgym.cli.mail.places import DEFAULT_STORE, OneMailbox, StoreFolder, name_some, open_mailboxes, short_id
from mailgym.cli.options import AsJson
from mailgym.cli.output import console, print_json
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from mailgym.mail.mailbox import Mailbox
    from mailgym.mail.stored import Hit

DEFAULT_HITS, MOST_HITS = 10, 10_000
DAY_WIDTH, PERSON_SHARE, FOLDER_WIDTH = 10, 0.26, 16
LEAST_WIDTH, LEAST_WIDTH_FOR_FOLDERS = 40, 100


@dataclass(slots=True)
class Found:
    """One hit, and the names of the mailboxes that hold it."""

    hit: "Hit"
    mailboxes: list[str]


def register(family: typer.Typer) -> None:
    """Add the command."""
    family.command()(search)


def search(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]...", help="Words; one with blanks in it is a phrase.")
    ] = None,
    mailbox: OneMailbox = None,
    store: StoreFolder = DEFAULT_STORE,
    from_: Annotated[str | None, typer.Option("--from", metavar="WHO", help="Author: address, or words of it.")] = None,
    to: Annotated[str | None, typer.Option("--to", metavar="WHO", help="Recipient (to, cc or bcc).")] = None,
    after: Annotated[str | None, typer.Option("--after", metavar="DATE", help="This day or time, and later.")] = None,
    before: Annotated[str | None, typer.Option("--before", metavar="DATE", help="Earlier than this.")] = None,
    folder: Annotated[str | None, typer.Option("--folder", help="The whole name of a folder, in any case.")] = None,
    has_attachment: Annotated[
        bool | None, typer.Option("--has-attachment/--no-attachment", help="Only mail with, or without, attachments.")
    ] = None,
    n: Annotated[int, typer.Option("-n", min=1, max=MOST_HITS, help="How many hits.")] = DEFAULT_HITS,
    offset: Annotated[int, typer.Option("--offset", min=0, help="How many hits to leave out first.")] = 0,
    sort: Annotated[
        str, typer.Option("--sort", metavar="ORDER", help="rank (best first) or date (newest first).")
    ] = "rank",
    all_words: Annotated[bool, typer.Option("--all-words", help="Every word must be there; else any of them.")] = False,
    as_json: AsJson = False,
) -> None:
    """Search mail by words and filters, the best match first.

    A word matches in any of its forms. Without --mailbox all mailboxes of the store are searched: first comes the
    best of each, then the second best of each, and so on, since ranks of different mailboxes cannot be compared;
    with --sort date simply the newest.
    """
    filters = {"from_": from_, "to": to, "after": after, "before": before, "folder": folder}
    keywords = typed_keywords(words or [])
    with open_mailboxes(mailbox, store) as mailboxes:
        if len(mailboxes) > 1 and offset + n > MOST_HITS:
            most = f"-n and --offset together reach {MOST_HITS:,} hits at most"
            raise UserError(f"{most} where several mailboxes are searched: choose one with --mailbox NAME")
        one_more = min(n + 1, MOST_HITS if len(mailboxes) == 1 else MOST_HITS - offset)
        how: dict[str, Any] = {
            **filters,
            "has_attachment": has_attachment,
            "sort": cast(Literal["rank", "date"], sort),
            "match": "all" if all_words else "any",
        }
        found = search_all(mailboxes, keywords, one_more, offset, how)
        if as_json:
            searched = [{"mailbox": name, "messages": len(box)} for name, box in mailboxes.items()]
            print_json({"searched": searched, "hits": [_facts(one) for one in found[:n]]})
        elif found:
            _show_hits(found[:n], mailboxes, keywords)
            if len(found) > n:
                plain.print_text(f"there is more: --offset {offset + n}", plain.QUIET_STYLE)
        else:
            beyond = f" beyond the first {offset:,}" if offset else ""
            plain.print_text(f"nothing found{beyond} in {_searched(mailboxes)}: {_asked(keywords, how)}")


def typed_keywords(words: list[str]) -> str:
    """Return what was typed as one string of keywords: a word of the shell with blanks in it is a phrase."""
    return " ".join(f'"{word}"' if len(word.split()) > 1 and '"' not in word else word for word in words)


def search_all(
    mailboxes: "dict[str, Mailbox]", keywords: str, limit: int, offset: int, how: dict[str, Any]
) -> list[Found]:
    """Search every mailbox and merge the hits: by place in each, the newest first, or by date.

    A message that several mailboxes hold is one hit, at its best place.
    """
    if len(mailboxes) == 1:
        ((name, mailbox),) = mailboxes.items()
        return [Found(hit, [name]) for hit in mailbox.search(keywords, limit=limit, offset=offset, **how)]
    lists = {name: box.search(keywords, limit=offset + limit, **how) for name, box in mailboxes.items()}
    merged: dict[tuple[Any, ...], Found] = {}
    for name, hit in _in_order(lists, by_date=how["sort"] == "date"):
        key = (hit.message_id, hit.date, hit.subject, hit.from_)
        merged.setdefault(key, Found(hit, [])).mailboxes.append(name)
    return list(merged.values())[offset : offset + limit]


def _in_order(lists: "dict[str, list[Hit]]", by_date: bool) -> "Iterable[tuple[str, Hit]]":
    def newest_first(pair: "tuple[str, Hit]") -> float:
        return -pair[1].date.timestamp() if pair[1].date else float("inf")

    named = [[(name, hit) for hit in hits] for name, hits in lists.items()]
    if by_date:
        yield from sorted((pair for pairs in named for pair in pairs), key=newest_first)
        return
    for level in zip_longest(*named):
        yield from sorted((pair for pair in level if pair is not None), key=newest_first)


def _facts(found: Found) -> dict[str, Any]:
    hit = found.hit
    return {
        "message_id": hit.message_id,
        "mailboxes": found.mailboxes,
        "date": hit.date.isoformat() if hit.date else None,
        "from": {"name": hit.from_.name, "address": hit.from_.address},
        "to": [{"name": person.name, "address": person.address} for person in hit.to],
        "subject": hit.subject,
        "folder": hit.folder,
        "snippet": hit.snippet,
        "score": hit.score,
    }


def _searched(mailboxes: "dict[str, Mailbox]") -> str:
    total = sum(len(box) for box in mailboxes.values())
    where = plain.one_line(next(iter(mailboxes))) if len(mailboxes) == 1 else f"{len(mailboxes)} mailboxes"
    return f"{where} ({plain.counted(total, 'message')})"


def _asked(keywords: str, how: dict[str, Any]) -> str:
    """Say what was searched for, as it was understood."""
    words = [f"{'all' if how['match'] == 'all' else 'any'} of {keywords}"] if keywords.strip() else []
    given = {name.rstrip("_"): value for name, value in how.items() if name not in ("sort", "match", "has_attachment")}
    words += [f"{name} {value}" for name, value in given.items() if value]
    if how["has_attachment"] is not None:
        words.append("with attachments" if how["has_attachment"] else "without attachments")
    return plain.one_line(", ".join(words))


def _show_hits(hits: list[Found], mailboxes: "dict[str, Mailbox]", keywords: str) -> None:
    """Print each hit in three lines: date, people and subject; where the words stand; how to read it."""
    from rich.text import Text

    target = console()
    terms = keywords.replace('"', " ").split()
    widths = _widths(max(target.width, LEAST_WIDTH))
    heads = ("date", "from", "subject", "folder")
    _print_row([plain.fit(*cell) for cell in zip(heads, widths, strict=False)], target, "bold")
    for found in hits:
        hit = found.hit
        subject = plain.one_line(hit.subject) or "(no subject)"
        values = (plain.day_words(hit.date), plain.person_words(hit.from_), subject, plain.one_line(hit.folder))
        cells = [plain.fit(*cell) for cell in zip(values, widths, strict=False)]
        plain.mark_words(cells[2], terms)
        _print_row(cells, target)
        snippet = Text(plain.one_line(hit.snippet))
        plain.mark_words(snippet, terms)
        _print_indented(snippet, target)
        shown = plain.typed_id(short_id(mailboxes, hit.message_id))
        where = f"  in {name_some(found.mailboxes)}" if len(mailboxes) > 1 else ""
        _print_indented(Text(plain.visible(f"id {shown}{where}"), style=plain.QUIET_STYLE), target)


def _widths(total: int) -> list[int]:
    """Return the widths of date, author, subject and, where there is room for it, folder, in terminal cells."""
    person = int((total - DAY_WIDTH) * PERSON_SHARE)
    subject = total - DAY_WIDTH - person - 4
    if total < LEAST_WIDTH_FOR_FOLDERS:
        return [DAY_WIDTH, person, subject]
    return [DAY_WIDTH, person, subject - FOLDER_WIDTH - 2, FOLDER_WIDTH]


def _print_row(cells: "list[Text]", target: "Console", style: str = "") -> None:
    from rich.text import Text

    row = Text("  ").join(cells)
    row.rstrip()
    target.print(row, style=style)


def _print_indented(text: "Text", target: "Console") -> None:
    from rich.text import Text

    if not text.plain:
        return
    lines = text.wrap(target, target.width - 2) if target.is_terminal else [text]
    for line in lines:
        line.rstrip()
        target.print(Text("  ") + line)
