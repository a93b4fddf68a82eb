import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import computed_soon

from mailgym.mail.addresses import split_addresses, split_fully
from mailgym.mail.headers import read_addresses
from mailgym.mail.message import Address


@pytest.mark.parametrize(
    ("value", "pairs"),
    [
        ("a@x.example", [("", "a@x.example")]),
        ("a@x.example, b@y.example,\t c@z.example", [("", "a@x.example"), ("", "b@y.example"), ("", "c@z.example")]),
        ("a@x.example; b@y.example;", [("", "a@x.example"), ("", "b@y.example")]),
        ("Dana Whitfield <d@x.example>", [("Dana Whitfield", "d@x.example")]),
        ('"Whitfield, Dana" <d@x.example>', [("Whitfield, Dana", "d@x.example")]),
        (r'"Dana \"Dee\" Whitfield" <d@x.example>', [('Dana "Dee" Whitfield', "d@x.example")]),
        ("Whitfield, Dana <d@x.example>", [("Whitfield, Dana", "d@x.example")]),
        ("a@x.example, Whitfield, Dana <d@x.example>", [("", "a@x.example"), ("Whitfield, Dana", "d@x.example")]),
        ('root, "Dana" <d@x.example>', [("root", ""), ("Dana", "d@x.example")]),
        ("d@x.example (Dana Whitfield)", [("Dana Whitfield", "d@x.example")]),
        ("Dana (the (big) boss) <d@x.example>", [("Dana", "d@x.example")]),
        (r"d@x.example (odd \) mark)", [("odd ) mark", "d@x.example")]),
        ("Dana :-( <d@x.example>", [("Dana :-(", "d@x.example")]),
        (
            "Team: a@x.example, Bob <b@x.example>;, c@x.example",
            [("", "a@x.example"), ("Bob", "b@x.example"), ("", "c@x.example")],
        ),
        ("undisclosed-recipients:;", [("undisclosed-recipients", "")]),
        ("undisclosed-recipients:", [("undisclosed-recipients", "")]),
        ("a@x.example, Nobody: ;, b@x.example", [("", "a@x.example"), ("Nobody", ""), ("", "b@x.example")]),
        ("Dana <@relay.example,@b.example:d@x.example>", [("Dana", "d@x.example")]),
        ("<mailto:d@x.example>", [("", "d@x.example")]),
        ("[d@x.example]", [("", "d@x.example")]),
        ("d@[10.0.0.1]", [("", "d@[10.0.0.1]")]),
        ("'d@x.example'", [("", "d@x.example")]),
        ("d@x.example Dana Whitfield", [("Dana Whitfield", "d@x.example")]),
        ("Dana d@x.example", [("Dana", "d@x.example")]),
        ("john . doe @ x.example", [("john .", "doe@x.example")]),
        ("<john@ x. example>", [("", "john@x.example")]),
        ('"john doe"@x.example', [("", '"john doe"@x.example')]),
        ('"d@x.example"', [("", "d@x.example")]),
        ("d@x.example <>", [("", "d@x.example")]),
        ("Dana <> <d@x.example>", [("Dana", "d@x.example")]),
        ("Dana <d@x.example", [("Dana", "d@x.example")]),
        ('"Dana <d@x.example>', [("Dana", "d@x.example")]),
        ("Friends: a@x.example, b@x.example", [("Friends:", "a@x.example"), ("", "b@x.example")]),
        ("Dana, <d@x.example>", [("Dana", ""), ("", "d@x.example")]),
        ("dana", [("dana", "")]),
        ("Dana <dana>", [("Dana", "dana")]),
        ("=?utf-8?q?Doe,_J?= <j@x.example>", [("=?utf-8?q?Doe,_J?=", "j@x.example")]),
        ("Jürgen <jürgen@bücher.example>", [("Jürgen", "jürgen@bücher.example")]),
        ("", []),
        (" , ;, <>", []),
    ],
)
def test_address_lists(value, pairs):
    assert list(split_addresses(value)) == pairs


@given(st.text(alphabet="ab @.,;:<>()\"\\'[]=?é\t", max_size=40))
def test_the_short_way_gives_what_the_long_way_gives(value):
    assert split_addresses(value) == split_fully(value)


def test_thousands_of_recipients_are_all_there_soon():
    value = ", ".join(f'"Person, {n}" <p{n}@x.example>' for n in range(5_000))
    people = computed_soon(lambda: read_addresses([value], []), 1.0)
    assert len(people) == 5_000
    assert people[-1] == Address("Person, 4999", "p4999@x.example")


@pytest.mark.parametrize("piece", ['"', "(", "<", '"\\', "((", "=?a?q?", ":", "a:", ",,", "<@:", "\\"])
def test_odd_marks_without_end_take_no_long_time(piece):
    computed_soon(lambda: read_addresses([piece * 20_000], []), 1.0)


def test_encoded_names_are_decoded_after_the_split():
    header = "=?utf-8?Q?Doe=2C_J=C3=BCrgen?= <J@X.example>, =?utf-8?B?U8O4cmVu?= (x) <s@x.example>"
    assert read_addresses([header], []) == (
        Address("Doe, Jürgen", "j@x.example"),
        Address("Søren", "s@x.example"),
    )
    assert read_addresses(["=?utf-8?Q?Dana_=3Cd=40x.example=3E?="], []) == (Address("Dana", "d@x.example"),)


def test_same_people_are_named_once_over_all_headers():
    assert read_addresses(["a@x.example", "A@x.example, Ann <a@x.example>"], []) == (
        Address("", "a@x.example"),
        Address("Ann", "a@x.example"),
    )
