"""What a phrasebook holds: the names and the sentences of one split's company.

The three splits have three phrasebooks that share no name, no mail template and no question template, so that what
an agent gains on held-out questions cannot be a template learned by heart.

Slots of mail templates: ``{topic} {detail} {day} {old_day} {time} {amount} {number} {person} {count}``.
Slots of question templates: ``{who}`` (the sender), ``{to}`` (the recipient of the owner's own mail), ``{topic}``,
``{detail}``, ``{when}``; a part in square brackets is left out when the question does not give that slot.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Script:
    """How one kind of matter is written about.

    Attributes:
        kind: The kind of matter, such as ``invoice``.
        groups: The groups of topics that it can be about, such as ``vendor``.
        details: What sets one event of a matter apart, each with a paraphrase that mails do not use.
        subjects: Subject lines of an event's first mail.
        stages: For each stage of an event (see ``matters.STAGES``), the bodies that tell of it.
        replies: Bodies that answer any of them.
        questions: Question templates, asked about any mail of such a matter.
    """

    kind: str
    groups: tuple[str, ...]
    details: dict[str, str]
    subjects: tuple[str, ...]
    stages: tuple[tuple[str, ...], ...]
    replies: tuple[str, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bulk:
    """Mail that nobody asks about: a sender and what it sends.

    Attributes:
        kind: ``newsletter``, ``notification``, ``spam`` or ``injection``.
        name: The sender's name.
        address: The sender's address.
        subjects: Subject lines.
        bodies: Bodies.
    """

    kind: str
    name: str
    address: str
    subjects: tuple[str, ...]
    bodies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """All names and sentences of one split.

    Attributes:
        split: ``train``, ``validation`` or ``test``.
        company: The company's name.
        domain: Its mail domain.
        start: First day of its first owner's mail, an ISO date; the seed moves it by up to 60 days.
        utc_offsets_h: Hours east of UTC that its people and partners live at.
        first_names: First names.
        last_names: Last names.
        roles: Departments, each with its job titles.
        topics: Group of topics to the names in it; vendors and customers are companies.
        scripts: How each kind of matter is written about.
        greetings: How a mail opens, with ``{first}``.
        closers: Last sentences of a body.
        farewells: How a mail ends.
        sent_questions: Question templates about what the owner wrote, for any kind of matter.
        bulk: Newsletters, notifications, spam and mails with an injected instruction.
    """

    split: str
    company: str
    domain: str
    start: str
    utc_offsets_h: tuple[int, ...]
    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    roles: dict[str, tuple[str, ...]]
    topics: dict[str, tuple[str, ...]]
    scripts: tuple[Script, ...]
    greetings: tuple[str, ...]
    closers: tuple[str, ...]
    farewells: tuple[str, ...]
    sent_questions: tuple[str, ...]
    bulk: tuple[Bulk, ...]


def names(text: str) -> tuple[str, ...]:
    """Return the names in a text, which commas part."""
    return tuple(" ".join(name.split()) for name in text.split(","))


def pairs(text: str) -> dict[str, str]:
    """Return the words in a text and what each is called otherwise: ``word = otherwise, word = otherwise``."""
    return dict(name.split(" = ") for name in names(text))
