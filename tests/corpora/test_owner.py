import pytest

from mailgym.corpora.owner import Correspondent, Owner, find_owner, name_from_address


def test_the_owner_writes_the_sent_mail():
    found = find_owner(
        [
            Correspondent("Dana Whitfield", "dana@x.example", "Sent Items", 20, 0),
            Correspondent("", "dana@x.example", "inbox", 0, 30),
            Correspondent("", "bob@x.example", "Sent Items", 0, 50),
            Correspondent("News", "news@y.example", "inbox", 90, 0),
        ]
    )
    assert found == Owner(("dana@x.example",), "Dana Whitfield")


def test_an_assistant_who_writes_is_not_the_owner():
    found = find_owner(
        [
            Correspondent("Rose Fell", "rose@x.example", "_sent", 200, 0),
            Correspondent("", "rose@x.example", "inbox", 0, 40),
            Correspondent("Ken Lowe", "ken.lowe@x.example", "_sent", 10, 0),
            Correspondent("", "ken.lowe@x.example", "inbox", 0, 900),
        ]
    )
    assert found == Owner(("ken.lowe@x.example",), "Ken Lowe")


def test_other_addresses_of_the_same_person_count_too():
    found = find_owner(
        [
            Correspondent("Phil Allen", "phil.allen@x.example", "sent_mail", 80, 0),
            Correspondent("", "phil.allen@x.example", "inbox", 0, 90),
            Correspondent("", "k..allen@x.example", "sent_mail", 20, 0),
            Correspondent("PHIL ALLEN", "pa@home.example", "sent_mail", 3, 0),
            Correspondent("", "b.allen@x.example", "sent_mail", 2, 0),
            Correspondent("", "zed.moss@x.example", "sent_mail", 9, 0),
        ]
    )
    assert found == Owner(("phil.allen@x.example", "k..allen@x.example", "pa@home.example"), "Phil Allen")


def test_without_sent_mail_it_is_who_appears_most():
    found = find_owner(
        [
            Correspondent("News", "news@y.example", "inbox", 5, 0),
            Correspondent("", "dana.whitfield@x.example", "inbox", 0, 9),
            Correspondent("nobody", "", "inbox", 50, 50),
        ]
    )
    assert found == Owner(("dana.whitfield@x.example",), "Dana Whitfield")


def test_nobody_is_nobody():
    assert find_owner([]) is None
    assert find_owner([Correspondent("list", "", "sent", 4, 4)]) is None


@pytest.mark.parametrize(
    ("address", "name"),
    [("dana.whitfield@x", "Dana Whitfield"), ("d_r.moss@x", "D R Moss"), ("dana@x", ""), ("m..love@x", "M Love")],
)
def test_name_from_address(address, name):
    assert name_from_address(address) == name
