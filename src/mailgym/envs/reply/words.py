"""People, companies, days and amounts that fill the templates; those of a split are in no other split."""

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from importlib import resources
from typing import Any

FIRST_DAY = date(2025, 2, 3)
DAYS = 260
HOURS = (9, 10, 11, 13, 14, 15, 16)


@dataclass(frozen=True, slots=True)
class Scene:
    """What one task is filled with.

    Attributes:
        owner: Whose mail it is.
        owner_address: The owner's address.
        sender_address: The address of the sender that was drawn, at a company or, for private mail, at a mail provider.
        received: The day the mail came, as ``Tuesday, 4 March 2025``.
        slots: Blank → text, for the templates.
    """

    owner: str
    owner_address: str
    sender_address: str
    received: str
    slots: dict[str, str]


@lru_cache(maxsize=4)
def words_of(split: str) -> Mapping[str, Any]:
    """Return the lists of words of a split."""
    file = resources.files("mailgym.envs.reply") / "data" / "words.toml"
    return dict(tomllib.loads(file.read_text(encoding="utf-8"))[split])


def draw_scene(split: str, draw: random.Random, case: Mapping[str, Any]) -> Scene:
    """Draw owner, sender, another person, companies, days, times and amounts.

    Args:
        split: Whose words are drawn.
        draw: The random stream.
        case: Its ``owner`` and ``received`` (an ISO date) are taken where it has them.
    """
    words = words_of(split)
    owner = case.get("owner") or draw.choice(words["owners"])
    first, other = draw.sample(words["first_names"], 2)
    last, other_last = draw.sample(words["last_names"], 2)
    company, company2 = draw.sample(words["companies"], 2)
    city, city2 = draw.sample(words["cities"], 2)
    received = _working_day(draw, case.get("received"))
    slots = {
        **{"owner": owner, "owner_first": owner.split()[0], "owner_last": owner.split()[-1]},
        **{"sender": f"{first} {last}", "sender_first": first, "sender_last": last},
        **{"other": f"{other} {other_last}", "other_first": other, "other_last": other_last},
        **{"company": company, "company2": company2, "city": city, "city2": city2},
        **_days(received, draw),
        **_figures(draw),
    }
    is_work = case["category"] == "work"
    domain = _domain(company) if is_work else draw.choice(words["providers"])
    return Scene(
        owner=owner,
        owner_address=f"{owner.lower().replace(' ', '.')}@{words['home']}",
        sender_address=f"{first}.{last}@{domain}".lower().replace(" ", "").replace("'", ""),
        received=_spell(received),
        slots=slots,
    )


def _working_day(draw: random.Random, given: str | None) -> date:
    if given is not None:
        return date.fromisoformat(given)
    day = FIRST_DAY + timedelta(days=draw.randrange(DAYS))
    return day - timedelta(days=max(0, day.weekday() - 3))  # from Monday to Thursday: tomorrow is a working day


def _days(received: date, draw: random.Random) -> dict[str, str]:
    """Return days to come: tomorrow, ``day`` and ``day2`` of the days after it, ``far`` in a month or more; and past.

    A day that falls on a weekend is the Monday after it; ``day2`` is always later than ``day``. ``day`` is spelt
    ``Thursday, 13 March``; ``weekday`` and ``date`` are its halves.
    """
    near = draw.randint(2, 5)
    dates = {
        "tomorrow": received + timedelta(days=1),
        "day": received + timedelta(days=near),
        "day2": received + timedelta(days=near + draw.randint(4, 6)),
        "far": received + timedelta(days=draw.randint(32, 60)),
        "past": received - timedelta(days=draw.randint(6, 20)),
        "today": received,
    }
    dates = {name: day + timedelta(days=max(0, 7 - day.weekday()) * (day.weekday() > 4)) for name, day in dates.items()}
    slots = {name: _short(day) for name, day in dates.items()}
    slots |= {"weekday": f"{dates['day']:%A}", "date": f"{dates['day'].day} {dates['day']:%B}"}
    return slots | {"weekday2": f"{dates['day2']:%A}", "date2": f"{dates['day2'].day} {dates['day2']:%B}"}


def _figures(draw: random.Random) -> dict[str, str]:
    hour, hour2 = draw.sample(HOURS, 2)
    minutes, minutes2 = draw.choice(("00", "30")), draw.choice(("00", "15"))
    amount, amount2 = draw.sample(range(12, 96), 2)
    number, number2 = draw.sample(range(6, 48), 2)
    return {
        **{"time": f"{hour}:{minutes}", "time2": f"{hour2}:{minutes2}"},
        **{"amount": f"{amount * 50:,} euro", "amount2": f"{amount2 * 50:,} euro"},
        **{"number": str(number), "number2": str(number2)},
        "ref": f"{draw.choice('BCDFGHKLM')}{draw.randint(1000, 9999)}",
    }


def _domain(company: str) -> str:
    return "".join(letter for letter in company.lower() if letter.isalnum()) + ".example"


def _short(day: date) -> str:
    return f"{day:%A}, {day.day} {day:%B}"


def _spell(day: date) -> str:
    return f"{_short(day)} {day.year}"
