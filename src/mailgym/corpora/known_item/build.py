"""Makes known-item questions from a mailbox: questions whose answer is one message, known from the start.

A message is picked, and described as its owner would remember it some weeks later: from whom, roughly when, and about
what, with some of it misremembered. So the mail itself is the key, and no model and no person has to answer first.

Source: L. Azzopardi, M. de Rijke and K. Balog (2007), "Building simulated queries for known-item topics: an analysis
using six European languages", SIGIR. As there, the words of a query are drawn from the document and, a share of them,
from the whole collection (noise), telling words rather than common ones. Other than there: the words stand in a
sentence, sender and time are told too, and a question is kept only if a search by the true facts finds the message.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random

from mailgym.core.errors import SourceError
from mailgym.core.seeds import derive_seed, stream
from mailgym.corpora.known_item.describe import (
    What,
    When,
    Who,
    clean_words,
    remembered_person,
    remembered_time,
    remembered_words,
)
from mailgym.corpora.known_item.templates import TEMPLATES
from mailgym.corpora.question import Question
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Message

LEAST_DAYS_AFTER = 30
LEAST_MESSAGES_AFTER = 200
MOST_EXTRA_DAYS = 180
LEAST_TRAIN, LEAST_TEST = 40, 20
MOST_TEST_SHARE, MOST_VALIDATION_SHARE = 0.3, 0.15
ATTEMPTS = 8
_REPLY_MARK = re.compile(r"^(?:\s*(?:re|fwd?|aw|wg|sv)\s*(?:\[\d+\])?\s*:)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A message that may be asked for, and the first day on which it may be."""

    message: Message
    day: date
    first_asked_on: date
    thread: str


@dataclass(frozen=True, slots=True)
class _Memory:
    """What is told of a message."""

    who: Who | None
    shown_who: str
    is_sent: bool
    when: When | None
    what: What


def known_item_questions(mailbox: Mailbox, n_train: int, n_validation: int, n_test: int, seed: int) -> list[Question]:
    """Make known-item questions, split by time and thread.

    Test questions are about the newest messages, validation questions about older ones, training questions about the
    oldest; no thread (messages of one subject) and no sentence template is in two splits. A test or validation message
    is asked for once, a training message up to eight times in different words. Each question is asked at least 30 days
    and 200 messages after its message. Messages whose clock was wrong (dates outside the 1st to 99th percentile) are
    left out. A question is kept if the search by its true facts (``Question.facts``: arguments of the search tool)
    finds the message first on the day it is asked; and three in four are kept
    only if a search for all the words and names told, without filters, does not.

    Args:
        mailbox: The mailbox, opened without an as-of date or with one.
        n_train: Most training questions.
        n_validation: Most validation questions.
        n_test: Most test questions.
        seed: The same seed gives the same questions of the same mailbox.

    Returns:
        The questions, train before validation before test; fewer than asked for where the mailbox has fewer.

    Raises:
        SourceError: The mailbox gives fewer than 40 training or 20 test questions (or fewer than asked for, if less).
    """
    builder = _Builder(mailbox, seed)
    candidates = builder.candidates
    used: set[str] = set()
    n_candidates = len(candidates)
    newest_first = iter(reversed(candidates))
    test = builder.ask_once("test", newest_first, n_test, int(n_candidates * MOST_TEST_SHARE), used)
    validation = builder.ask_once(
        "validation", newest_first, n_validation, int(n_candidates * MOST_VALIDATION_SHARE), used
    )
    train = builder.ask_often(list(newest_first), n_train, used)
    if len(train) < min(n_train, LEAST_TRAIN) or len(test) < min(n_test, LEAST_TEST):
        raise SourceError(
            f"mailbox {mailbox.name} has {len(mailbox)} messages, which give {len(train)} training and {len(test)} "
            f"test questions: at least {LEAST_TRAIN} and {LEAST_TEST} are needed; bring a mailbox with more mail"
        )
    return train + validation + test


class _Builder:
    """Knows the mailbox's words, dates and people, and makes one question at a time."""

    def __init__(self, mailbox: Mailbox, seed: int) -> None:
        self._mailbox = mailbox
        self._seed = seed
        self._owners = frozenset(mailbox.owner_addresses)
        dated = [message for message in mailbox if message.date is not None]
        self._vocabulary: list[str] = []
        for message in dated:
            self._vocabulary.extend(sorted(set(clean_words(f"{message.subject}\n{message.new_text}"))))
        self._document_counts = Counter(self._vocabulary)
        self.candidates = list(find_candidates(dated))
        self._last_day = self.candidates[-1].first_asked_on if self.candidates else date.min

    def ask_once(
        self, split: str, newest_first: Iterator[Candidate], n_most: int, n_looked_at: int, used: set[str]
    ) -> list[Question]:
        """Ask for messages from the newest on, each once, until there are enough; ``used`` collects their threads."""
        questions: list[Question] = []
        threads: set[str] = set()
        for _ in range(n_looked_at):
            if len(questions) >= n_most:
                break
            candidate = next(newest_first)
            if candidate.thread in used:
                continue
            attempts = (self._question(candidate, split, attempt) for attempt in range(ATTEMPTS))
            question = next((question for question in attempts if question is not None), None)
            if question is not None:
                questions.append(question)
                threads.add(candidate.thread)
        used |= threads
        return questions

    def ask_often(self, candidates: Sequence[Candidate], n_most: int, used: set[str]) -> list[Question]:
        """Ask for each message once, then again in other words, until there are enough."""
        order = [candidate for candidate in candidates if candidate.thread not in used]
        stream(self._seed, "known_item", "order").shuffle(order)
        questions: dict[str, Question] = {}
        for attempt in range(ATTEMPTS):
            for candidate in order:
                if len(questions) >= n_most:
                    return list(questions.values())
                question = self._question(candidate, "train", attempt)
                if question is not None:
                    questions.setdefault(question.text, question)
        return list(questions.values())

    def _question(self, candidate: Candidate, split: str, attempt: int) -> Question | None:
        rng = stream(self._seed, "known_item", candidate.message.message_id, attempt)
        memory = self._remember(candidate, rng)
        if memory is None:
            return None
        latest = min(candidate.first_asked_on + timedelta(days=MOST_EXTRA_DAYS), self._last_day)
        extra_days = rng.randint(0, (latest - candidate.first_asked_on).days)
        asked_on = candidate.first_asked_on + timedelta(days=extra_days)
        facts = _facts(memory)
        if not self._is_first(candidate.message.message_id, facts, asked_on):
            return None
        if rng.random() < SHARE_BEYOND_WORDS and self._is_first(
            candidate.message.message_id, {"keywords": [*memory.what.told, *memory.shown_who.split()]}, asked_on
        ):
            return None
        template = rng.randrange(len(TEMPLATES[split]))
        number = derive_seed(self._seed, "known_item", "id", candidate.message.message_id, attempt)  # tells no key
        return Question(
            id=f"{self._mailbox.name}-{split}-{number:016x}",
            split=split,
            mailbox=self._mailbox.path.name,
            owner=self._mailbox.owner_addresses[0] if self._mailbox.owner_addresses else "",
            owner_name=self._mailbox.owner_name,
            asked_on=asked_on,
            text=_sentence(TEMPLATES[split][template], memory),
            message_ids=(candidate.message.message_id,),
            answer=None,
            kind=_kind(memory),
            template=f"known-{split}-{template + 1}",
            facts=facts,
        )

    def _remember(self, candidate: Candidate, rng: Random) -> _Memory | None:
        message = candidate.message
        is_sent = message.from_.address in self._owners
        others = [person for person in message.to if person.address not in self._owners]
        person = (others[0] if others else None) if is_sent else message.from_
        who = remembered_person(person) if person is not None and rng.random() < CHANCE_OF_WHO else None
        when = remembered_time(candidate.day, rng) if rng.random() < CHANCE_OF_WHEN else None
        shown = "" if who is None else (who.first if rng.random() < CHANCE_OF_FIRST_NAME else who.full)
        counts = WORD_COUNTS[int(who is not None) + int(when is not None)]
        what = remembered_words(message, self._document_counts, self._vocabulary, counts, rng)
        if what is None:
            return None
        return _Memory(who, shown, is_sent, when, what)

    def _is_first(self, message_id: str, facts: dict[str, object], asked_on: date) -> bool:
        after, before = facts.get("sent_after"), facts.get("sent_before")
        hits = self._mailbox.at(asked_on).search(
            facts["keywords"],  # type: ignore[arg-type]  # facts are plain data for JSON
            from_=_text(facts.get("from_addr")),
            to=_text(facts.get("to_addr")),
            after=_text(after),
            before=_text(before),
            limit=1,
        )
        return any(hit.message_id == message_id for hit in hits)


WORD_COUNTS = ((3, 4), (2, 3, 3), (2, 2, 3))  # of words told; fewer where who, when or both are told too
CHANCE_OF_WHO = 0.8
CHANCE_OF_WHEN = 0.7
SHARE_BEYOND_WORDS = 0.75
CHANCE_OF_FIRST_NAME = 0.7


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def find_candidates(dated: list[Message]) -> Iterator[Candidate]:
    """Yield those of the dated messages, oldest first, that may be asked for, oldest first."""
    moments = sorted(message.date for message in dated if message.date is not None)
    if not moments:
        return
    low, high = moments[len(moments) // 100], moments[-1 - len(moments) // 100]
    for message in dated:
        if message.date is None or not low <= message.date <= high:
            continue
        index = bisect_left(moments, message.date) + LEAST_MESSAGES_AFTER + 1
        if index >= len(moments):
            continue
        day = message.date.astimezone(UTC).date()
        first_asked_on = max(moments[index].date(), day + timedelta(days=LEAST_DAYS_AFTER))
        if datetime(first_asked_on.year, first_asked_on.month, first_asked_on.day, tzinfo=UTC) > high:
            continue
        subject = " ".join(_REPLY_MARK.sub("", message.subject).casefold().split())
        yield Candidate(message, day, first_asked_on, subject or message.message_id)


def _facts(memory: _Memory) -> dict[str, object]:
    facts: dict[str, object] = {"keywords": list(memory.what.true)}
    if memory.who is not None:
        facts["to_addr" if memory.is_sent else "from_addr"] = memory.shown_who
    if memory.when is not None:
        facts["sent_after"] = memory.when.after.isoformat()
        facts["sent_before"] = memory.when.before.isoformat()
    return facts


def _kind(memory: _Memory) -> str:
    if memory.who is not None:
        return "who_when" if memory.when is not None else "who"
    return "when" if memory.when is not None else "words"


def _sentence(template: str, memory: _Memory) -> str:
    if memory.is_sent:
        mail = f"the mail I sent to {memory.shown_who}" if memory.who else "the mail I sent"
    else:
        mail = f"the mail from {memory.shown_who}" if memory.who else "the mail"
    *rest, last = memory.what.told
    what = f"{', '.join(rest)} and {last}" if rest else last
    when = f" {memory.when.text}" if memory.when else ""
    return template.format(mail=mail, what=what, when=when)
