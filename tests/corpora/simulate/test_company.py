from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest

from mailgym.core.errors import ConfigError
from mailgym.core.seeds import stream
from mailgym.corpora.simulate.company import BULK_SHARE, Company, simulate_company
from mailgym.corpora.simulate.matters import STAGES
from mailgym.corpora.simulate.people import MAX_PEOPLE, make_cast
from mailgym.corpora.simulate.phrasebook import PHRASEBOOKS, phrasebook
from mailgym.corpora.simulate.raw import write_mail


@pytest.fixture(scope="module")
def company() -> Company:
    return simulate_company(3, "train", people=20, owners=2, days=200, mails_per_owner=450)


def as_bytes(company: Company) -> list[list[bytes]]:
    return [[write_mail(mail) for mail in inbox.mails] for inbox in company.inboxes]


def test_same_seed_gives_the_same_company_to_the_byte(company: Company) -> None:
    again = simulate_company(3, "train", people=20, owners=2, days=200, mails_per_owner=450)
    assert again == company
    assert as_bytes(again) == as_bytes(company)


def test_other_seed_gives_another_company(company: Company) -> None:
    other = simulate_company(4, "train", people=20, owners=2, days=200, mails_per_owner=450)
    ids = {mail.message_id for inbox in company.inboxes for mail in inbox.mails}
    assert ids.isdisjoint(mail.message_id for inbox in other.inboxes for mail in inbox.mails)
    assert {person.name for person in other.cast.colleagues} != {person.name for person in company.cast.colleagues}


def test_several_people_share_a_first_name(company: Company) -> None:
    colleagues = company.cast.colleagues
    shared = {first for first, count in Counter(person.first for person in colleagues).items() if count > 1}
    assert len(shared) >= 3
    names = [person.name for person in colleagues]
    assert len(set(names)) == len(names)
    for first in shared:
        units = [person.unit for person in colleagues if person.first == first]
        assert len(set(units)) == len(units), "a department tells namesakes apart"
    partners = {person.first for people in company.cast.contacts.values() for person in people}
    assert partners & shared


def test_even_a_large_company_has_no_two_people_of_one_name_or_address() -> None:
    for split in PHRASEBOOKS:
        cast = make_cast(phrasebook(split), stream(1, split), MAX_PEOPLE, 3)
        assert len({person.name for person in cast.colleagues}) == MAX_PEOPLE
        everybody = [*cast.colleagues, *(person for people in cast.contacts.values() for person in people)]
        assert len({person.address for person in everybody}) == len(everybody)


def test_inboxes_hold_what_their_owner_sent_or_got_in_order(company: Company) -> None:
    assert [inbox.owner for inbox in company.inboxes] == list(company.cast.owners)
    for inbox in company.inboxes:
        assert all(inbox.owner in mail.people for mail in inbox.mails)
        assert any(mail.sender == inbox.owner for mail in inbox.mails)
        times = [mail.sent_at for mail in inbox.mails]
        assert times == sorted(times)
        kinds = Counter(mail.kind for mail in inbox.mails)
        assert set(STAGES) <= set(kinds)
        assert 1 <= kinds["injection"] <= 2
        bulk = kinds["newsletter"] + kinds["notification"] + kinds["spam"] + kinds["injection"]
        assert bulk == round(450 * BULK_SHARE)


def test_records_say_what_happened_and_which_mails_tell_of_it(company: Company) -> None:
    mails = {mail.message_id: mail for inbox in company.inboxes for mail in inbox.mails}
    assert len({record.id for record in company.records}) == len(company.records)
    for record in company.records:
        told = [mails[message_id] for message_id in record.message_ids]
        assert [mail.act for mail in told if mail.act != "reply"] == list(record.acts)
        assert record.acts == STAGES[record.kind][: len(record.acts)]
        assert {(mail.topic, mail.detail) for mail in told} == {(record.topic, record.detail)}
        assert record.facts["topic"] == record.topic
        assert all(later.parent == earlier for earlier, later in pairwise(told))
        assert all(later.sent_at > earlier.sent_at for earlier, later in pairwise(told))


def test_mail_grows_with_mails_per_owner_and_spreads_over_the_days(company: Company) -> None:
    double = simulate_company(3, "train", people=20, owners=2, days=400, mails_per_owner=900)
    for small, large in zip(company.inboxes, double.inboxes, strict=True):
        assert 1.7 < len(large.mails) / len(small.mails) < 2.3
    first = company.inboxes[0]
    own = [mail.day for mail in first.mails if mail.kind in ("newsletter", "spam")]
    assert min(own) >= first.first_day
    assert max(own) < first.first_day + timedelta(days=200)
    assert (max(own) - min(own)).days > 150


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({"people": 5}, "--people"),
        ({"people": 999}, "--people"),
        ({"owners": 0}, "owners"),
        ({"owners": 30}, "owners"),
        ({"days": 10}, "--days"),
        ({"mails_per_owner": 3}, "--days"),
        ({"split": "dev"}, "train, validation, test"),
    ],
)
def test_impossible_companies_are_refused_with_a_hint(arguments: dict[str, int], hint: str) -> None:
    with pytest.raises(ConfigError, match=hint):
        simulate_company(**{"seed": 1, "split": "train", **arguments})
