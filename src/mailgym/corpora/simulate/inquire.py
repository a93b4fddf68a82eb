"""Questions with short answers about affairs, as their owner would ask them."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from mailgym.corpora.question import Question
from mailgym.corpora.simulate.affairs import Affair, Scene
from mailgym.corpora.simulate.find_out import (
    AGGREGATE,
    ASKS,
    JOINED,
    NEGATION,
    NO,
    SINGLE,
    SUPERSEDED,
    TWO_MAILS,
    UNANSWERABLE,
    YES,
    Finding,
    join,
)
from mailgym.corpora.simulate.people import Person

SHARES: dict[tuple[str, str], float] = {
    (SINGLE, ""): 0.28,
    (SUPERSEDED, ""): 0.22,
    (TWO_MAILS, ""): 0.15,
    (NEGATION, YES): 0.045,
    (NEGATION, NO): 0.045,
    (NEGATION, ""): 0.03,
    (AGGREGATE, ""): 0.1,
    (UNANSWERABLE, ""): 0.13,
}
"""Shares of the kinds of questions; yes and no are as frequent as each other, so that a constant earns little."""
DONT_KNOW = "I don't know"
MOST_OF_ONE_AFFAIR = 2
ASKED_WITHIN_DAYS = 12
PARAPHRASED_SHARE, BY_UNIT_SHARE, STRANGE_PAIR_SHARE = 0.4, 0.35, 0.45


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Something that can be asked on a day."""

    affair: Affair
    ask: str
    answer_type: str
    asked_on: date
    finding: Finding


class Inquirer:
    """Asks questions about one owner's affairs."""

    def __init__(self, scene: Scene, file_name: str, affairs: Sequence[Affair]) -> None:
        """Learn what happened in one mailbox."""
        self._scene, self._file_name, self._affairs = scene, file_name, affairs
        self._plots = {plot.kind: plot for plot in scene.story.plots}
        self._met: dict[Person, date] = {}
        for told in sorted((told for affair in affairs for told in affair.told), key=lambda told: told.mail.day):
            for person in told.mail.people:
                self._met.setdefault(person, told.mail.day)
        self._by_person: dict[str, dict[str, Affair]] = defaultdict(dict)
        for affair in affairs:
            if affair.person is not None:
                self._by_person[affair.kind][affair.partner] = affair

    def questions(self, rng: random.Random) -> Iterator[Question]:
        """Ask in random order, the kinds of questions in about their shares in any first part of what comes out."""
        pools: dict[tuple[str, str], list[_Candidate]] = {sort: [] for sort in SHARES}
        for affair in self._affairs:
            for candidate in self._candidates(affair, rng):
                answer = candidate.finding.answer
                pools[candidate.finding.kind, answer if answer in (YES, NO) else ""].append(candidate)
        unknown = pools[UNANSWERABLE, ""]
        unknown += self._strangers(round(len(unknown) * STRANGE_PAIR_SHARE), rng)
        for pool in pools.values():
            rng.shuffle(pool)
        asked: Counter[tuple[str, str]] = Counter()
        of_affair: Counter[str] = Counter()
        seen: set[tuple[str, str]] = set()
        while any(pools.values()):
            behind = {sort: SHARES[sort] * (asked.total() + 1) - asked[sort] for sort, pool in pools.items() if pool}
            sort = max(behind, key=behind.__getitem__)
            candidate = pools[sort].pop()
            key = (candidate.affair.id, candidate.ask)
            if of_affair[candidate.affair.id] >= MOST_OF_ONE_AFFAIR or key in seen:
                continue
            seen.add(key)
            of_affair[candidate.affair.id] += 1
            asked[sort] += 1
            yield self._question(candidate, asked.total(), rng)

    def _candidates(self, affair: Affair, rng: random.Random) -> Iterator[_Candidate]:
        """Yield all that can be asked after each step of an affair."""
        for index, step in enumerate(affair.told):
            least = step.mail.day
            most = least + timedelta(days=ASKED_WITHIN_DAYS)
            if index + 1 < len(affair.told):
                most = min(most, affair.told[index + 1].mail.day - timedelta(days=1))
            about = [told.facts["day"] for told in affair.told[: index + 1] if "day" in told.facts]
            if about and isinstance(about[-1], date):
                most = min(most, about[-1] - timedelta(days=1))
            if most < least:
                continue
            asked_on = least + timedelta(days=rng.randint(0, (most - least).days))
            told = affair.told[: index + 1]
            for name, ask in ASKS[affair.kind].items():
                finding = ask.find(told)
                if finding is None and ask.ever and all(one.step == "announced" for one in told):
                    finding = Finding(DONT_KNOW, UNANSWERABLE, ())
                if finding is not None:
                    yield _Candidate(affair, name, ask.answer_type, asked_on, finding)
            for name, (slot, kind, wanted, answer_type) in JOINED.get(affair.kind, {}).items():
                joined = join(told, slot, self._by_person[kind], wanted, asked_on)
                if joined is not None:
                    yield _Candidate(affair, name, answer_type, asked_on, joined)

    def _strangers(self, count: int, rng: random.Random) -> list[_Candidate]:
        """Ask about pairs of a known partner and a known thing that have nothing to do with each other."""
        kinds = [affair.kind for affair in self._affairs if any(ask.ever for ask in ASKS[affair.kind].values())]
        met = {(affair.kind, affair.partner, affair.thing) for affair in self._affairs}
        found: list[_Candidate] = []
        for _ in range(count * 4):
            if len(found) == count:
                break
            kind = rng.choice(kinds)
            one, other = rng.sample([affair for affair in self._affairs if affair.kind == kind] * 2, 2)
            if (kind, one.partner, other.thing) in met:
                continue
            met.add((kind, one.partner, other.thing))
            name, ask = rng.choice([item for item in ASKS[kind].items() if item[1].ever])
            last_day = max(one.told[0].mail.day, other.told[0].mail.day) + timedelta(days=rng.randint(0, 20))
            strange = Affair(f"{one.id}+{other.id}", kind, one.partner, one.person, other.thing, ())
            found.append(_Candidate(strange, name, ask.answer_type, last_day, Finding(DONT_KNOW, UNANSWERABLE, ())))
        return found

    def _question(self, candidate: _Candidate, number: int, rng: random.Random) -> Question:
        affair, finding, owner = candidate.affair, candidate.finding, self._scene.owner
        plot = self._plots[affair.kind]
        templates = plot.asked[candidate.ask]
        template = rng.choice(templates)
        thing = plot.things[affair.thing] if rng.random() < PARAPHRASED_SHARE else affair.thing
        partner, words = affair.partner, [affair.partner]
        if affair.person is not None and rng.random() < BY_UNIT_SHARE:
            partner, words = self._by_unit(affair.person, candidate.asked_on)
        keywords = [*words, affair.thing]
        if candidate.ask in JOINED.get(affair.kind, {}):
            keywords += self._plots[JOINED[affair.kind][candidate.ask][1]].things
        is_unknown = finding.kind == UNANSWERABLE
        return Question(
            id=f"{self._file_name.removesuffix('.mailbox')}-s{number:04d}",
            split=self._scene.book.split,
            mailbox=self._file_name,
            owner=owner.address,
            owner_name=owner.name,
            asked_on=candidate.asked_on,
            text=template.format(partner=partner, thing=thing),
            message_ids=tuple(told.mail.message_id for told in finding.told),
            answer=finding.answer,
            kind=finding.kind,
            template=f"{self._scene.book.split}-{affair.kind}-{candidate.ask}-{templates.index(template)}",
            facts={"keywords": keywords},
            answer_type="unknown" if is_unknown else candidate.answer_type,
        )

    def _by_unit(self, person: Person, asked_on: date) -> tuple[str, list[str]]:
        """Return how an owner names somebody by department or company, and the words of it to search by.

        Only people whose address some mail has shown are named so: no text says where the others work.
        """
        everybody = [*self._scene.cast.colleagues, *sum(self._scene.cast.contacts.values(), ())]
        is_one_of_two = sum((other.first, other.unit) == (person.first, person.unit) for other in everybody) > 1
        if is_one_of_two or self._met.get(person, date.max) > asked_on:
            return person.name, [person.name]
        link = "from" if person.unit in self._scene.book.roles else "at"
        return f"{person.first} {link} {person.unit}", [person.first, person.unit]
