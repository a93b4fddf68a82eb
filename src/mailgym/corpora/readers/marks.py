"""Flags, labels and folders as mail programs write them: keywords, status headers, Gmail's labels."""

import csv
import re
from collections.abc import Iterable
from email.errors import HeaderParseError
from email.header import decode_header
from typing import NamedTuple

FLAGS = ("seen", "answered", "flagged", "forwarded", "draft", "deleted", "spam")
"""Every flag there is, in the order in which a message carries them."""

_MOST_HEADER_BYTES = 1 << 18
_FIELDS = re.compile(
    rb"^(status|x-status|x-mozilla-status|x-mozilla-keys|x-keywords|x-gmail-labels):[ \t]*(.*(?:\n[ \t].*)*)",
    re.IGNORECASE | re.MULTILINE,
)
_HINT = rb"([XxSsCc](?:-(?:[Ss][Tt]|[Mm]oz|[Kk][Ee]|[Gg][Mm])|[Tt][Aa][Tt]|ontent-[Ll]))"
_STOP, _STOP_CR = re.compile(rb"\n(?:\r?\n|" + _HINT + rb")"), re.compile(rb"\r(?:\r|" + _HINT + rb")")
_FIRST_HINT = re.compile(_HINT)
_STATUS_FLAGS = {"R": "seen", "A": "answered", "F": "flagged", "T": "draft", "D": "deleted"}
_MOZILLA_FLAGS = (
    (0x0001, "seen"),
    (0x0002, "answered"),
    (0x0004, "flagged"),
    (0x1000, "forwarded"),
    (0x0008, "deleted"),
)
_KEYWORD_FLAGS = {
    "$forwarded": "forwarded",
    "forwarded": "forwarded",
    "$junk": "spam",
    "junk": "spam",
    "$phishing": "spam",
}
_SILENT_KEYWORDS = frozenset({"$notjunk", "notjunk", "nonjunk", "$nonjunk", "$mdnsent", "$signed", "$encrypted"})

_GMAIL_FOLDERS = {
    "Trash": ("trash", "bin", "papierkorb", "corbeille", "papelera", "cestino", "lixeira", "prullenbak"),
    "Spam": ("spam", "courrier indésirable"),
    "Drafts": ("draft", "drafts", "entwürfe", "entwurf", "brouillons", "borradores", "bozze", "rascunhos", "concepten"),
    "Inbox": ("inbox", "posteingang", "boîte de réception", "recibidos", "posta in arrivo", "caixa de entrada"),
    "Sent": ("sent", "gesendet", "messages envoyés", "enviados", "posta inviata", "verzonden"),
    "Archive": ("archived", "archive", "archiviert", "archivé", "archivado", "archiviato", "arquivado", "gearchiveerd"),
}
"""Gmail's own labels in several languages, the most telling first: what is in the bin is not in the inbox."""
_GMAIL_FLAGS = {
    "flagged": ("starred", "markiert", "suivis", "destacados", "speciali", "com estrela", "met ster"),
    "unread": ("unread", "ungelesen", "non lus", "no leídos", "da leggere", "não lidas", "ongelezen"),
    "seen": ("opened", "geöffnet", "ouvert", "abierto", "aperto", "aberto", "geopend"),
    "draft": _GMAIL_FOLDERS["Drafts"],
    "spam": _GMAIL_FOLDERS["Spam"],
    "deleted": _GMAIL_FOLDERS["Trash"],
}
_FOLDER_OF_LABEL = {word: folder for folder, words in _GMAIL_FOLDERS.items() for word in words}
_FLAG_OF_LABEL = {word: flag for flag, words in _GMAIL_FLAGS.items() for word in words}


class Marks(NamedTuple):
    """What the headers of a stored message say its owner did with it.

    Attributes:
        folder: The folder, None where the headers name none.
        flags: In the order of :data:`FLAGS`.
        labels: As written.
    """

    folder: str | None
    flags: tuple[str, ...]
    labels: tuple[str, ...]


NO_MARKS = Marks(None, (), ())


def in_order(flags: Iterable[str]) -> tuple[str, ...]:
    """Return flags once each, in the order of :data:`FLAGS`."""
    given = frozenset(flags)
    return tuple(flag for flag in FLAGS if flag in given)


def sort_keywords(keywords: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Tell keywords that are flags (``$Forwarded``, ``$Junk``) from those that are the owner's labels.

    Returns:
        Flags, and labels as written, once each; keywords that only programs use are left out.
    """
    flags, labels = set(), []
    for keyword in dict.fromkeys(keywords):
        lower = keyword.lower()
        if lower in _KEYWORD_FLAGS:
            flags.add(_KEYWORD_FLAGS[lower])
        elif keyword and lower not in _SILENT_KEYWORDS:
            labels.append(keyword)
    return frozenset(flags), tuple(labels)


def marked_headers(raw: bytes) -> bytes:
    """Return the headers of a message where :func:`read_marks` or a Content-Length may find something, else nothing.

    One quick look that ends with the headers: most mail has none of these marks.
    """
    if raw[:1] in (b"\n", b"\r", b""):
        return b""
    if not _FIRST_HINT.match(raw):
        stop = _STOP.search(raw, 0, _MOST_HEADER_BYTES) or _STOP_CR.search(raw, 0, _MOST_HEADER_BYTES)
        if stop is None or not stop.lastindex:
            return b""
    return raw[: header_end(raw)]


def read_marks(headers: bytes) -> Marks:
    """Read what the headers say of folder, flags and labels.

    Status and X-Status (R seen, A answered, F flagged, T draft, D deleted), X-Mozilla-Status and X-Mozilla-Keys,
    X-Keywords, and X-Gmail-Labels, which name the folder as well.

    Args:
        headers: A message's headers, with any line ends (see :func:`header_end`).
    """
    if not headers:
        return NO_MARKS
    fields: dict[str, str] = {}
    for name, value in _FIELDS.findall(headers.replace(b"\r\n", b"\n").replace(b"\r", b"\n")):
        fields.setdefault(
            name.decode("ascii").lower(), re.sub(r"\n[ \t]", " ", value.decode("utf-8", "replace")).strip()
        )
    flags = {
        _STATUS_FLAGS[letter]
        for name in ("status", "x-status")
        for letter in fields.get(name, "")
        if letter in _STATUS_FLAGS
    }
    flags.update(_mozilla_flags(fields.get("x-mozilla-status", "")))
    keyword_flags, labels = sort_keywords(
        word for name in ("x-keywords", "x-mozilla-keys") for word in fields.get(name, "").split()
    )
    flags |= keyword_flags
    folder = None
    if fields.get("x-gmail-labels"):
        folder, gmail_flags, gmail_labels = read_gmail_labels(fields["x-gmail-labels"])
        flags.update(gmail_flags)
        labels = tuple(dict.fromkeys((*gmail_labels, *labels)))
    return Marks(folder, in_order(flags), labels)


def read_gmail_labels(value: str) -> Marks:
    """Read the X-Gmail-Labels header of a Takeout.

    The folder is the most telling of Gmail's own labels (Trash, Spam, Drafts, Inbox, Sent, Archive); mail that has
    only other labels of Gmail's is in the archive. A message is seen unless it is marked as unread. Takeout writes
    these labels in the owner's language: those of English, German, French, Spanish, Italian, Portuguese and Dutch are
    known; in another language the folder stays empty. All labels are kept, these too.

    Args:
        value: The header's value on one line, encoded words and quotes as written.
    """
    text = _decode_words(value)
    try:
        rows = list(csv.reader([text], skipinitialspace=True))
    except csv.Error:
        rows = [text.split(",")]
    labels = tuple(dict.fromkeys(label.strip() for row in rows for label in row if label.strip()))
    lower = [label.casefold() for label in labels]
    folders = {_FOLDER_OF_LABEL[label] for label in lower if label in _FOLDER_OF_LABEL}
    found = {_FLAG_OF_LABEL[label] for label in lower if label in _FLAG_OF_LABEL}
    folder = next((name for name in _GMAIL_FOLDERS if name in folders), "Archive" if found else "")
    if "unread" not in found:
        found.add("seen")
    else:
        found.discard("seen")
    return Marks(folder, in_order(found), labels)


def header_end(raw: bytes) -> int:
    """Return where the headers of a message end: the place of the empty line after them, or the message's length.

    Lines end with LF, CRLF or CR; a message that begins with an empty line has no headers.
    """
    if raw[:1] in (b"\n", b"\r"):
        return 0
    first = raw.find(b"\n", 0, _MOST_HEADER_BYTES)
    mark = b"\r\r" if first < 0 else b"\n\r\n" if raw[first - 1 : first] == b"\r" else b"\n\n"
    end = raw.find(mark, 0, _MOST_HEADER_BYTES)
    return end + 1 if end >= 0 else min(len(raw), _MOST_HEADER_BYTES)


def _mozilla_flags(value: str) -> set[str]:
    try:
        bits = int(value, 16)
    except ValueError:
        return set()
    return {flag for bit, flag in _MOZILLA_FLAGS if bits & bit}


def _decode_words(value: str) -> str:
    if "=?" not in value:
        return value
    try:
        parts = decode_header(value)
    except (HeaderParseError, ValueError):
        return value
    text = ""
    for part, charset in parts:
        if isinstance(part, str):
            text += part
            continue
        try:
            text += part.decode(charset or "ascii", "replace")
        except LookupError:
            text += part.decode("utf-8", "replace")
    return text
