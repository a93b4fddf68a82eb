"""Collects what a reader sees of a message, part by part: its text, the text inside it, its attachments."""

import re
from dataclasses import dataclass, field

from mailgym.mail.charset import decode_bytes
from mailgym.mail.flowed import unflow
from mailgym.mail.headers import decode_words, printable, unescape_8bit
from mailgym.mail.html import html_to_text, named_charset, strip_enriched
from mailgym.mail.invitation import calendar_to_text
from mailgym.mail.message import Attachment
from mailgym.mail.mime import MESSAGE, Part, likely_boundary, read_part, split_multipart
from mailgym.mail.tnef import read_tnef
from mailgym.mail.transfer import UU_BEGIN, decode_transfer, decode_uu

MAX_DEPTH = 30
_FORMS = frozenset(("text/plain", "text/html", "text/enriched", "text/richtext"))
_MESSAGES = frozenset(("message/rfc822", "message/global", "message/news"))
_HEADERS = frozenset(("text/rfc822-headers", "message/rfc822-headers", "message/global-headers"))
_REPORTS = frozenset(
    (
        "message/delivery-status",
        "message/global-delivery-status",
        "message/disposition-notification",
        "message/feedback-report",
    )
)
_TNEF = frozenset(("application/ms-tnef", "application/vnd.ms-tnef"))
_EXTENSIONS = {
    "text/plain": "txt",
    "text/calendar": "ics",
    "image/jpeg": "jpg",
    "application/pgp-signature": "asc",
    "application/octet-stream": "bin",
    "application/ms-tnef": "dat",
}
_MIME_NOTE = re.compile(rb"mime|multi-?part", re.IGNORECASE)
_STUB = re.compile(
    r"\b(?:does not|doesn.t|cannot|can.t|unable to) (?:support|display|read|view|show)[^.]{0,40}\bhtml\b|\bhtml[- ]"
    r"(?:capable|enabled|compatible|format|version|e-?mail|message)|\bview (?:it|this|the)\b[^.]{0,60}"
    r"\b(?:browser|online)",
    re.IGNORECASE,
)
MOST_STUB_CHARS = 400
_SHOWN_HEADERS = ("from", "to", "cc", "date", "subject")


@dataclass(slots=True)
class Content:
    """What was collected so far.

    Attributes:
        defects: Takes what is wrong.
        charset: Of header bytes that name none.
        texts: What stands in the message itself, in order.
        attached_texts: What stands in messages inside it.
        attachments: Its files, those of messages inside it included.
    """

    defects: list[str]
    charset: str = ""
    texts: list[str] = field(default_factory=list)
    attached_texts: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)

    def add(self, part: Part, depth: int = 0) -> None:
        """Take in one part and what it holds."""
        media = part.media.value
        if depth > MAX_DEPTH:
            self.defects.append(f"parts nested deeper than {MAX_DEPTH} were taken as text")
            self.texts.append(decode_bytes(part.body, part.charset, self.defects))
        elif media.startswith("multipart/"):
            self._add_multipart(part, depth)
        elif media in _MESSAGES:
            self._add_message(part, depth)
        elif media in _HEADERS:
            self._add_headers(part)
        elif media in _REPORTS:
            self.texts.append(decode_bytes(self._bytes(part), part.charset, self.defects))
        elif self._is_shown(part, depth):
            self._add_text(part)
            if part.file_name:
                self._add_attachment(part)
        else:
            self._add_attachment(part)

    def _is_shown(self, part: Part, depth: int) -> bool:
        """Return whether a part is text to be read in place, not a file."""
        media, disposition = part.media.value, part.disposition.value
        if not media.startswith("text/"):
            return False
        if depth == 0:
            return True
        if disposition == "attachment":
            return False
        return not part.file_name or (disposition == "inline" and media in ("text/plain", "text/html"))

    def _add_multipart(self, part: Part, depth: int) -> None:
        body = part.body
        boundary = part.media.parameters.get("boundary", "") or likely_boundary(body)
        split = split_multipart(body, boundary, self.defects) if boundary else None
        if (split is None or not split.parts) and part.encoding in ("base64", "quoted-printable"):
            body = self._bytes(part)
            split = split_multipart(body, boundary, self.defects) if boundary else None
        if (split is None or not split.parts) and (guess := likely_boundary(body)):
            self.defects.append("multipart boundary was guessed")
            split = split_multipart(body, guess, self.defects)
        if split is None or not split.parts:
            self.defects.append("multipart without its boundary: taken as text")
            self.texts.append(decode_bytes(body, part.charset, self.defects))
            return
        default = {"default": MESSAGE} if part.media.value == "multipart/digest" else {}
        parts = [read_part(inner, self.defects, **default) for inner in split.parts]
        if part.media.value == "multipart/alternative":
            self._add_alternative(parts, depth)
        else:
            for inner in parts:
                self.add(inner, depth + 1)
        if depth == 0 and not self.has_text:
            self._add_outside(split.preamble, split.epilogue)

    def _add_outside(self, preamble: bytes, epilogue: bytes) -> None:
        """Take what stands outside the parts of a message that has no text inside them."""
        for piece in (preamble, epilogue):
            if piece.strip() and not (len(piece) < 500 and _MIME_NOTE.search(piece)):
                self.defects.append("text stands outside the parts")
                self.texts.append(decode_bytes(piece, self.charset, self.defects))

    def _add_alternative(self, parts: list[Part], depth: int) -> None:
        """Show one form of the text, plain if there is one; and what else there is beside the forms.

        Each part is read once: alternatives in alternatives take no more time than other parts do.
        """
        known: dict[int, Content] = {}

        def read(part: Part) -> Content:
            if id(part) not in known:
                known[id(part)] = self._read(part, depth)
            return known[id(part)]

        plain = [p for p in parts if p.media.value == "text/plain" and p.disposition.value != "attachment"]
        shown = {id(part) for part in plain if read(part).holds_any}
        texts = [text for part in plain if id(part) in shown for text in read(part).texts]
        size = sum(map(len, texts))
        if not shown or (size < MOST_STUB_CHARS and any(map(_STUB.search, texts))):
            others = [p for p in parts if p.media.value in _FORMS or p.media.value.startswith("multipart/")]
            for part in reversed([p for p in others if id(p) not in shown]):
                if read(part).has_text and sum(map(len, read(part).texts)) > size:
                    shown = {id(part)}
                    break
        is_plain = any(id(part) in shown for part in plain)
        for part in parts:
            is_other_form = part.media.value.startswith("multipart/")
            if id(part) not in shown and not is_other_form and part.media.value in _FORMS:
                continue
            content = read(part)
            if is_other_form and is_plain:
                content.texts.clear()
            self.charset = self.charset or content.charset
            self.texts.extend(content.texts)
            self.attached_texts.extend(content.attached_texts)
            self.attachments.extend(content.attachments)

    def _read(self, part: Part, depth: int) -> "Content":
        content = Content(self.defects, self.charset)
        content.add(part, depth + 1)
        return content

    @property
    def has_text(self) -> bool:
        """Whether any text was found, white space apart."""
        return any(text and not text.isspace() for text in (*self.texts, *self.attached_texts))

    @property
    def holds_any(self) -> bool:
        """Whether any text or file was found."""
        return self.has_text or bool(self.attachments)

    def _add_message(self, part: Part, depth: int) -> None:
        data = self._bytes(part)
        inner = read_part(data.lstrip(b"\n"), self.defects)
        inside = Content(self.defects, inner.charset or self.charset)
        inside.add(inner, depth + 1)
        subject = self.first(inner, "subject")
        name = self._file_name(part) or f"{subject or 'message'}.eml"
        self.attachments.append(Attachment(name, part.media.value, len(data)))
        self.attachments.extend(inside.attachments)
        self.attached_texts.extend([subject, *inside.texts, *inside.attached_texts])

    def _add_headers(self, part: Part) -> None:
        """Show the headers of a message of which no more came back."""
        inner = read_part(self._bytes(part).lstrip(b"\n"), self.defects)
        values = ((name, self.first(inner, name)) for name in _SHOWN_HEADERS)
        shown = "\n".join(f"{name.capitalize()}: {value}" for name, value in values if value)
        self.attached_texts.append(shown or decode_bytes(part.body, part.charset, self.defects))

    def first(self, part: Part, name: str) -> str:
        """Return a header's first value that is not empty, decoded, on one line."""
        for value in part.headers.get(name, ()):
            text = decode_words(unescape_8bit(value, self.charset, self.defects), self.defects)
            if text:
                return text
        return ""

    def _add_text(self, part: Part) -> None:
        media = part.media.value
        content = self._bytes(part)
        charset = part.charset
        self.charset = self.charset or charset
        if media == "text/html":
            text = decode_bytes(content, charset or named_charset(content), self.defects)
            self.texts.append(html_to_text(text, self.defects))
            return
        if b"begin " in content and media == "text/plain":
            content = self._without_uuencoded(content)
        text = decode_bytes(content, charset, self.defects)
        if media == "text/plain":
            parameters = part.media.parameters
            if parameters.get("format", "").lower() == "flowed":
                text = unflow(text, parameters.get("delsp", "").lower() == "yes")
        elif media == "text/calendar":
            if not part.file_name:
                self._add_attachment(part)
            text = calendar_to_text(text) or text
        elif media in ("text/enriched", "text/richtext"):
            text = strip_enriched(text)
        self.texts.append(text)

    def _without_uuencoded(self, content: bytes) -> bytes:
        """Take uuencoded files out of plain text, as attachments."""
        kept: list[bytes] = []
        start = position = 0
        while begin := UU_BEGIN.search(content, position):
            position = begin.end()
            file = decode_uu(content, position)
            if file is not None:
                data, position = file
                name = printable(decode_bytes(begin[1], "", self.defects))
                self.attachments.append(Attachment(name, "application/octet-stream", len(data)))
                kept.append(content[start : begin.start()])
                start = position
        return b"".join([*kept, content[start:]])

    def _add_attachment(self, part: Part) -> None:
        media = part.media.value
        content = self._bytes(part)
        name = self._file_name(part) or f"unnamed.{_EXTENSIONS.get(media) or media.rpartition('/')[2]}"
        self.attachments.append(Attachment(name, media, len(content)))
        if media in _TNEF or name.lower() == "winmail.dat":
            self._add_tnef(content)

    def _add_tnef(self, content: bytes) -> None:
        inside = read_tnef(content)
        if inside is None:
            self.defects.append("TNEF could not be read")
            return
        for file in inside.files:
            name = printable(file.name) or "unnamed.bin"
            self.attachments.append(Attachment(name, "application/octet-stream", file.size_bytes))
        if inside.text.strip():
            self.attached_texts.append(decode_bytes(inside.text, inside.code_page, self.defects))

    def _bytes(self, part: Part) -> bytes:
        return decode_transfer(part.body, part.encoding, self.defects)

    def _file_name(self, part: Part) -> str:
        name = part.file_name
        return decode_words(unescape_8bit(name, self.charset, self.defects), self.defects) if name else ""
