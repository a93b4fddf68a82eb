"""From a template to a mail with its answers: slots filled, one of several wordings chosen.

A template's texts hold *slots* (``{amount}``) and *choices* (``[the invoice|our bill]``). A slot has one value
in a mail, wherever it stands, so that facts and model answers name what the mail names. Which slots there are:

    {owner} {owner_last} {company}             whose mail it is
    {me} {me_last}                             who writes
    {other} {other_last} {client} {product} {city} {street} {thing}    drawn from the split's words
    {amount} {amount2} {n} {n2} {ref}          figures; amount2 and n2 are larger than amount and n
    {day} {date} {date2} {time} {time2}        a weekday; days of one month and hours of one day, the second later
    {hi} {bye}                                 a greeting; a closing with the writer's name, or a signature block

The sender of a template is ``staff`` (somebody at the owner's company), ``client`` (at another one), ``private``, or
written out with slots as ``Name <address>``.
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Literal, cast, get_args

from mailgym.envs.dressing import in_some_case, of_some_length, with_marks, with_or_without_hyphen
from mailgym.envs.routing.schema import Department, Label
from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.reply import Ask, Wanted

Words = Mapping[str, tuple[str, ...]]
AskKind = Literal["date", "time", "amount", "number", "name", "place", "yes_no", "topic"]
SLOT = re.compile(r"\{(\w+)\}")
CHOICE = re.compile(r"\[([^\[\]]*)\]")
NOT_A_LETTER = re.compile(r"[^a-z0-9]+")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
MONTHS = ("January", "February", "March", "April", "May", "June", "September", "October", "November")
HYPHENLESS_SHARE, BELOW_SHARE = 0.6, 0.6
NUMBER = re.compile("#")
BELOW = (
    "This message is for the person named above. If it came to you by mistake, please tell us and delete it.",
    "Registered office: 4#0 Mill Lane. Registered capital $#0,000. Directors are named on our website.",
    "Open 8:#0 to 17:30. Questions? Our front desk takes your call: 0#55 ##7.",
    "We keep addresses as long as the law asks us to. Would you rather not hear from us? Tell us.",
    "Sent from my phone",
    "Sent from my tablet, please excuse typos!",
    "PLEASE NOTE: this address is read on weekdays, 9:00 to 1#:00.",
    "> Earlier you wrote:\n> Thanks, I will look at it when I am back.\n> Is that all right?",
)
BELOW_PRIVATE = (
    *BELOW[4:6],
    BELOW[7],
    "Sent with QuickMail - 1# GB free, forever!",
    "New number: 0#77 #05, DELETE the old",
)
"""Below mail of every label, with digits for ``#``; nothing follows from them."""
PRIVATE_DOMAINS = ("postbox.example", "inmail.example", "quickmail.example")


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose mail it is."""

    first: str
    last: str
    company: str
    domain: str


@dataclass(frozen=True, slots=True)
class MailTemplate:
    """One hand-written mail with its answers, slots unfilled.

    Attributes:
        id: Its name; a template belongs to one split.
        sender: See the module.
        facts: What a summary must carry, each with its alternatives: ``refund|money back``.
        asks: What a reply must say, as ``kind:alternatives``; a leading ``?`` makes one optional.
        keywords: What a reply is held against word by word, each with its alternatives.
        summary: A model summary.
        reply: A model reply without greeting and closing; empty for spam.
    """

    id: str
    label: Label
    department: Department
    sender: str
    subject: str
    text: str
    facts: tuple[str, ...]
    asks: tuple[str, ...]
    keywords: tuple[str, ...]
    summary: str
    reply: str


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """What is right for one mail; the owner's side.

    Attributes:
        template: Its template.
        label: Its label.
        department: Who should handle it.
        mail: What a summary or a reply is held against.
        facts: What a summary must carry.
        wanted: What a reply must do.
        summary: A model summary.
        reply: A model reply; empty for spam.
    """

    template: str
    label: Label
    department: Department
    mail: MailFacts
    facts: tuple[tuple[str, ...], ...]
    wanted: Wanted
    summary: str
    reply: str


@dataclass(frozen=True, slots=True)
class WrittenMail:
    """A mail as the agent gets it, and what is right for it."""

    email: str
    right: RightAnswer


def write_mail(template: MailTemplate, words: Words, owner: Owner, draw: random.Random) -> WrittenMail:
    """Fill a template.

    Args:
        template: The template.
        words: What slots are filled with; a mail that is written out needs none.
        owner: Whose mail it is.
        draw: Decides every value and every wording.

    Raises:
        KeyError: The template has a slot that is none.
    """
    slots = _slots(words, owner, draw) if words else {"owner": owner.first, "owner_last": owner.last}
    sender = _fill(_sender(template.sender, owner, draw), slots)
    slots |= _closings(slots, draw)
    subject, text = (_fill(_choose(part, draw), slots) for part in (template.subject, template.text))
    name, address = parseaddr(sender)
    if words:
        user, _, host = address.partition("@")
        address = f"{user}@{host if host == owner.domain else with_or_without_hyphen(host, draw, HYPHENLESS_SHARE)}"
        sender = f"{name} <{address}>"
        text = _with_footers(with_marks(text, draw), template.sender == "private", draw)
        needed = " ".join(_fill(part, slots) for part in (*template.facts, *template.asks, template.reply))
        subject = in_some_case(of_some_length(subject, draw, text, needed), draw)
    mail = MailFacts(name, address, f"{owner.first} {owner.last}", subject, text)
    to = f"{owner.first} {owner.last} <{_address(owner.first, owner.last, owner.domain)}>"
    reply = _fill(_choose(template.reply, draw), slots)
    right = RightAnswer(
        template=template.id,
        label=template.label,
        department=template.department,
        mail=mail,
        facts=tuple(_alternatives(fact, slots) for fact in template.facts),
        wanted=_wanted(template, slots),
        summary=_fill(_choose(template.summary, draw), slots),
        reply=f"Hi {name.split()[0]},\n\n{reply}\n\nBest regards,\n{owner.first}" if reply else "",
    )
    return WrittenMail(f"From: {sender}\nTo: {to}\nSubject: {subject}\n\n{text}", right)


def _with_footers(text: str, is_private: bool, draw: random.Random) -> str:
    """Return a text with what stands below mail by lot, whatever its label is."""
    if draw.random() >= BELOW_SHARE:
        return text
    below = draw.sample(BELOW_PRIVATE if is_private else BELOW, draw.choice((1, 1, 2)))
    return "\n\n".join([text, *(NUMBER.sub(lambda _: str(draw.randint(2, 9)), line) for line in below)])


def _wanted(template: MailTemplate, slots: Mapping[str, str]) -> Wanted:
    keywords = tuple(_alternatives(group, slots) for group in template.keywords)
    return Wanted(bool(template.reply), keywords, tuple(_ask(ask, slots) for ask in template.asks))


def _ask(written: str, slots: Mapping[str, str]) -> Ask:
    kind, _, accepted = written.removeprefix("?").partition(":")
    if kind not in get_args(AskKind):
        raise ValueError(f"an ask of kind {kind!r}: choose one of {', '.join(get_args(AskKind))}")
    return Ask(cast(AskKind, kind), _alternatives(accepted, slots), required=not written.startswith("?"))


def _alternatives(written: str, slots: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(_fill(part, slots) for part in written.split("|"))


def _fill(text: str, slots: Mapping[str, str]) -> str:
    return SLOT.sub(lambda found: slots[found[1]], text)


def _choose(text: str, draw: random.Random) -> str:
    return CHOICE.sub(lambda found: draw.choice(found[1].split("|")), text)


def _sender(kind: str, owner: Owner, draw: random.Random) -> str:
    if kind == "staff":
        return "{me} {me_last} <" + "{me_slug}.{me_last_slug}@" + f"{owner.domain}>"
    if kind == "client":
        return "{me} {me_last} <{me_slug}.{me_last_slug}@{client_host}.example>"
    if kind == "private":
        return "{me} {me_last} <{me_slug}{me_last_slug}" + f"{draw.randint(1, 89)}@{draw.choice(PRIVATE_DOMAINS)}>"
    return kind


def _slots(words: Words, owner: Owner, draw: random.Random) -> dict[str, str]:
    me, other = draw.sample(words["first_names"], 2)
    me_last, other_last = draw.sample(words["last_names"], 2)
    client = draw.choice(words["companies"])
    first_day, second_day = draw.randint(2, 13), draw.randint(16, 28)
    month = draw.choice(MONTHS)
    first_hour, second_hour = draw.randint(8, 11), draw.randint(13, 17)
    cents = draw.choice((0, 0, 50, 20, 75))
    amount, n = draw.randint(120, 2_400), draw.randint(3, 40)
    return {
        "owner": owner.first,
        "owner_last": owner.last,
        "company": owner.company,
        "company_slug": _slug(owner.company),
        "me": me,
        "me_last": me_last,
        "me_slug": _slug(me),
        "me_last_slug": _slug(me_last),
        "other": other,
        "other_last": other_last,
        "client": client,
        "client_slug": _slug(client),
        "client_host": NOT_A_LETTER.sub("-", client.lower()).strip("-"),
        **{kind: draw.choice(words[f"{plural}"]) for kind, plural in _DRAWN.items()},
        "amount": _money(amount, cents),
        "amount2": _money(amount + draw.randint(150, 3_000), cents),
        "n": str(n),
        "n2": str(n + draw.randint(5, 60)),
        "ref": f"{draw.choice('ABCDEFHKMPRT')}{draw.choice('CDKLMNPRTX')}-{draw.randint(1_200, 98_000)}",
        "day": draw.choice(WEEKDAYS),
        "date": f"{first_day} {month}",
        "date2": f"{second_day} {month}",
        "time": f"{first_hour}:{draw.choice(('00', '15', '30', '45'))}",
        "time2": f"{second_hour}:{draw.choice(('00', '15', '30', '45'))}",
        "title": draw.choice(words["titles"]),
        "phone": f"+44 20 7946 {draw.randint(100, 999):04}",
    }


_DRAWN = {"product": "products", "city": "cities", "street": "streets", "thing": "things"}


def _closings(slots: Mapping[str, str], draw: random.Random) -> dict[str, str]:
    if "me" not in slots:
        return {}
    greeting = draw.choice(
        ("Hi {owner},", "Hello {owner},", "Dear {owner},", "{owner},", "hi {owner}", "Good morning,")
    )
    closing = draw.choice(
        (
            "Thanks,\n{me}",
            "Best,\n{me}",
            "Kind regards\n{me} {me_last}",
            "{me}",
            "Cheers, {me}",
            "Best regards,\n{me} {me_last}\n--\n{me} {me_last}\n{title}\n{phone}",
            "Many thanks in advance\n{me} {me_last}",
            "--\n{me} {me_last} | {title} | {phone}",
        )
    )
    return {"hi": _fill(greeting, slots), "bye": _fill(closing, slots)}


def _money(whole: int, cents: int) -> str:
    return f"${whole:,}.{cents:02}" if cents else f"${whole:,}"


def _address(first: str, last: str, domain: str) -> str:
    return f"{_slug(first)}.{_slug(last)}@{domain}"


def _slug(name: str) -> str:
    return NOT_A_LETTER.sub("", name.lower())
