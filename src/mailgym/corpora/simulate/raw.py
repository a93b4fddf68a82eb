"""Writes a mail down as the bytes that a mail program sends: RFC 5322 with MIME, quoted replies and attachments."""

import base64
import html
from email.header import Header
from email.utils import format_datetime

from mailgym.corpora.simulate.matters import Mail
from mailgym.corpora.simulate.people import Person

BOUNDARY = "=_part_{}"
PROGRAMS = ("Apple Mail (2.3774)", "Microsoft Outlook 16.0", "Mozilla Thunderbird", "K-9 Mail for Android")
QUOTE_DEPTH = 3


def write_mail(mail: Mail) -> bytes:
    """Return a mail as RFC 5322 bytes with CRLF line ends; the same mail gives the same bytes.

    The mail program, and with it the style of quoting, goes by the sender: Outlook prints the original's headers,
    the others write "On ..., ... wrote:" and put ``>`` before each line.
    """
    program = _program(mail.sender)
    text = _own_text(mail) + _quote(mail, "Outlook" in program)
    lines = [
        f"Return-Path: <{mail.sender.address}>",
        f"Message-ID: <{mail.message_id}>",
        f"Date: {format_datetime(mail.sent_at)}",
        f"From: {_mailbox(mail.sender)}",
        "To: " + ",\r\n ".join(_mailbox(person) for person in mail.to),
    ]
    if mail.cc:
        lines.append("Cc: " + ",\r\n ".join(_mailbox(person) for person in mail.cc))
    lines.append(f"Subject: {mail.subject if mail.subject.isascii() else Header(mail.subject, 'utf-8').encode()}")
    if mail.parent is not None:
        lines.append(f"In-Reply-To: <{mail.parent.message_id}>")
        lines.append("References: " + "\r\n ".join(f"<{message_id}>" for message_id in _ancestors(mail)))
    if mail.kind == "newsletter":
        lines.append(f"List-Id: <{mail.sender.address.replace('@', '.')}>")
    lines += [f"X-Mailer: {program}", "MIME-Version: 1.0"]
    content_type, body = _body(mail, text)
    lines += [*content_type, "", body]
    return "\r\n".join(lines).encode("utf-8")


def _mailbox(person: Person) -> str:
    is_plain = person.name.replace(" ", "").isalpha()
    return f"{person.name} <{person.address}>" if is_plain else f'"{person.name}" <{person.address}>'


def _ancestors(mail: Mail) -> list[str]:
    ancestors = []
    parent = mail.parent
    while parent is not None:
        ancestors.append(parent.message_id)
        parent = parent.parent
    return ancestors[::-1]


def _program(sender: Person) -> str:
    return PROGRAMS[sum(sender.address.encode()) % len(PROGRAMS)]


def _own_text(mail: Mail) -> str:
    """Return the text that a mail's sender sent: with the mail that it forwards, as the sender's program shows it."""
    if mail.forwarded is None:
        return mail.text
    inner, is_apple = mail.forwarded, "Apple" in _program(mail.sender)
    divider = "Begin forwarded message:" if is_apple else "---------- Forwarded message ----------"
    sent = f"{inner.sent_at:%a, %d %b %Y at %H:%M}"
    to = ", ".join(_mailbox(person) for person in inner.to)
    head = [f"From: {_mailbox(inner.sender)}", f"Date: {sent}", f"Subject: {inner.subject}", f"To: {to}"]
    return "\n".join([mail.text, "", divider, *head, "", inner.text])


def _quote(mail: Mail, as_original: bool) -> str:
    """Return the quoted text of a reply, at most three mails deep."""
    quoted: list[str] = []
    parent, depth = mail.parent, 1
    while parent is not None and depth <= QUOTE_DEPTH:
        if as_original:
            sent = parent.sent_at.strftime("%A, %d %B %Y %H:%M")
            to = "; ".join(person.name for person in parent.to)
            head = ["-----Original Message-----", f"From: {parent.sender.name}", f"Sent: {sent}", f"To: {to}"]
            quoted += ["", *head, f"Subject: {parent.subject}", "", _own_text(parent)]
        else:
            outer, inner = "> " * (depth - 1), "> " * depth
            sent = parent.sent_at.strftime("%a, %d %b %Y at %H:%M")
            quoted += [outer.rstrip(), f"{outer}On {sent}, {parent.sender.name} <{parent.sender.address}> wrote:"]
            quoted += [f"{inner}{line}".rstrip() for line in _own_text(parent).split("\n")]
        parent, depth = parent.parent, depth + 1
    return "\n" + "".join(f"{line}\n" for line in quoted)


def _body(mail: Mail, text: str) -> tuple[list[str], str]:
    """Return the content headers, and the body with CRLF line ends."""
    plain = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
    text = text.replace("\n", "\r\n")
    boundary = BOUNDARY.format(mail.message_id[:16])
    if mail.attachment:
        content = base64.encodebytes(f"{mail.attachment}: {mail.topic}\n".encode()).decode().strip()
        file_part = "\r\n".join(
            [
                f'Content-Type: application/octet-stream; name="{mail.attachment}"',
                "Content-Transfer-Encoding: base64",
                f'Content-Disposition: attachment; filename="{mail.attachment}"',
                "",
                content,
            ]
        )
        parts = ["\r\n".join([*plain, "", text]), file_part]
        return [f'Content-Type: multipart/mixed; boundary="{boundary}"'], _join(parts, boundary)
    if mail.html:
        paragraphs = "".join(f"<p>{html.escape(part)}</p>" for part in text.split("\r\n\r\n"))
        rich = ["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
        page = f"<html><body>{paragraphs}</body></html>"
        parts = ["\r\n".join([*plain, "", text]), "\r\n".join([*rich, "", page])]
        return [f'Content-Type: multipart/alternative; boundary="{boundary}"'], _join(parts, boundary)
    return plain, text


def _join(parts: list[str], boundary: str) -> str:
    return "".join(f"--{boundary}\r\n{part}\r\n" for part in parts) + f"--{boundary}--\r\n"
