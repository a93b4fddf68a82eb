import email
from datetime import UTC, datetime, timedelta, timezone
from email import policy
from email.message import EmailMessage

import pytest

from mailgym.corpora.simulate.company import simulate_company
from mailgym.corpora.simulate.matters import Mail
from mailgym.corpora.simulate.people import Person
from mailgym.corpora.simulate.raw import PROGRAMS, write_mail

ANN = Person("Ann", "Lee", "ann.lee@legal.example", "Legal", "counsel", 2)
BOB = Person("Bob", "Roy", "bob.roy@sales.example", "Sales", "clerk", -5)
FIRST = Mail(
    message_id="1@legal.example",
    sent_at=datetime(2024, 3, 4, 10, 30, tzinfo=timezone(timedelta(hours=2))),
    sender=ANN,
    to=(BOB,),
    cc=(),
    subject="Café",
    text="Hi Bob,\n\nten € for the café.\n\nAnn",
)
REPLY = Mail(
    message_id="2@sales.example",
    sent_at=datetime(2024, 3, 5, 9, 0, tzinfo=timezone(timedelta(hours=-5))),
    sender=BOB,
    to=(ANN,),
    cc=(Person("Mr. O'Neil", "", "o@x.example", "", "", 0),),
    subject="Re: Café",
    text="Fine.",
    parent=FIRST,
)


def read(mail: Mail) -> EmailMessage:
    message = email.message_from_bytes(write_mail(mail), policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def test_headers_and_text_come_back() -> None:
    message = read(REPLY)
    assert message["Message-ID"] == "<2@sales.example>"
    assert message["From"].addresses[0].addr_spec == BOB.address
    assert message["Cc"].addresses[0].display_name == "Mr. O'Neil"
    assert message["Date"].datetime == datetime(2024, 3, 5, 14, 0, tzinfo=UTC)
    assert message["In-Reply-To"] == "<1@legal.example>"
    assert message["References"] == "<1@legal.example>"
    assert message["Subject"] == "Re: Café"
    assert b"\nSubject: =?utf-8?" in write_mail(REPLY)
    text = text_of(message)
    assert text.startswith("Fine.\n")
    assert "ten € for the café." in text


def test_quoting_goes_by_the_mail_program() -> None:
    styles = set()
    for index in range(40):
        sender = Person("Bob", "Roy", f"b{index}@sales.example", "Sales", "clerk", 0)
        text = text_of(read(Mail("3@x", REPLY.sent_at, sender, (ANN,), (), "Re: x", "Fine.", parent=FIRST)))
        styles.add("outlook" if "-----Original Message-----\nFrom: Ann Lee" in text else "marks")
        assert ("> ten €" in text) == ("wrote:" in text)
    assert styles == {"outlook", "marks"}
    assert len(PROGRAMS) == 4


def test_attachments_and_html() -> None:
    attached = read(
        Mail("4@x", FIRST.sent_at, ANN, (BOB,), (), "x", "See file.", attachment="bill-1.pdf", topic="Acme")
    )
    files = [part.get_filename() for part in attached.iter_attachments()]
    assert files == ["bill-1.pdf"]
    rich = read(Mail("5@x", FIRST.sent_at, ANN, (BOB,), (), "x", "One.\n\n<Two> & three", html=True))
    html = rich.get_body(("html",))
    assert html is not None
    assert "<p>&lt;Two&gt; &amp; three" in html.get_content()


def test_newsletters_say_which_list_they_are_from() -> None:
    letter = Mail("6@x", FIRST.sent_at, ANN, (BOB,), (), "x", "News.", kind="newsletter")
    assert read(letter)["List-Id"] == "<ann.lee.legal.example>"


@pytest.mark.parametrize("split", ["train", "test"])
def test_the_mails_of_a_company_are_sound(split: str) -> None:
    company = simulate_company(2, split, people=16, owners=1, days=120, mails_per_owner=300)
    mails = company.inboxes[0].mails
    for mail in mails[::5]:
        message = read(mail)
        assert message["Subject"] == mail.subject
        assert message["Date"].datetime == mail.sent_at
        sent_day = message["Date"].datetime.astimezone(UTC).date()
        assert sent_day == mail.day


def test_a_reply_to_a_reply_quotes_both_one_deeper_each() -> None:
    sender = next(
        person
        for person in (Person("Eve", "Oh", f"e{index}@x.example", "", "", 0) for index in range(9))
        if "wrote:" in text_of(read(Mail("7@x", REPLY.sent_at, person, (BOB,), (), "x", "Yes.", parent=FIRST)))
    )
    answer = read(Mail("7@x", REPLY.sent_at + timedelta(days=1), sender, (BOB,), (), "Re: Café", "Yes.", parent=REPLY))
    assert answer["References"] == "<1@legal.example> <2@sales.example>"
    assert text_of(answer).splitlines() == [
        "Yes.",
        "",
        "On Tue, 05 Mar 2024 at 09:00, Bob Roy <bob.roy@sales.example> wrote:",
        "> Fine.",
        ">",
        "> On Mon, 04 Mar 2024 at 10:30, Ann Lee <ann.lee@legal.example> wrote:",
        "> > Hi Bob,",
        "> >",
        "> > ten € for the café.",
        "> >",
        "> > Ann",
    ]


def test_a_forwarded_mail_is_shown_below_with_its_head() -> None:
    dividers = set()
    for index in range(12):
        sender = Person("Bob", "Roy", f"f{index}@sales.example", "Sales", "clerk", 0)
        mail = Mail("8@x", REPLY.sent_at, sender, (ANN,), (), "Fwd: Café", "FYI", forwarded=FIRST)
        text = text_of(read(mail))
        lines = text.split("\n")
        assert lines[0] == "FYI"
        dividers.add(lines[2])
        assert lines[3:5] == ["From: Ann Lee <ann.lee@legal.example>", "Date: Mon, 04 Mar 2024 at 10:30"]
        assert lines[5:7] == ["Subject: Café", "To: Bob Roy <bob.roy@sales.example>"]
        assert "ten € for the café." in text
        assert read(mail)["In-Reply-To"] is None
    answer = Mail("9@x", REPLY.sent_at, ANN, (BOB,), (), "Re: Fwd: Café", "Thanks.", parent=mail)
    quoted = text_of(read(answer))
    assert "FYI" in quoted
    assert "ten € for the café." in quoted, "who answers quotes what was forwarded as well"
    assert dividers == {"Begin forwarded message:", "---------- Forwarded message ----------"}
