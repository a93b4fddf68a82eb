"""Fills a template: people, times and alternatives into its slots, and a person's manners around its text."""

import random
import re
from dataclasses import dataclass

from mailgym.envs.dressing import in_some_case, of_some_length, with_marks, with_or_without_hyphen
from mailgym.envs.triage.books import Book, Due, MailTemplate
from mailgym.envs.triage.schema import Category

Phrase = tuple[str, float]

AT: dict[Due, tuple[Phrase, ...]] = {
    "hour": (("in ten minutes", 0.2), ("in twenty minutes", 0.35), ("in half an hour", 0.5), ("at 9:45", 0.75)),
    "today": (("today at noon", 3.0), ("at 2 pm today", 5.0), ("at 3:30 this afternoon", 6.5), ("at 5 today", 8.0)),
    "tomorrow": (("tomorrow at nine", 24.0), ("tomorrow at noon", 27.0), ("tomorrow at 4 pm", 31.0)),
    "week": (("on Thursday at ten", 49.0), ("on Thursday afternoon", 54.0), ("on Friday", 74.0)),
    "next_week": (("on Monday", 145.0), ("next Tuesday", 168.0), ("on Wednesday next week", 192.0)),
    "month": (("in three weeks", 504.0), ("in five weeks", 840.0)),
}
BY: dict[Due, tuple[Phrase, ...]] = {
    "hour": (("within ten minutes", 0.2), ("in the next half hour", 0.5), ("before 9:45", 0.75), ("before ten", 1.0)),
    "today": (("by noon", 3.0), ("before 2 pm", 5.0), ("by four this afternoon", 7.0), ("by the end of today", 9.0)),
    "tomorrow": (("by tomorrow morning", 24.0), ("by noon tomorrow", 27.0), ("by tomorrow evening", 34.0)),
    "week": (("by Thursday morning", 48.0), ("by Thursday evening", 58.0), ("by Friday", 74.0)),
    "next_week": (("by Monday", 145.0), ("by Tuesday next week", 168.0), ("by the middle of next week", 192.0)),
    "month": (("within three weeks", 504.0), ("by the end of the month", 600.0)),
}
"""How people say when, seen from nine o'clock on a Tuesday early in a month, and how many hours from then that is."""

NOW_H = 0.0
UNDATED_H: dict[Category, float] = {"work": 2000.0, "personal": 2100.0}
LAST_H: dict[Category, float] = {"newsletter": 3000.0, "spam": 4000.0}
"""What has no date comes after what has one, work before private matters; newsletters and spam come last."""

GREETINGS = {
    "colleague": ("Hi {owner},", "{owner},", "Hello {owner},", "Morning {owner},", "Hi,", ""),
    "client": ("Dear {owner},", "Hello {owner},", "Good morning {owner},", "Hi {owner},", "Good morning,"),
    "friend": ("Hey {owner}!", "hi {owner}", "{owner}!", "Hey,", "Dear {owner},", ""),
}
SIGN_OFFS = {
    "colleague": (
        "Thanks\n{sender}",
        "{sender}",
        "Best,\n{sender}",
        "Cheers, {sender}",
        "Thanks, {sender}\n-- \n{sender_full} | {company}",
        "/{sender}",
    ),
    "client": (
        "Best regards\n{sender_full}\n{sender_company}",
        "Kind regards,\n{sender_full}",
        "Regards\n{sender}\n\n{sender_full}, {sender_company}",
        "Many thanks,\n{sender}",
    ),
    "friend": ("x {sender}", "{sender}", "Hugs, {sender}", "See you\n{sender}", "Love, {sender}", ""),
}
FOOTERS = (
    "This message and what is attached to it are meant for the person named above. If it came to you by mistake, "
    "please tell us and delete it.",
    "{sender_full} · 12 Quay Street · Registered under number 0{n}77 · Directors are named on our website.",
    "We keep your address as long as the law asks us to; how we use it is told on our website.",
    "You can reach us on weekdays. Outside our hours a machine takes your call and writes down what you say.",
    "Sent to {owner_full} by our mail system. Reference {n}/{n}-A.",
    "Questions? Answers to most of them are at http://www.help-{n}.example, and the rest we answer on weekdays.",
    "Is this not meant for you? Then please tell us, and delete it. Our office: 40{n} Mill Lane, tel. 0{n} 55{n}.",
    "Visit us: http://www.site-{n}.example · Open 9 to 5 · Sum of all calls last year: 1{n}, thank you!",
)
"""Below mail of whoever writes from a firm, whatever it is about: neither a category nor a rank follows from one."""
SERVERS = ("mx-2", "out-7", "mail", "e-mail", "bulk-1", "post-3")
SERVER_SHARE = 0.4
PRIVATE = "postbox.example"
CLIENT_PRIVATE_SHARE, LIST_PRIVATE_SHARE, SIGNED_SHARE = 0.3, 0.3, 0.65
FRIEND_FROM_WORK_SHARE = 0.45
"""How often clients, senders of newsletters and spam, and friends write from an address that tells less of them."""
SALUTED = re.compile(r"\W*(dear|hello|hi|hey|good (morning|day)|to )", re.IGNORECASE)
PHONE = "Sent from my phone, please excuse typos"
SLOTS = re.compile(r"\{\w+\}")
ALTERNATIVES = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
LONG_WORD = re.compile(r"\b[a-z]{5,}\b")
TYPO_SHARE, PHONE_SHARE, QUOTE_SHARE, LOWER_SHARE, FOOTER_SHARE = 0.2, 0.1, 0.25, 0.08, 0.55


@dataclass(frozen=True, slots=True)
class Letter:
    """A filled template.

    Attributes:
        template: What it was made from.
        sender_name: Who wrote it; empty where they give no name.
        sender_address: Their address.
        subject: The subject.
        text: The whole text.
        hours: By when it must be handled, in hours from now, as far as order goes.
        draft: A whole draft that answers it; empty where none is due.
    """

    template: MailTemplate
    sender_name: str
    sender_address: str
    subject: str
    text: str
    hours: float
    draft: str


def write_letter(book: Book, template: MailTemplate, owner: str, draws: random.Random) -> Letter:
    """Fill a template of a book for one owner."""
    name, address, sender_company, manners = _sender(book, template, draws)
    others = [person for person in book.people if person != name]
    other, other_2 = draws.sample(others, 2)
    client = draws.choice([client for client in book.clients if client[0] != name])
    at, by = (_when(table, template.due, draws) for table in (AT, BY))
    slots = {
        "owner": owner.split(maxsplit=1)[0],
        "owner_full": owner,
        "sender": name.split()[0] if name else "",
        "sender_full": name,
        "sender_company": sender_company,
        "other": other.split()[0],
        "other_full": other,
        "other2": other_2.split()[0],
        "client": client[0],
        "client_company": client[1],
        "friend": draws.choice([friend for friend in book.friends if friend != name]).split()[0],
        "company": book.company,
        "domain": book.domain,
        "at": at[0],
        "by": by[0],
        "n": str(draws.randint(201, 989)),
        "amount": f"{draws.randint(11, 94) * 50:,}",
    }
    text = with_marks(_fill(template.text, slots, draws), draws)
    if manners:
        text = _manners(text, manners, book, slots, draws)
    if manners != "friend" and draws.random() < FOOTER_SHARE:
        footers = draws.sample(FOOTERS, draws.choice((1, 1, 2)))
        text = "\n\n".join([text, *(footer.format_map(slots) for footer in footers)])
    draft = _fill(template.reply, slots, draws)
    if draft:
        draft = f"Hello {slots['sender']},\n\n{draft}\n\nBest regards,\n{slots['owner']}"
    hours = by[1] if "{by}" in template.text + template.subject else at[1]
    subject = _fill(template.subject, slots, draws)
    if not {"{by}", "{at}"} & set(SLOTS.findall(template.subject)):  # a time may stand there alone
        subject = of_some_length(subject, draws, text, draft)
    subject = in_some_case(subject, draws)
    return Letter(template, name, address, subject, text, _hours(template, hours), draft)


def _sender(book: Book, template: MailTemplate, draws: random.Random) -> tuple[str, str, str, str]:
    """Return name, address and company of who writes, and whose manners they have; empty for machines."""
    if template.sender == "client":
        name, company, domain = draws.choice(book.clients)
        domain = PRIVATE if draws.random() < CLIENT_PRIVATE_SHARE else domain
        return name, f"{_mailbox(name)}@{domain}", company, "client"
    if template.sender == "colleague":
        name = draws.choice(book.people)
        return name, f"{_mailbox(name)}@{book.domain}", book.company, "colleague"
    if template.sender == "friend":
        name = draws.choice(book.friends)
        at_work = draws.random() < FRIEND_FROM_WORK_SHARE
        domain = draws.choice([client[2] for client in book.clients]) if at_work else PRIVATE
        return name, f"{_mailbox(name) if at_work else name.lower().replace(' ', '')}@{domain}", "", "friend"
    name, _, address = template.sender.rpartition("<")
    user, _, domain = address.rstrip(">").partition("@")
    if domain == book.domain or name.strip() in book.people:  # a machine of the house, or who claims to be a colleague
        domain = domain if domain == book.domain else _dressed(domain, draws)
        return name.strip(), f"{user}@{domain}", "", ""
    company, manners = name.strip(), ""
    is_list = template.category in ("spam", "newsletter")
    domain = PRIVATE if is_list and draws.random() < LIST_PRIVATE_SHARE else _dressed(domain, draws)
    if draws.random() < SIGNED_SHARE:
        name, manners = draws.choice(book.strangers), "client"
        user = _mailbox(name)
    return name.strip(), f"{user}@{domain}", company, manners


def _mailbox(name: str) -> str:
    return name.lower().replace(" ", ".")


def _dressed(domain: str, draws: random.Random) -> str:
    """Return a domain as senders of every sort have it: with hyphens or without, now and then a server before it."""
    domain = with_or_without_hyphen(domain, draws)
    return f"{draws.choice(SERVERS)}.{domain}" if draws.random() < SERVER_SHARE else domain


def _when(table: dict[Due, tuple[Phrase, ...]], due: Due, draws: random.Random) -> Phrase:
    return draws.choice(table[due]) if due in table else ("", NOW_H)


def _hours(template: MailTemplate, hours: float) -> float:
    if template.category in LAST_H:
        return LAST_H[template.category]
    return UNDATED_H[template.category] if template.due == "none" else hours


def _fill(text: str, slots: dict[str, str], draws: random.Random) -> str:
    chosen = ALTERNATIVES.sub(lambda match: draws.choice(match[1].split("|")), text)
    return chosen.format_map(slots)


def _manners(text: str, kind: str, book: Book, slots: dict[str, str], draws: random.Random) -> str:
    """Put a greeting and a sign-off around a person's text, now and then with a slip, a phone or an earlier mail."""
    if draws.random() < TYPO_SHARE:
        text = _with_typos(text, draws)
    elif draws.random() < LOWER_SHARE:
        text = text.lower()
    greeting = "" if SALUTED.match(text) else draws.choice(GREETINGS[kind])
    parts = [greeting, text, draws.choice(SIGN_OFFS[kind])]
    if draws.random() < PHONE_SHARE:
        parts.append(PHONE)
    elif draws.random() < QUOTE_SHARE:
        quoted = "\n".join(f"> {line}" for line in draws.choice(book.quotes).split("\n"))
        parts.append(f"On Monday {slots['owner_full']} wrote:\n{quoted}")
    return "\n\n".join(part.format_map(slots) for part in parts if part)


def _with_typos(text: str, draws: random.Random) -> str:
    """Exchange two neighbouring letters in one or two words."""
    words = list(LONG_WORD.finditer(text))
    for match in draws.sample(words, min(len(words), 2)):
        place = match.start() + draws.randint(1, len(match[0]) - 2)
        text = f"{text[:place]}{text[place + 1]}{text[place]}{text[place + 2 :]}"
    return text
