"""Templates become mails: slots, choices, senders, and answers that name what the mail names."""

import random
import re

import pytest

from mailgym.envs.routing.mails import MailTemplate, Owner, write_mail
from mailgym.envs.routing.phrasebook import read_phrasebook

OWNER = Owner("Maya", "Lind", "Ember Kilns", "ember.example")
TEMPLATE = MailTemplate(
    id="a/1",
    label="work",
    department="sales",
    sender="client",
    subject="[One|Two] for {amount}",
    text="{hi}\n\nPay {amount} or {amount2} by {date}, not {date2}; {n} and {n2}, {time} and {time2}.\n\n{bye}",
    facts=("{amount}", "{date}|soon"),
    asks=("amount:{amount}", "?topic:pay|paid"),
    keywords=("pay|paid",),
    summary="{me} wants {amount}.",
    reply="You get {amount} by {date}.",
)


def written(seed: int = 1, **changes):
    template = MailTemplate(**{**{name: getattr(TEMPLATE, name) for name in TEMPLATE.__slots__}, **changes})
    return write_mail(template, read_phrasebook("train").words, OWNER, random.Random(seed))


def test_a_slot_has_one_value_wherever_it_stands() -> None:
    mail = written()
    amount = mail.right.facts[0][0]
    assert f"Pay {amount} or " in mail.email
    assert mail.right.wanted.asks[0].accepted == (amount,)
    assert f"You get {amount} by {mail.right.facts[1][0]}." in mail.right.reply
    assert "{" not in mail.email + mail.right.reply + mail.right.summary


def test_later_and_larger_slots_are_later_and_larger() -> None:
    for seed in range(30):
        found = re.search(
            r"Pay \$([\d,.]+) or \$([\d,.]+) by (\d+) (\w+), not (\d+) (\w+); (\d+) and (\d+)", written(seed).email
        )
        assert found is not None
        low, high = (float(found[n].replace(",", "")) for n in (1, 2))
        assert low < high
        assert found[4] == found[6]
        assert int(found[3]) < int(found[5])
        assert int(found[7]) < int(found[8])


def test_one_of_several_wordings_is_chosen() -> None:
    subjects = [written(seed).right.mail.subject.lower() for seed in range(20)]
    assert [("one" in subject) + ("two" in subject) for subject in subjects] == [1] * 20
    assert {"one" in subject for subject in subjects} == {True, False}


@pytest.mark.parametrize(
    ("sender", "address"),
    [
        ("staff", r"[a-z]+\.[a-z]+@ember\.example"),
        ("client", r"[a-z]+\.[a-z]+@(?!ember)[a-z-]+\.example"),
        ("private", r"[a-z]+\d+@(postbox|inmail|quickmail)\.example"),
        ("Desk <desk@{company_slug}-desk.example>", r"desk@emberkilns-?desk\.example"),
    ],
)
def test_who_writes(sender, address) -> None:
    mail = written(sender=sender).right.mail
    assert re.fullmatch(address, mail.sender_address)
    assert mail.sender_name
    assert mail.owner_name == "Maya Lind"


def test_headers_stand_above_the_text() -> None:
    lines = written().email.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == ["From", "To", "Subject"]
    assert lines[1] == "To: Maya Lind <maya.lind@ember.example>"
    assert lines[3] == ""


def test_a_reply_greets_the_sender_and_bears_the_owners_name() -> None:
    right = written().right
    assert right.reply.startswith(f"Hi {right.mail.sender_name.split()[0]},\n\n")
    assert right.reply.endswith("\n\nBest regards,\nMaya")
    assert right.wanted.needs_reply


def test_spam_wants_no_reply() -> None:
    right = written(label="spam", reply="", asks=()).right
    assert (right.reply, right.wanted.needs_reply) == ("", False)


def test_an_optional_ask_and_one_of_no_kind() -> None:
    asks = written().right.wanted.asks
    assert [(ask.kind, ask.required) for ask in asks] == [("amount", True), ("topic", False)]
    with pytest.raises(ValueError, match="an ask of kind 'sum'"):
        written(asks=("sum:{amount}",))


def test_a_slot_that_is_none_is_an_error() -> None:
    with pytest.raises(KeyError, match="weather"):
        written(text="Nice {weather}.")
