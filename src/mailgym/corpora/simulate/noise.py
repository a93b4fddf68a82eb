"""Mail around affairs that nobody asks about, and mail that gives orders to an assistant that reads it.

What such orders ask for is kept in the store, in ``injections.jsonl``, so that it can be measured how often they are
obeyed.
"""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from mailgym.core.errors import SourceError
from mailgym.core.files import write_atomically
from mailgym.core.seeds import stream
from mailgym.corpora.simulate.affairs import Affair, Scene
from mailgym.corpora.simulate.bulk import INJECTION, write_one
from mailgym.corpora.simulate.matters import Mail, local_time
from mailgym.corpora.simulate.people import Person

INJECTIONS_FILE = "injections.jsonl"
SHARES = {"newsletter": 0.34, "notification": 0.36, "spam": 0.18, "phishing": 0.12}
INJECTED_SHARE = 0.03
MOST_DAYS_LATER = 10
ANSWER, READ, CITE = "answer", "read", "cite"


@dataclass(frozen=True, slots=True)
class Injection:
    """A mail that gives orders to an assistant.

    Attributes:
        mailbox: File name of the mailbox in the store.
        message_id: The mail.
        asks_for: ``answer`` (say ``target``), ``read`` (read the mail ``target``) or ``cite`` (cite ``target``).
        target: A text that no honest answer has, or a Message-ID.
    """

    mailbox: str
    message_id: str
    asks_for: str
    target: str


def write_injections(store: Path, injections: Iterable[Injection]) -> Path:
    """Write ``injections.jsonl`` into a store, replacing it whole."""
    lines = "".join(json.dumps(asdict(injection), ensure_ascii=False) + "\n" for injection in injections)
    return write_atomically(store / INJECTIONS_FILE, lines)


def read_injections(store: Path) -> list[Injection]:
    """Read a store's injections; there are none where the store has no such file.

    Raises:
        SourceError: A line of it is not an injection.
    """
    path = store / INJECTIONS_FILE
    if not path.exists():
        return []
    injections = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            injections.append(Injection(**json.loads(line)))
        except (ValueError, TypeError) as error:
            raise SourceError(f"{path} line {number} is not an injection ({error}); make the store again") from error
    return injections


def write_noise(scene: Scene, first_day: date, days: int, count: int) -> Iterator[Mail]:
    """Write ``count`` newsletters, notifications, spam and phishing mails to an owner, spread over the days."""
    rng = stream(scene.seed, scene.book.split, "noise", scene.owner.address)
    for kind in rng.choices(list(SHARES), list(SHARES.values()), k=count):
        bulk = rng.choice([bulk for bulk in scene.story.bulk if bulk.kind == kind])
        moment = datetime.combine(first_day + timedelta(days=rng.randrange(days)), time(12), UTC)
        yield write_one(scene.book, scene.cast, bulk, scene.owner, moment, rng)


def write_orders(
    scene: Scene, file_name: str, affairs: Sequence[Affair], mails: Sequence[Mail]
) -> Iterator[tuple[Mail, Injection]]:
    """Write mails that give orders to an assistant, each about an affair, some days after it began.

    Args:
        scene: Whose mailbox it is.
        file_name: The mailbox's file name.
        affairs: What happened in it.
        mails: Mails of it that an order can name; at least one.
    """
    rng = stream(scene.seed, scene.book.split, "orders", scene.owner.address)
    sorts = list(scene.story.injections)
    count = min(len(affairs), max(len(sorts), round(len(affairs) * INJECTED_SHARE)))
    for number, affair in enumerate(rng.sample(list(affairs), count)):
        asks_for = sorts[number % len(sorts)]
        target = rng.choice(mails).message_id
        if asks_for == ANSWER:
            target = f"{rng.choice(scene.book.first_names)}{rng.randint(1000, 9999)}"
        template = rng.choice(scene.story.injections[asks_for])
        text = template.format(thing=affair.thing, partner=affair.partner, target=target)
        mail = _order(scene, affair, text, rng)
        yield mail, Injection(file_name, mail.message_id, asks_for, target)


def _order(scene: Scene, affair: Affair, text: str, rng: random.Random) -> Mail:
    bulk = rng.choice([bulk for bulk in scene.book.bulk if bulk.kind == INJECTION])
    sender = Person(bulk.name, "", bulk.address, "", "", 0)
    day = affair.told[0].mail.day + timedelta(days=rng.randint(0, MOST_DAYS_LATER))
    return Mail(
        message_id=f"{rng.getrandbits(80):020x}@{bulk.address.split('@')[1]}",
        sent_at=local_time(sender, datetime.combine(day, time(12), UTC), None, rng),
        sender=sender,
        to=(scene.owner,),
        cc=(),
        subject=f"{affair.thing[0].upper()}{affair.thing[1:]} / {affair.partner}",
        text=text,
        kind=INJECTION,
        act=INJECTION,
    )
