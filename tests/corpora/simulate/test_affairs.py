from collections import Counter
from datetime import date
from itertools import pairwise

import pytest

from mailgym.core.errors import ConfigError
from mailgym.core.seeds import stream
from mailgym.corpora.simulate.affairs import Affair, Scene, working_day, write_affairs
from mailgym.corpora.simulate.company import Company, simulate_company
from mailgym.corpora.simulate.flows import FLOWS, STATES
from mailgym.corpora.simulate.matters import REPLY, Mail
from mailgym.corpora.simulate.people import make_cast
from mailgym.corpora.simulate.phrasebook import phrasebook, storybook
from mailgym.corpora.simulate.values import answer_text

FIRST_DAY = date(2024, 1, 1)


def scene(people: int = 20, owners: int = 2, seed: int = 3) -> Scene:
    cast = make_cast(phrasebook("train"), stream(seed, "cast"), people, owners)
    return Scene.of(phrasebook("train"), storybook("train"), cast, cast.owners[0], seed)


@pytest.fixture(scope="module")
def happened() -> list[tuple[Affair, list[Mail]]]:
    return list(write_affairs(scene(), FIRST_DAY, 120, 1_500))


def test_affairs_go_through_a_course_of_their_kind_and_state_its_facts(
    happened: list[tuple[Affair, list[Mail]]],
) -> None:
    for affair, _ in happened:
        assert tuple(told.step for told in affair.told) in FLOWS[affair.kind].courses
        for told in affair.told:
            assert tuple(told.facts) == STATES[affair.kind].get(told.step, ())
    kinds = Counter(affair.kind for affair, _ in happened)
    assert set(kinds) == set(FLOWS)
    assert kinds["appointment"] > kinds["seat"]


def test_the_mails_are_the_owners_in_order_and_about_as_many_as_asked_for(
    happened: list[tuple[Affair, list[Mail]]],
) -> None:
    owner = scene().owner
    everything = [mail for _, mails in happened for mail in mails]
    assert 1_500 <= len(everything) < 1_520
    assert len({mail.message_id for mail in everything}) == len(everything)
    for affair, mails in happened:
        assert [told.mail for told in affair.told] == [mail for mail in mails if mail.act != REPLY]
        assert all(owner in mail.people for mail in mails)
        assert all(mail.record_id == affair.id for mail in mails)
        days = [told.mail.day for told in affair.told]
        assert days == sorted(days)
        for mail in mails:
            assert mail.parent is None or (mail.parent in mails and mail.parent.sent_at < mail.sent_at)
            assert mail.sender not in (*mail.to, *mail.cc)


def test_partner_and_thing_belong_to_one_affair_of_a_kind(happened: list[tuple[Affair, list[Mail]]]) -> None:
    pairs = Counter((affair.kind, affair.partner, affair.thing) for affair, _ in happened)
    assert set(pairs.values()) == {1}
    things = Counter((affair.kind, affair.thing) for affair, _ in happened)
    assert max(things.values()) > 2, "the same thing comes again, with somebody else and other numbers"


def test_each_answer_comes_from_another_colleague(happened: list[tuple[Affair, list[Mail]]]) -> None:
    for affair, _ in happened:
        if affair.kind in ("gathering", "collection"):
            tellers = [t.teller for t in affair.told if t.step in FLOWS[affair.kind].each_by_another]
            assert len(set(tellers)) == len(tellers)
            assert affair.person not in tellers


def test_a_day_that_moves_is_told_before_it_comes(happened: list[tuple[Affair, list[Mail]]]) -> None:
    late = 0
    for affair, _ in happened:
        for before, after in pairwise(affair.told):
            day = before.facts.get("day")
            if isinstance(day, date) and "day" in after.facts:
                late += after.mail.day >= day
    assert late == 0


def test_a_record_keeps_what_holds_in_the_end(happened: list[tuple[Affair, list[Mail]]]) -> None:
    affair = next(affair for affair, _ in happened if [t.step for t in affair.told] == ["set", "moved", "moved"])
    record = affair.record()
    assert (record.id, record.kind, record.topic, record.detail) == (
        affair.id,
        "appointment",
        affair.partner,
        affair.thing,
    )
    assert record.acts == ("set", "moved", "moved")
    assert record.facts["day"] == answer_text(affair.told[2].facts["day"])
    assert record.facts["place"] == answer_text(affair.told[0].facts["place"])
    assert len(record.message_ids) == 3
    assert [told.step for told in affair.by(affair.told[1].mail.day)] == ["set", "moved"]


def test_other_owners_take_no_part(happened: list[tuple[Affair, list[Mail]]]) -> None:
    other = scene().cast.owners[1]
    assert not any(other in mail.people for _, mails in happened for mail in mails)
    assert not any(other.name in told.facts.values() for affair, _ in happened for told in affair.told)


def test_newcomers_are_nobody_of_the_company() -> None:
    stage = scene()
    names = {person.name for person in stage.cast.colleagues}
    assert names.isdisjoint(stage.newcomers)
    assert len(stage.newcomers) > 20


def test_too_few_people_and_too_much_mail_are_refused() -> None:
    with pytest.raises(ConfigError, match="more --people"):
        scene(people=10, owners=8)
    with pytest.raises(ConfigError, match="fewer --days"):
        list(write_affairs(scene(people=10, owners=1), FIRST_DAY, 120, 100_000))


def test_weekends_are_left_out() -> None:
    assert [working_day(date(2024, 6, day)) for day in (7, 8, 9)] == [
        date(2024, 6, 7),
        date(2024, 6, 10),
        date(2024, 6, 10),
    ]


def test_a_company_has_the_records_of_its_affairs() -> None:
    company: Company = simulate_company(4, "validation", 20, 2, 100, 100, 200)
    ids = {record.id for record in company.records}
    for inbox in company.inboxes:
        assert inbox.affairs
        assert {affair.id for affair in inbox.affairs} <= ids
    assert len(company.records) == len(ids)
