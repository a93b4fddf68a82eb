"""Right answers worked out by hand, from steps written by hand."""

from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from mailgym.corpora.simulate.affairs import Affair, Told
from mailgym.corpora.simulate.find_out import ASKS, Finding, join
from mailgym.corpora.simulate.flows import FLOWS, STATES
from mailgym.corpora.simulate.matters import Mail
from mailgym.corpora.simulate.people import Person
from mailgym.corpora.simulate.values import Money

ANN = Person("Ann", "Lee", "ann@x.example", "Legal", "counsel", 0)
BOB = Person("Bob", "Roy", "bob@x.example", "Legal", "clerk", 0)
EVE = Person("Eve", "Oh", "eve@x.example", "Legal", "clerk", 0)


def told(step: str, number: int, teller: Person = ANN, **facts: Any) -> Told:
    mail = Mail(f"{number}@x", datetime(2024, 5, number, 9, tzinfo=UTC), teller, (BOB,), (), "s", "t")
    return Told(step, facts, mail, teller)


def found(kind: str, ask: str, *steps: Told) -> tuple[str, str, list[str]] | None:
    finding = ASKS[kind][ask].find(steps)
    if finding is None:
        return None
    return finding.answer, finding.kind, [one.mail.message_id for one in finding.told]


SET = told("set", 1, day=date(2024, 5, 20), time=time(9, 30), place="room Kepler")
MOVED = told("moved", 2, day=date(2024, 5, 22), time=time(14, 0))
AGAIN = told("moved", 3, day=date(2024, 5, 24), time=time(8, 15))
AHEAD = told("ahead", 4, ahead=3)
CANCELLED = told("cancelled", 5)


def test_the_last_value_counts_and_one_that_changed_is_superseded() -> None:
    assert found("appointment", "day", SET) == ("20 May 2024", "single", ["1@x"])
    assert found("appointment", "day", SET, MOVED) == ("22 May 2024", "superseded", ["2@x"])
    assert found("appointment", "time", SET, MOVED, AGAIN) == ("08:15", "superseded", ["3@x"])
    assert found("appointment", "place", SET, MOVED) == ("room Kepler", "single", ["1@x"])


def test_what_is_off_or_was_never_said_has_no_value() -> None:
    assert found("appointment", "day", SET, CANCELLED) is None
    assert found("appointment", "day", told("announced", 1)) is None
    assert found("bill", "pay_day", told("raised", 1, amount=Money(5, "EUR"), due=date(2024, 6, 1))) is None


def test_whether_something_holds_is_said_by_the_last_step_alone() -> None:
    assert found("appointment", "still_on", SET, MOVED) == ("Yes", "negation", ["2@x"])
    assert found("appointment", "still_on", SET, CANCELLED) == ("No", "negation", ["5@x"])
    assert found("appointment", "still_on", SET, AHEAD) is None, "nothing new was said about it"
    assert found("bill", "is_paid", told("disputed", 1), told("settled", 2)) == ("Yes", "negation", ["2@x"])
    assert found("bill", "is_paid", told("disputed", 1)) == ("No", "negation", ["1@x"])
    assert found("bill", "is_paid", told("disputed", 1), told("corrected", 2, amount=Money(5, "EUR"))) is None


def test_two_mails_are_needed_for_what_follows_from_both() -> None:
    assert found("appointment", "notes_day", SET, MOVED, AHEAD) == ("19 May 2024", "two_mails", ["2@x", "4@x"])
    assert found("appointment", "notes_day", SET) is None
    raised = told("raised", 1, amount=Money(1_200, "USD"), due=date(2024, 6, 1))
    assert found("bill", "rest", raised, told("part_paid", 2, paid=Money(450, "USD"))) == (
        "750 USD",
        "two_mails",
        ["1@x", "2@x"],
    )
    booked = told("booked", 1, day=date(2024, 6, 1), time=time(1, 30), place="the Astor")
    assert found("trip", "pickup", booked, told("ahead", 2, ahead=2)) == ("23:30", "two_mails", ["1@x", "2@x"])
    placed, priced = told("placed", 1, count=40, day=date(2024, 6, 1)), told("priced", 2, unit=Money(12, "GBP"))
    changed = told("recounted", 3, count=55)
    assert found("order", "total", placed, priced) == ("480 GBP", "two_mails", ["1@x", "2@x"])
    assert found("order", "total", placed, priced, changed) == ("660 GBP", "two_mails", ["3@x", "2@x"])


def test_a_counter_offer_is_measured_against_the_first_price() -> None:
    offered = told("offered", 1, amount=Money(5_000, "EUR"), valid=date(2024, 6, 1))
    countered = told("countered", 2, bid=Money(4_100, "EUR"))
    agreed = told("agreed", 3, amount=Money(4_500, "EUR"), signer="Eve Oh")
    assert found("offer", "margin", offered, countered, agreed) == ("900 EUR", "two_mails", ["1@x", "2@x"])
    assert found("offer", "amount", offered, countered) is None, "nothing is agreed yet"
    assert found("offer", "amount", offered, countered, agreed) == ("4,500 EUR", "superseded", ["3@x"])
    assert found("offer", "signer", offered, agreed) == ("Eve Oh", "single", ["3@x"])


def test_threads_are_counted_and_added_up() -> None:
    assert found("appointment", "times_moved", SET, MOVED, AGAIN) == ("2", "aggregate", ["2@x", "3@x"])
    assert found("appointment", "times_moved", SET, MOVED) is None, "once is no aggregate"
    needs = [told("needed", 1, ANN, count=4), told("needed", 2, BOB, count=9), told("needed", 3, EVE, count=2)]
    assert found("collection", "total", *needs) == ("15", "aggregate", ["1@x", "2@x", "3@x"])
    assert found("collection", "most", *needs) == ("Bob Roy", "aggregate", ["1@x", "2@x", "3@x"])
    assert found("collection", "total", needs[0]) is None
    assert found("collection", "most", needs[0], told("needed", 2, BOB, count=4)) is None, "two want the most"
    answers = [told("joined", 1, ANN), told("declined", 2, BOB), told("joined", 3, EVE)]
    assert found("gathering", "joiners", *answers) == ("2", "aggregate", ["1@x", "3@x"])
    assert found("gathering", "decliner", *answers) == ("Bob Roy", "negation", ["2@x"])
    assert found("gathering", "decliner", *answers, told("declined", 4, EVE)) is None, "which of the two?"


def test_another_affair_says_where_the_person_sits() -> None:
    named = told("named", 5, name="Eve Oh")
    seated = (told("seated", 2, EVE, place="the loft"), told("reseated", 9, EVE, place="the bridge"))
    seats = {"Eve Oh": Affair("a", "seat", "Eve Oh", EVE, "new seat", seated)}
    assert join([named], "name", seats, "place", date(2024, 5, 8)) == Finding(
        "the loft", "two_mails", (named, seated[0])
    )
    later = join([named], "name", seats, "place", date(2024, 5, 9))
    assert later is not None
    assert later.answer == "the bridge"
    assert join([named], "name", seats, "place", date(2024, 5, 1)) is None
    assert join([named], "name", {}, "place", date(2024, 5, 8)) is None
    assert join([told("announced", 1)], "name", seats, "place", date(2024, 5, 8)) is None


@pytest.mark.parametrize("kind", FLOWS)
def test_every_ask_has_an_answer_in_some_course_and_looks_at_slots_that_there_are(kind: str) -> None:
    slots = {slot for states in STATES[kind].values() for slot in states}
    assert set(ASKS) == set(FLOWS)
    for ask in ASKS[kind].values():
        assert not ask.ever or ask.ever in slots
        assert ask.answer_type in {"date", "time", "amount", "name", "count", "place", "yes_no"}
