"""Puts the messages of one conversation together.

Messages are tied by the Message-IDs that they name (``References``, ``In-Reply-To``), through messages that the
mailbox does not hold too. A message that neither names another nor is named by one is tied by its subject: to the
latest earlier message of the same subject, near in time, whose people fit an answer. Nothing here touches a file:
:class:`ThreadIndex` says what a mailbox must be able to tell.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from itertools import pairwise
from typing import Protocol

MAX_ANSWER_GAP = timedelta(days=30)
MAX_UNMARKED_ANSWER_GAP = timedelta(days=2)
MAX_UNMARKED_PEOPLE = 5
MAX_TRIES = 16
_MARKS = (
    "re|fw|fwd|aw|antw|antwort|antwoord|wg|sv|svar|vs|vb|vl|vá|r|rif|i|rv|res|enc|tr|trs|odp|pd|ynt|ilt|doorst|bls"
    "|отв|ответ|пересл|на|απ|σχετ|πρθ|回复|回覆|答复|答覆|转发|轉寄|返信|転送|회신|전달|תשובה|השב|הועבר|رد"
    "|automatic reply|automatische antwort|réponse automatique|(?:out of office )?autoreply"
)
_MARK = re.compile(rf"\s*(?:{_MARKS})\s?(?:[\[(^]?\s?\d{{1,4}}\s?[\])]?)?\s?[:：]", re.IGNORECASE)
_TAG = re.compile(r"\s*\[([^\[\]]{1,60})\]")
_NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")
_FORWARD_BRACKET = re.compile(r"\s*\[\s?fwd?\s?:", re.IGNORECASE)
_FORWARD_TAIL = re.compile(r"\(fwd?\)\Z", re.IGNORECASE)
_GENERIC_SUBJECTS = (
    "no subject|(no subject)|<no subject>|none|(none)|untitled|no topic|n/a|hi|hello|hey|hallo|hola|bonjour|ciao|fyi"
    "|kein betreff|(kein betreff)|pas d'objet|(sans objet)|sans objet|sin asunto|(sin asunto)|nessun oggetto"
    "|(nessun oggetto)|geen onderwerp|(geen onderwerp)|sem assunto|(sem assunto)|ingen emne|(inget ämne)"
)
_GENERIC = frozenset(_GENERIC_SUBJECTS.split("|"))


def subject_key(subject: str) -> str:
    """Return what the subjects of one conversation have in common.

    Reply and forward marks of many languages (``Re: AW: Fwd: Re[2]:``), list names in brackets and ``(fwd)`` are
    taken off, blanks made one and letters folded. A bracket that holds a number (``[Bug 17]``, ``[PATCH 1/5]``)
    stays: it tells subjects apart.

    Returns:
        The key; empty where nothing is left or what is left says nothing (``(no subject)``, ``hello``).
    """
    bare, _ = _bare_subject(subject)
    key = " ".join(bare.casefold().split())
    if not key.isascii():
        key = unicodedata.normalize("NFC", key)
    return "" if key in _GENERIC or not any(map(str.isalnum, key)) else key


def is_answer_subject(subject: str) -> bool:
    """Return whether a subject bears the mark of a reply or a forwarded message."""
    return _bare_subject(subject)[1]


def _bare_subject(subject: str) -> tuple[str, bool]:
    start, end, marked = 0, len(subject), False
    while True:
        while end > start and subject[end - 1].isspace():
            end -= 1
        if found := _MARK.match(subject, start, end):
            start, marked = found.end(), True
        elif found := _FORWARD_BRACKET.match(subject, start, end):
            start, marked = found.end(), True
            end -= subject[end - 1] == "]"
        elif (found := _TAG.match(subject, start, end)) and not _NUMBER.search(found[1]):
            start = found.end()
        elif found := _FORWARD_TAIL.search(subject, max(start, end - 5), end):
            end, marked = found.start(), True
        else:
            return subject[start:end], marked


def stable_hash(text: str) -> int:
    """Return a signed 64-bit hash that is the same in every process and version."""
    digest = blake2b(text.encode("utf-8", errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def link_hashes(message_id: str, in_reply_to: str, references: Sequence[str]) -> tuple[int, ...]:
    """Return the hashes of all Message-IDs that tie a message to its thread: its own first, each once.

    What stands in ``In-Reply-To`` but can be no Message-ID (``Your message of Monday``, ``yes``) is left out.
    """
    named = (link for link in (in_reply_to, *references) if _can_be_id(link))
    return tuple(dict.fromkeys(stable_hash(link) for link in (message_id, *named)))


def _can_be_id(link: str) -> bool:
    return ("@" in link or any(map(str.isdigit, link))) and not any(map(str.isspace, link))


def _is_surely_id(link: str) -> bool:
    """Return whether a name that no message bears is a Message-ID all the same, rather than somebody's address."""
    return any(map(str.isdigit, link.partition("@")[0]))


@dataclass(frozen=True, slots=True)
class ThreadMember:
    """What threads need to know of a message.

    Attributes:
        number: Its number in the mailbox.
        message_id: Its Message-ID, without angle brackets.
        in_reply_to: The Message-ID that it says it answers, or empty.
        references: The Message-IDs of its thread, oldest first.
        subject: Its subject as it is written.
        people: Lower-case addresses (names where there is none) of author, recipients and copies.
        date: When it was sent.
        author: The one of ``people`` who wrote it; empty where unknown, and then less can be told.
    """

    number: int
    message_id: str
    in_reply_to: str
    references: tuple[str, ...]
    subject: str
    people: frozenset[str]
    date: datetime | None
    author: str = ""


class ThreadIndex(Protocol):
    """What a mailbox can tell about the threads in it."""

    def by_links(self, hashes: Collection[int], /) -> Sequence[int]:
        """Return the numbers of all messages any of whose link hashes is among these."""

    def by_subject(self, key_hash: int, /) -> Sequence[int]:
        """Return the numbers of all messages whose subject's key has this stable hash."""

    def members(self, numbers: Sequence[int], /) -> list[ThreadMember]:
        """Return the messages of these numbers, in any order."""


@dataclass(frozen=True, slots=True)
class ThreadNode:
    """One message in its thread.

    Attributes:
        message_id: Which message.
        parent: The Message-ID of the message in this thread that it answers, None at the top.
        depth: How many messages of this thread lie above it.
    """

    message_id: str
    parent: str | None
    depth: int


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation in reading order: parents before children, siblings by date. Iterates over Message-IDs."""

    nodes: tuple[ThreadNode, ...]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the Message-IDs in reading order."""
        return (node.message_id for node in self.nodes)

    def __len__(self) -> int:
        """Return the number of messages."""
        return len(self.nodes)


def gather(start: ThreadMember, index: ThreadIndex) -> Thread:
    """Put the conversation together that a message belongs to; the same from whichever member one starts.

    Messages without links are tied by subject to a message that they may answer (:func:`_answered`). Two groups of
    messages that each have links of their own are never joined by a subject.

    Source: https://www.jwz.org/doc/threading.html for the tree of links, with two deviations: ``In-Reply-To`` stands
    nearer than ``References`` where they differ, and messages that the mailbox lacks leave no empty nodes.
    """
    pool = _Pool(index)
    pool.take([start])
    root = pool.root(start)
    members = pool.linked(root)
    keys = {subject_key(member.subject) for member in members.values()}
    answers: dict[int, int] = {}
    for key in sorted(keys - {""}):
        answers |= pool.answers(key)
    children = defaultdict(list)
    for child, parent in answers.items():
        children[parent].append(child)
    pending = list(members)
    by_date = sorted(members.values(), key=_order)
    parents = _linked_parents({member.message_id: pool.named(member) for member in by_date})
    while pending:
        parent = pending.pop()
        for child in children[parent]:
            members[child] = pool.loaded[child]
            parents[pool.loaded[child].message_id] = pool.loaded[parent].message_id
            pending.append(child)
    return _arrange(members.values(), parents)


@dataclass(slots=True)
class _Pool:
    """The messages fetched so far, and the ties among them."""

    index: ThreadIndex
    loaded: dict[int, ThreadMember] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    answers_by_key: dict[str, dict[int, int]] = field(default_factory=dict)

    def take(self, members: Iterable[ThreadMember]) -> None:
        for member in members:
            self.loaded[member.number] = member
            self.numbers.setdefault(member.message_id, member.number)

    def load(self, numbers: Iterable[int]) -> list[int]:
        """Fetch what is not there yet; return the numbers, each once."""
        wanted = list(dict.fromkeys(numbers))
        missing = [number for number in wanted if number not in self.loaded]
        if missing:
            self.take(self.index.members(missing))
        return wanted

    def links(self, member: ThreadMember) -> list[str]:
        """Return the ids that tie a message, its own first; for those it names, whoever has them must be loaded."""
        return [member.message_id, *self.named(member)]

    def named(self, member: ThreadMember) -> list[str]:
        """Return the ids that a message names as above it, oldest first, the nearest last."""
        chain = [link for link in member.references if link != member.in_reply_to]
        chain.append(member.in_reply_to)
        return [
            link
            for link in dict.fromkeys(chain)
            if link != member.message_id and _can_be_id(link) and (link in self.numbers or _is_surely_id(link))
        ]

    def linked(self, start: ThreadMember) -> dict[int, ThreadMember]:
        """Return all messages that links tie to one, itself included, by number."""
        group = {start.number: start}
        reached: set[str] = set()
        frontier = [start]
        while frontier:
            self._load_holders(frontier)
            fresh = {link for member in frontier for link in self.links(member)} - reached
            reached |= fresh
            found = self.load(self.index.by_links({stable_hash(link) for link in fresh})) if fresh else []
            candidates = [self.loaded[number] for number in found if number not in group]
            self._load_holders(candidates)
            frontier = [member for member in candidates if not reached.isdisjoint(self.links(member))]
            group |= {member.number: member for member in frontier}
        return group

    def _load_holders(self, members: list[ThreadMember]) -> None:
        """Fetch whoever bears a doubtful id that these messages name, so that it counts as an id."""
        doubtful = {link for member in members for link in (member.in_reply_to, *member.references)}
        doubtful = {
            link for link in doubtful if link not in self.numbers and _can_be_id(link) and not _is_surely_id(link)
        }
        if doubtful:
            self.load(self.index.by_links({stable_hash(link) for link in doubtful}))

    def root(self, start: ThreadMember) -> ThreadMember:
        """Return the message that ends the chain of subjects upwards: itself, if it has links or answers none."""
        key = subject_key(start.subject)
        answers = self.answers(key) if key else {}
        number = start.number
        while number in answers:
            number = answers[number]
        return self.loaded[number]

    def answers(self, key: str) -> dict[int, int]:
        """Return, for all messages without links under one subject, which message each answers, by number.

        :func:`_answered` says which one; it stands before it by date, or by Message-ID where the dates are the same.
        """
        if key in self.answers_by_key:
            return self.answers_by_key[key]
        same = [self.loaded[number] for number in self.load(self.index.by_subject(stable_hash(key)))]
        dated = sorted(
            (member for member in same if member.date is not None and subject_key(member.subject) == key), key=_order
        )
        unlinked = self._unlinked(dated)
        found: dict[int, int] = {}
        seen: defaultdict[str, list[int]] = defaultdict(list)
        for place, member in enumerate(dated):
            if member.number in unlinked:
                near = {earlier for person in member.people for earlier in seen[person][-MAX_TRIES:]}
                parent = _answered(member, [dated[earlier] for earlier in sorted(near, reverse=True)])
                if parent is not None:
                    found[member.number] = parent.number
            for person in member.people:
                seen[person].append(place)
        self.answers_by_key[key] = found
        return found

    def _unlinked(self, members: list[ThreadMember]) -> set[int]:
        """Return the numbers of those that name no message and that none names."""
        self._load_holders(members)
        alone = [member for member in members if not self.named(member)]
        hashes = {stable_hash(member.message_id) for member in alone}
        namers = self.load(self.index.by_links(hashes)) if hashes else []
        named = {link for number in namers for link in self.named(self.loaded[number])}
        return {member.number for member in alone if member.message_id not in named}


def _order(member: ThreadMember) -> tuple[bool, float, str]:
    """Order by date, what has none last, and by Message-ID where dates are the same."""
    return (member.date is None, member.date.timestamp() if member.date else 0.0, member.message_id)


def _answered(member: ThreadMember, earlier: list[ThreadMember]) -> ThreadMember | None:
    """Return which of some earlier messages, the latest first, a message most likely answers, if any.

    All share somebody with it. A marked subject (``Re:``) may answer within :data:`MAX_ANSWER_GAP`, first of all in an
    exchange: each author is among the people of the other's message. An unmarked one may in an exchange only, within
    :data:`MAX_UNMARKED_ANSWER_GAP` and among few people: reports that colleagues send in turn are no exchange.
    """
    is_marked = is_answer_subject(member.subject)
    if not is_marked and len(member.people) > MAX_UNMARKED_PEOPLE:
        return None
    longest = MAX_ANSWER_GAP if is_marked else MAX_UNMARKED_ANSWER_GAP
    latest = None
    for other in earlier:
        if member.date is None or other.date is None or member.date - other.date > longest:
            break
        if member.author != other.author and member.author in other.people and other.author in member.people:
            return other
        latest = latest or other
    return latest if is_marked else None


def _linked_parents(named: dict[str, list[str]]) -> dict[str, str]:
    """Return the nearest message of a group above each by what they name (the nearest last); none in a circle.

    What a message says of itself comes first; then what others say of it, or of messages that are not there.
    """
    above: dict[str, str] = {}
    tops: dict[str, str] = {}

    def join(child: str, parent: str) -> bool:
        if child in above or (top := _top(parent, tops)) == child:
            return False
        above[child] = parent
        tops[child] = top
        return True

    for message_id, chain in named.items():
        any(join(message_id, link) for link in reversed(chain))
    for chain in named.values():
        for parent, child in pairwise(chain):
            join(child, parent)
    return _over_gaps(above, named.keys())


def _over_gaps(above: dict[str, str], present: Collection[str]) -> dict[str, str]:
    """Return the nearest message above each that is there, leaving out those that are not."""
    nearest: dict[str, str | None] = {}
    for message_id in present:
        passed = [message_id]
        link = above.get(message_id)
        while link is not None and link not in present and link not in nearest:
            passed.append(link)
            link = above.get(link)
        found = nearest[link] if link is not None and link not in present else link
        nearest.update(dict.fromkeys(passed, found))
    return {message_id: parent for message_id in present if (parent := nearest[message_id]) is not None}


def _top(link: str, tops: dict[str, str]) -> str:
    """Return the topmost id above one, and shorten the way for the next time."""
    passed = []
    while link in tops:
        passed.append(link)
        link = tops[link]
    tops.update(dict.fromkeys(passed, link))
    return link


def _arrange(members: Iterable[ThreadMember], parents: dict[str, str]) -> Thread:
    ordered = {member.message_id: member for member in sorted(members, key=_order, reverse=True)}
    children: defaultdict[str | None, list[str]] = defaultdict(list)
    for message_id in ordered:
        children[parents.get(message_id)].append(message_id)
    nodes: list[ThreadNode] = []
    pending: list[ThreadNode] = [ThreadNode(message_id, None, 0) for message_id in children[None]]
    while pending:
        node = pending.pop()
        nodes.append(node)
        pending.extend(ThreadNode(child, node.message_id, node.depth + 1) for child in children[node.message_id])
    return Thread(tuple(nodes))
