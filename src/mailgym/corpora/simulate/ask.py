"""Asks for mails as their owner would remember them, with the facts that the question gives away."""

import functools
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from mailgym.corpora.question import Question
from mailgym.corpora.simulate.matters import REPLY, Mail
from mailgym.corpora.simulate.people import Person
from mailgym.corpora.simulate.phrasebook import Phrasebook
from mailgym.corpora.simulate.when import When, remember

ASKED_AFTER_DAYS = (30, 200)
DETAIL_SHARE, VERBATIM_SHARE, BY_UNIT_SHARE = 0.88, 0.88, 0.4
SENT_KEPT_SHARE, REPLY_KEPT_SHARE = 0.45, 0.2
FORMS = {(True, True): 0.52, (True, False): 0.28, (False, True): 0.15, (False, False): 0.05}
"""Shares of the forms of a question: whether it says who, and whether it says when."""
WORDS = (9, 24)
TRIES = 5


@dataclass(frozen=True, slots=True)
class Clues:
    """What a question gives away about the mail.

    Attributes:
        topic: The topic.
        detail: The detail in the mail's own word, empty where the question paraphrases it or leaves it out.
        person: Who wrote it, or to whom the owner wrote it; None where the question does not say.
        person_words: The words that name the person, as in the question.
        is_sent: Whether the owner wrote it.
        when: The remembered date, None where the question does not say.
    """

    topic: str
    detail: str
    person: Person | None
    person_words: str
    is_sent: bool
    when: When | None

    def fit(self, seen: "Seen", owner: Person) -> bool:
        """Whether a mail about the topic is as the question says."""
        if self.when is not None and not self.when.after <= seen.day < self.when.before:
            return False
        if self.is_sent and seen.mail.sender != owner:
            return False
        if self.person is not None:
            words = set(self.person_words.lower().split())
            if not any(words <= known for known in (seen.recipients if self.is_sent else (seen.sender,))):
                return False
        return self.detail.lower() in seen.text

    def facts(self, owner: Person) -> dict[str, object]:
        """Return the search by everything that the question says, in the tool's argument names."""
        facts: dict[str, object] = {"keywords": [word for word in (self.topic, self.detail) if word]}
        if self.is_sent:
            facts["from_addr"] = owner.name
        if self.person is not None:
            facts["to_addr" if self.is_sent else "from_addr"] = self.person_words
        if self.when is not None:
            facts["sent_after"] = self.when.after.isoformat()
            facts["sent_before"] = self.when.before.isoformat()
        return facts


@dataclass(frozen=True, slots=True)
class Seen:
    """A mail with what is looked at when a question is checked, all words in lower case.

    Attributes:
        text: Subject and new text.
        sender: The words that can name the sender. recipients: the same for each recipient.
    """

    mail: Mail
    day: date
    text: str
    sender: frozenset[str]
    recipients: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, mail: Mail) -> "Seen":
        """Look at a mail."""
        recipients = tuple(_name_words(person) for person in (*mail.to, *mail.cc))
        return cls(mail, mail.day, f"{mail.subject}\n{mail.text}".lower(), _name_words(mail.sender), recipients)


class Asker:
    """Asks questions about one owner's mails.

    The kinds of question: ``sent`` (the owner's own mail), ``person`` (several people have the first name),
    ``superseded`` (a later mail of the thread changed what it says), ``many`` (but for the date, the question fits
    other mails too), ``single`` (none of these); the first that is true.
    """

    def __init__(self, book: Phrasebook, owner: Person, file_name: str, mails: Sequence[Mail], last_day: date) -> None:
        """Learn what there is to ask about.

        Args:
            book: The split's names and templates.
            owner: Who asks.
            file_name: The mailbox's file name.
            mails: All of the owner's mails.
            last_day: The last day on which a question may be asked.
        """
        self._book, self._owner, self._file_name, self._last_day = book, owner, file_name, last_day
        self._scripts = {script.kind: script for script in book.scripts}
        topics = {mail.topic for mail in mails if mail.topic}
        self._by_topic: dict[str, list[Seen]] = defaultdict(list)
        self._seen = [Seen.of(mail) for mail in mails]
        for seen in self._seen:
            for topic in topics:
                if topic.lower() in seen.text:
                    self._by_topic[topic].append(seen)
        people = {person for mail in mails for person in mail.people}
        self._namesakes = Counter(person.first for person in people)
        self._superseded = {mail.parent.message_id for mail in mails if mail.parent is not None and mail.act != REPLY}

    def questions(self, rng: random.Random) -> Iterator[Question]:
        """Ask about the mails in random order, at most once about each, where one mail alone fits the question.

        Any first part of what comes out has the forms of ``FORMS`` in about their shares, as far as the mails allow.
        """
        askable = [seen for seen in self._seen if seen.mail.topic]
        asked: Counter[tuple[bool, bool]] = Counter()
        for seen in rng.sample(askable, len(askable)):
            mail = seen.mail
            least, most = ASKED_AFTER_DAYS
            most = min(most, (self._last_day - seen.day).days)
            if most < least:
                continue
            asked_on = seen.day + timedelta(days=rng.randint(least, most))
            kept_share = SENT_KEPT_SHARE if mail.sender == self._owner else 1.0
            kept_share *= REPLY_KEPT_SHARE if mail.act == REPLY else 1.0
            if rng.random() >= kept_share:
                continue
            behind = {form: share * (asked.total() + 1) - asked[form] for form, share in FORMS.items()}
            for form in sorted(behind, key=behind.__getitem__, reverse=True):
                question = self._ask(seen, asked_on, form, asked.total() + 1, rng)
                if question is not None:
                    asked[form] += 1
                    yield question
                    break

    def _ask(
        self, target: Seen, asked_on: date, form: tuple[bool, bool], number: int, rng: random.Random
    ) -> Question | None:
        """Try some wordings of one form, until one fits this mail alone."""
        rivals = [seen for seen in self._by_topic[target.mail.topic] if seen.day <= asked_on and seen is not target]
        for _ in range(TRIES):
            worded = self._word(target, form, rng)
            if worded is None:
                return None
            text, template, clues = worded
            is_short = WORDS[0] <= len(text.split()) <= WORDS[1]
            if is_short and not any(clues.fit(rival, self._owner) for rival in rivals):
                undated = replace(clues, when=None)
                is_one_of_many = any(undated.fit(rival, self._owner) for rival in rivals)
                kind = self._kind(target.mail, clues, is_one_of_many)
                return self._question(target.mail, asked_on, text, template, clues, kind, number)
        return None

    def _question(
        self, mail: Mail, asked_on: date, text: str, template: str, clues: Clues, kind: str, number: int
    ) -> Question:
        mailbox = self._file_name.removesuffix(".mailbox")
        return Question(
            id=f"{mailbox}-{number:04d}",
            split=self._book.split,
            mailbox=self._file_name,
            owner=self._owner.address,
            owner_name=self._owner.name,
            asked_on=asked_on,
            text=text,
            message_ids=(mail.message_id,),
            answer=None,
            kind=kind,
            template=template,
            facts=clues.facts(self._owner),
        )

    def _kind(self, mail: Mail, clues: Clues, is_one_of_many: bool) -> str:
        """Return what makes it hard: see :class:`Asker`."""
        if clues.is_sent:
            return "sent"
        if clues.person is not None and self._namesakes[clues.person.first] > 1:
            return "person"
        if mail.message_id in self._superseded:
            return "superseded"
        return "many" if is_one_of_many else "single"

    def _word(self, seen: Seen, form: tuple[bool, bool], rng: random.Random) -> tuple[str, str, Clues] | None:
        """Word a question of one form: draw its template and how it names what; None where no template has the form."""
        says_who, says_when = form
        mail = seen.mail
        is_sent = mail.sender == self._owner
        name, templates = mail.kind, self._scripts[mail.kind].questions
        if is_sent:
            name, templates = "sent", self._book.sent_questions
        fitting = [t for t in templates if says_who or not {"who", "to"} & _required(t)]
        if not fitting:
            return None
        template = rng.choice(fitting)
        slots = {"topic": mail.topic}
        person, words = None, ""
        if says_who:
            person = rng.choice(mail.to) if is_sent else mail.sender
            slots["to" if is_sent else "who"], words = self._name(person, mail.topic, rng)
        when = remember(seen.day, rng) if says_when else None
        if when is not None:
            slots["when"] = when.phrase
        detail = ""
        if "detail" in _required(template) or ("{detail}" in template and rng.random() < DETAIL_SHARE):
            if mail.detail.lower() in seen.text and rng.random() < VERBATIM_SHARE:
                detail = mail.detail
            slots["detail"] = detail or self._scripts[mail.kind].details[mail.detail]
        clues = Clues(mail.topic, detail, person, words, is_sent, when)
        return fill(template, slots), f"{self._book.split}-{name}-{templates.index(template)}", clues

    def _name(self, person: Person, topic: str, rng: random.Random) -> tuple[str, str]:
        """Return how the owner calls a person, and the words of it that name her."""
        if rng.random() >= BY_UNIT_SHARE or person.unit == topic:
            return person.name, person.name
        link = "from" if person.unit in self._book.roles else "at"
        return f"{person.first} {link} {person.unit}", f"{person.first} {person.unit}"


def _name_words(person: Person) -> frozenset[str]:
    return frozenset(f"{person.name} {person.unit}".lower().split())


@functools.cache
def _required(template: str) -> set[str]:
    """Return the slots that a question template cannot do without."""
    return set(re.findall(r"\{(\w+)\}", re.sub(r"\[.*?\]", "", template)))


def fill(template: str, slots: dict[str, str]) -> str:
    """Fill a question template; a part in square brackets is left out unless all its slots are given."""

    def part(match: re.Match[str]) -> str:
        names = re.findall(r"\{(\w+)\}", match[1])
        return match[1] if all(name in slots for name in names) else ""

    return re.sub(r"\[(.*?)\]", part, template).format(**slots)
