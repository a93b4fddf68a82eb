from datetime import UTC, datetime

import pytest

from mailgym.core.errors import UserError
from mailgym.corpora.readers.enron import (
    by_address,
    inbox_addresses,
    is_person_path,
    is_release_path,
    mailbox_names,
    release_wrapper,
    split_path,
)
from mailgym.mail.message import Address, Message


def message(from_: str, to: tuple[str, ...] = (), cc: tuple[str, ...] = (), bcc: tuple[str, ...] = ()) -> Message:
    people = {
        name: tuple(Address("", address) for address in addresses)
        for name, addresses in (("to", to), ("cc", cc), ("bcc", bcc))
    }
    return Message(
        message_id="1",
        date=datetime(2001, 5, 14, tzinfo=UTC),
        date_original="",
        subject="",
        from_=Address("", from_),
        text="",
        new_text="",
        quoted_text="",
        attachments=(),
        folder="",
        flags=(),
        labels=(),
        in_reply_to="",
        references=(),
        defects=(),
        size_bytes=1,
        **people,
    )


def test_the_split_of_art_e_is_its_inboxes():
    train, test = inbox_addresses("art-e:train"), inbox_addresses("art-e:test")
    assert (len(train), len(test), len(set(train) & set(test))) == (20, 8, 0)
    assert (train, test) == (inbox_addresses("train"), inbox_addresses("test"))
    assert inbox_addresses("art-e") == (*train, *test)
    assert "karen.denne@enron.com" in test
    assert "louise.kitchen@enron.com" in train
    assert all(address.endswith("@enron.com") for address in inbox_addresses("art-e"))
    for wrong in ("art-x", "art-e:validation", "train:test", ""):
        with pytest.raises(UserError, match="write one of art-e, art-e:train, art-e:test"):
            inbox_addresses(wrong)


def test_every_mail_from_or_to_an_address_goes_to_its_mailbox():
    route = by_address(mailbox_names(["Dana@Enron.com", "tom@enron.com"]))
    assert route(["dana@enron.com"]) == ["dana"]
    assert route(["x@x.example", "a@x", "tom@enron.com"]) == ["tom"]
    assert route(["x@x.example", "tom@enron.com", "dana@enron.com"]) == ["tom", "dana"]
    assert route(["DANA@enron.com", "dana@enron.com", "tom@enron.com"]) == ["dana", "tom"]
    assert route(["x@x.example", "dana@x.example"]) == []


def test_mailboxes_have_names_that_are_safe_and_never_shared():
    addresses = ["a@x.example", "a@y.example", "b+c/../d@x.example", "@x.example", "e@x.example", "E@x.example"]
    names = mailbox_names(addresses)
    assert names == {
        "a@x.example": "a-at-x.example",
        "a@y.example": "a-at-y.example",
        "b+c/../d@x.example": "b-c-..-d",
        "@x.example": "mailbox",
        "e@x.example": "e",
    }
    assert mailbox_names(reversed(addresses)) == names
    assert mailbox_names(["a@x", "a@y", "a/@y", "a-at-x@z", "a-at-x@w"]) == mailbox_names(
        ["a-at-x@w", "a/@y", "a@y", "a-at-x@z", "a@x"]
    )
    many = mailbox_names([f"{local}@{domain}" for local in ("a", "a!", "a-at-x") for domain in ("x", "x!", "y")])
    assert len({name.casefold() for name in many.values()}) == 9


def test_paths_of_the_release_are_known():
    assert is_release_path("enron_mail_20150507/maildir/allen-p/_sent_mail/1.")
    assert is_release_path("maildir/mims-thurston-p/a/b/22.")
    assert not is_release_path("maildir/allen-p/1")
    assert not is_release_path("mail/allen-p/inbox/1.")
    assert is_person_path("williams-w3/inbox/1.")
    assert not is_person_path("inbox/1.")
    assert split_path(("maildir", "allen-p", "a", "b")) == ("allen-p", ("a", "b"))
    assert split_path(("top", "maildir", "allen-p")) == ("allen-p", ())
    assert split_path(("maildir",)) == ("", ())
    assert release_wrapper("x/maildir/allen-p/a/1.") == ("x", "maildir")
