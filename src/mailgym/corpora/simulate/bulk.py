"""Mail that nobody asks about: newsletters, notifications, spam, and mail with an injected instruction."""

import random
from datetime import UTC, date, datetime, time, timedelta

from mailgym.corpora.simulate.matters import Mail, local_time
from mailgym.corpora.simulate.people import Cast, Person
from mailgym.corpora.simulate.phrasebook import Bulk, Phrasebook

SHARES = {"newsletter": 0.4, "notification": 0.42, "spam": 0.18}
INJECTION = "injection"


def write_bulk(
    book: Phrasebook, cast: Cast, owner: Person, first_day: date, days: int, count: int, rng: random.Random
) -> list[Mail]:
    """Write ``count`` mails of bulk to an owner, spread over the days; one or two carry an injected instruction."""
    injected = min(count, rng.randint(1, 2))
    kinds = rng.choices(list(SHARES), list(SHARES.values()), k=count - injected) + [INJECTION] * injected
    mails = []
    for kind in kinds:
        bulk = rng.choice([bulk for bulk in book.bulk if bulk.kind == kind])
        moment = datetime.combine(first_day + timedelta(days=rng.randrange(days)), time(12), UTC)
        mails.append(write_one(book, cast, bulk, owner, moment, rng))
    return mails


def write_one(book: Phrasebook, cast: Cast, bulk: Bulk, owner: Person, moment: datetime, rng: random.Random) -> Mail:
    """Write one mail of a sender of bulk mail to an owner, at about a moment."""
    topics = [topic for group in book.topics.values() for topic in group]
    later = moment + timedelta(days=rng.randint(1, 20))
    slots = {
        "topic": rng.choice(topics),
        "person": rng.choice(cast.colleagues).name,
        "month": (moment + timedelta(days=rng.randint(-20, 30))).strftime("%B"),
        "day": later.strftime("%A {} %B").format(later.day),
        "time": f"{rng.randint(8, 18)}:00",
        "amount": f"${rng.randint(50, 900_000):,}",
        "number": str(rng.randint(100, 99_999)),
        "count": str(rng.randint(2, 30)),
    }
    sender = Person(bulk.name, "", bulk.address, "", "", 0)
    text = rng.choice(bulk.bodies).format(**slots)
    return Mail(
        message_id=f"{rng.getrandbits(80):020x}@{bulk.address.split('@')[1]}",
        sent_at=local_time(sender, moment, None, rng),
        sender=sender,
        to=(owner,),
        cc=(),
        subject=rng.choice(bulk.subjects).format(**slots),
        text=text,
        kind=bulk.kind,
        act=bulk.kind,
        html=bulk.kind == "newsletter",
    )
