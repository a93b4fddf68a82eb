"""Writes the mail of affairs: who tells whom, in which thread, in whose style."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from mailgym.core.seeds import stream
from mailgym.corpora.simulate.matters import REPLY, Mail, local_time
from mailgym.corpora.simulate.people import Person
from mailgym.corpora.simulate.phrasebook import Phrasebook
from mailgym.corpora.simulate.phrasebook.storybook import Plot, Storybook
from mailgym.corpora.simulate.values import Value
from mailgym.corpora.simulate.voice import Style, Voice, write_text

ANSWERS_THREAD, NOISE_SHARE, FORWARD_SHARE, OWNER_SHARE = 0.7, 0.35, 0.2, 0.12
CC_SHARE, SIDEWAYS_SHARE = 0.3, 0.22
ATTACHED_SHARE = 0.2


class Letters:
    """Everybody who writes to and for one owner."""

    def __init__(self, book: Phrasebook, story: Storybook, owner: Person, people: Sequence[Person], seed: int) -> None:
        """Name the owner and the colleagues who may write about anything."""
        self.book, self.story, self.owner, self.people = book, story, owner, people
        self._seed = seed
        self._voices: dict[str, Voice] = {}

    def voice(self, person: Person) -> Voice:
        """Return how somebody writes; it is the same in all mailboxes of a company."""
        if person.address not in self._voices:
            rng = stream(self._seed, self.book.split, "voice", person.address)
            self._voices[person.address] = Voice.draw(person, self.book, self.story, rng)
        return self._voices[person.address]

    def thread(
        self,
        affair_id: str,
        plot: Plot,
        partner: str,
        insiders: Sequence[Person],
        others: Sequence[Person],
        thing: str,
        rng: random.Random,
    ) -> "Thread":
        """Begin the mail of an affair; see :class:`Thread`."""
        return Thread(self, affair_id, plot, partner, insiders, others, thing, rng)


@dataclass(frozen=True, slots=True)
class _Envelope:
    """Who writes to whom."""

    sender: Person
    to: tuple[Person, ...]
    cc: tuple[Person, ...]


class Thread:
    """The mail of one affair, which may be in several threads of the mailbox.

    Attributes:
        mails: What was written so far, oldest first.
    """

    def __init__(
        self,
        letters: Letters,
        affair_id: str,
        plot: Plot,
        partner: str,
        insiders: Sequence[Person],
        others: Sequence[Person],
        thing: str,
        rng: random.Random,
    ) -> None:
        """Name the affair and its people.

        Args:
            letters: Everybody's voices.
            affair_id: The affair's id.
            plot: How its kind is written about.
            partner: Whom or what it is with.
            insiders: Who can write as the partner; nobody where the partner is a city, a system, an opening.
            others: Colleagues who have to do with it; each_by_another steps are told by one after another.
            thing: What it is about.
            rng: Decides everything here.
        """
        self.mails: list[Mail] = []
        self._letters, self._affair_id, self._plot, self._rng = letters, affair_id, plot, rng
        self._partner, self._thing = partner, thing
        self._insiders, self._others = insiders, others
        self._turn = 0
        self._invitation: Mail | None = None

    def tell(
        self, step: str, facts: dict[str, Value], held: dict[str, Value], day: date, by_another: bool
    ) -> tuple[Mail, Person]:
        """Tell one step.

        Args:
            step: The step.
            facts: What it states.
            held: What held before.
            day: When.
            by_another: Whether it is told by the next colleague, to the partner.

        Returns:
            The mail, and whose words they are.
        """
        rng, owner = self._rng, self._letters.owner
        template = rng.choice(self._plot.told[step])
        values = {**facts, **{f"old_{slot}": value for slot, value in held.items()}}
        envelope = self._by_another() if by_another else self._envelope("{partner}" in template)
        teller = envelope.sender
        can_forward = bool(facts) and teller in self._insiders and not by_another
        if can_forward and rng.random() < FORWARD_SHARE:
            reader = rng.choice(self._others)
            inner = self._write(step, template, values, _Envelope(teller, (reader,), ()), day, None, is_dated=True)
            passed_on = _Envelope(reader, (owner,), ())
            sent_at = self._moment(reader, day, inner)
            mail = self._compose(step, rng.choice(self._letters.story.forwards), passed_on, sent_at, None, inner)
        else:
            mail = self._write(step, template, values, envelope, day, self._parent(by_another))
        self.mails.append(mail)
        if not by_another:
            self._invitation = mail
            self._maybe_reply(mail)
        return mail, teller

    def _write(
        self,
        step: str,
        template: str,
        values: dict[str, Value],
        envelope: _Envelope,
        day: date,
        parent: Mail | None,
        *,
        is_dated: bool = False,
    ) -> Mail:
        """Write a mail that tells something.

        Args:
            step: The step that it tells.
            template: The sentence.
            values: What fills it.
            envelope: Who writes to whom.
            day: When.
            parent: The mail that it answers.
            is_dated: Whether days must be written so that they can be read on another day.
        """
        sent_at = self._moment(envelope.sender, day, parent)
        sent = sent_at.date()
        near = None if is_dated or sent != sent_at.astimezone(UTC).date() else sent
        style = self._letters.voice(envelope.sender).choose(self._rng)
        written = {
            slot: style.habit.write(value, None if slot.startswith("old_") else near) for slot, value in values.items()
        }
        core = template.format(partner=self._partner, thing=self._thing, **written)
        reader, fillers = envelope.to[0].first, self._letters.story.fillers
        text = write_text(core, reader, style, fillers, self._rng, begins_with_name=template.startswith("{"))
        return self._compose(step, text, envelope, sent_at, parent, None)

    def _moment(self, sender: Person, day: date, after: Mail | None) -> datetime:
        """Return when somebody writes on a day: in office hours, and after the mail that is answered or passed on."""
        about = datetime.combine(day, time(9), UTC)
        return local_time(sender, about, after.sent_at if after else None, self._rng)

    def _compose(
        self, step: str, text: str, envelope: _Envelope, sent_at: datetime, parent: Mail | None, forwarded: Mail | None
    ) -> Mail:
        rng = self._rng
        if parent is not None:
            subject = parent.subject if parent.subject.startswith("Re: ") else f"Re: {parent.subject}"
        elif forwarded is not None:
            subject = f"Fwd: {forwarded.subject}"
        else:
            subject = rng.choice(self._plot.subjects).format(partner=self._partner, thing=self._thing)
        attachment = ""
        if step != REPLY and rng.random() < ATTACHED_SHARE:
            attachment = f"{self._plot.kind}-{rng.randint(100, 999)}.{rng.choice(('pdf', 'xlsx', 'docx', 'png'))}"
        return Mail(
            message_id=f"{rng.getrandbits(80):020x}@{envelope.sender.address.split('@')[1]}",
            sent_at=sent_at,
            sender=envelope.sender,
            to=envelope.to,
            cc=envelope.cc,
            subject=subject[0].upper() + subject[1:],
            text=text,
            parent=parent,
            record_id=self._affair_id,
            kind=self._plot.kind,
            act=step,
            attachment=attachment,
            html=rng.random() < 0.12,
            forwarded=forwarded,
        )

    def _maybe_reply(self, mail: Mail) -> None:
        """Let a recipient answer without adding anything."""
        rng, owner = self._rng, self._letters.owner
        if rng.random() >= NOISE_SHARE:
            return
        answerer = rng.choice(mail.to)
        cc = () if owner in (answerer, mail.sender) else (owner,)
        style = self._letters.voice(answerer).choose(rng)
        text = self._noise(rng.choice(self._letters.story.replies), mail.sender, style)
        sent_at = self._moment(answerer, mail.day, mail)
        self.mails.append(self._compose(REPLY, text, _Envelope(answerer, (mail.sender,), cc), sent_at, mail, None))

    def _noise(self, reply: str, reader: Person, style: Style) -> str:
        return write_text(reply, reader.first, style, self._letters.story.fillers, self._rng)

    def _parent(self, by_another: bool) -> Mail | None:
        if by_another:
            return self._invitation
        return self.mails[-1] if self.mails and self._rng.random() < ANSWERS_THREAD else None

    def _by_another(self) -> _Envelope:
        sender = self._others[self._turn % len(self._others)]
        self._turn += 1
        return _Envelope(sender, (self._insiders[0],), (self._letters.owner,))

    def _envelope(self, names_partner: bool) -> _Envelope:
        """Choose who writes to whom: the partner, where the sentence does not name it and somebody can speak for it."""
        rng, owner = self._rng, self._letters.owner
        bystanders = [person for person in self._others if person not in self._insiders]
        if self._insiders and not names_partner:
            sender = rng.choice(self._insiders)
        elif rng.random() < OWNER_SHARE:
            sender = owner
        else:
            sender = rng.choice(bystanders)
        readers = [person for person in bystanders if person != sender]
        if sender == owner:
            return _Envelope(owner, (rng.choice(readers),), ())
        if rng.random() < SIDEWAYS_SHARE:
            return _Envelope(sender, (rng.choice(readers),), (owner,))
        cc = (rng.choice(readers),) if rng.random() < CC_SHARE else ()
        return _Envelope(sender, (owner,), cc)
