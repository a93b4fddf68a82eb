import random
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.timing import computed_soon

from mailgym.mail.thread import (
    Thread,
    ThreadMember,
    gather,
    is_answer_subject,
    link_hashes,
    stable_hash,
    subject_key,
)

START = datetime(2001, 5, 14, 10, 0, tzinfo=UTC)


class MemoryIndex:
    """A mailbox's answers about threads, from a list of members."""

    def __init__(self, members: Sequence[ThreadMember]) -> None:
        self.by_number = {member.number: member for member in members}
        self.links: defaultdict[int, list[int]] = defaultdict(list)
        self.subjects: defaultdict[int, list[int]] = defaultdict(list)
        for member in members:
            for hashed in link_hashes(member.message_id, member.in_reply_to, member.references):
                self.links[hashed].append(member.number)
            self.subjects[stable_hash(subject_key(member.subject))].append(member.number)

    def by_links(self, hashes: Collection[int]) -> Sequence[int]:
        return [number for hashed in hashes for number in self.links.get(hashed, ())]

    def by_subject(self, key_hash: int) -> Sequence[int]:
        return self.subjects.get(key_hash, [])

    def members(self, numbers: Sequence[int]) -> list[ThreadMember]:
        return [self.by_number[number] for number in numbers]


def mail(name, *, to="bob", author="ann", subject="Power", reply="", refs=(), day=0.0, dated=True):
    """Return a member: ``name`` holds its number, people are first names."""
    number = int("".join(filter(str.isdigit, name)) or 0)
    people = frozenset(f"{person}@x.example" for person in (author, *to.split())) if author else frozenset(to.split())
    return ThreadMember(
        number=number,
        message_id=f"{name}@x.example",
        in_reply_to=f"{reply}@x.example" if reply else "",
        references=tuple(f"{ref}@x.example" for ref in refs),
        subject=subject,
        people=people,
        date=START + timedelta(days=day) if dated else None,
        author=f"{author}@x.example" if author else "",
    )


def thread_of(members, start=0) -> Thread:
    return gather(members[start], MemoryIndex(members))


def shape(thread):
    return [("  " * node.depth) + node.message_id.removesuffix("@x.example") for node in thread.nodes]


def threads(members):
    """Return the threads that one gets from every member, each once."""
    index = MemoryIndex(members)
    return {gather(member, index) for member in members}


@pytest.mark.parametrize(
    "subject",
    [
        "Power", "Re: Power", "RE: FW: Power", "Fwd: Re: power", "AW: Power", "WG: AW: Power", "SV: Power", "VS: Power",
        "Antw: Power", "TR: Power", "RV: Power", "R: Power", "Rif: Power", "Odp: Power", "YNT: Power", "ENC: Power",
        "[Fwd: Re: Power]", "  re:re:  POWER ",
        "Re[2]: Power", "Re^3: Power", "Re(4): Power", "RE : Power", "回复：Power", "Re: [pumps] Power",
        "[pumps] Re: Power",
        "[pumps] Power", "Power (fwd)", "Re: Power  (Fwd) (fwd)", "[Fwd: Power]",
        "Automatic reply: Power", "Out of Office AutoReply: Re: Power",
    ],
)  # fmt: skip
def test_subjects_of_one_conversation_have_one_key(subject):
    assert subject_key(subject) == "power"


@pytest.mark.parametrize(
    ("subject", "key"),
    [
        ("Research: power", "research: power"),
        ("[Bug 17] Power", "[bug 17] power"),
        ("Re: [PATCH 1/5] Power", "[patch 1/5] power"),
        ("Straße", "strasse"),
        ("Caf\u0065\u0301", "caf\u00e9"),
        ("", ""),
        ("Re:", ""),
        ("Re: (no subject)", ""),
        ("Hello", ""),
        ("[pumps]", ""),
        ("!!!", ""),
        ("Re: " * 50_000, ""),
    ],
)
def test_keys_tell_subjects_apart_and_are_empty_where_they_say_nothing(subject, key):
    assert subject_key(subject) == key


def test_marks_of_replies_are_told_from_words():
    assert is_answer_subject("AW: Power")
    assert is_answer_subject("Power (fwd)")
    assert not is_answer_subject("[pumps] Report: power")


@given(st.text(max_size=40))
def test_a_reply_mark_never_changes_the_key(subject):
    assert subject_key(f"Re: {subject}") == subject_key(subject)


def test_hashes_are_the_same_for_ever():
    assert stable_hash("power") == -5417130784191114200
    assert stable_hash("") == -1970711489451281740
    assert stable_hash("\ud800") != stable_hash("?")


def test_links_hash_the_own_id_first_and_each_once():
    links = link_hashes("c@x", "b@x", ("a@x", "b@x"))
    assert links == tuple(map(stable_hash, ("c@x", "b@x", "a@x")))
    assert link_hashes("c@x", "Your message of Monday", ("yes", "")) == (stable_hash("c@x"),)
    assert link_hashes("c@x", "20010514.1", ()) == (stable_hash("c@x"), stable_hash("20010514.1"))


def test_replies_hang_under_what_they_answer_in_reading_order():
    members = [
        mail("m1"),
        mail("m2", reply="m1", refs=["m1"], day=2),
        mail("m3", reply="m1", refs=["m1"], day=1, subject="another subject"),
        mail("m4", reply="m3", refs=["m1", "m3"], day=3),
        mail("m5", subject="Pumps"),
    ]
    thread = thread_of(members, 3)
    assert shape(thread) == ["m1", "  m3", "    m4", "  m2"]
    assert list(thread) == ["m1@x.example", "m3@x.example", "m4@x.example", "m2@x.example"]
    assert len(thread) == 4
    assert thread.nodes[2].parent == "m3@x.example"
    assert len(threads(members)) == 2


def test_a_message_that_is_not_there_ties_those_that_name_it():
    members = [mail("m2", reply="m1", day=1), mail("m3", reply="m1", day=2), mail("m4", refs=["m0", "m1"], day=3)]
    assert shape(thread_of(members)) == ["m2", "m3", "m4"]
    members += [mail("m0")]
    assert shape(thread_of(members)) == ["m0", "  m2", "  m3", "  m4"]


def test_a_gap_in_the_references_is_bridged():
    members = [mail("m1"), mail("m4", refs=["m1", "m2", "m3"], day=3), mail("m5", reply="m3", day=4)]
    assert shape(thread_of(members)) == ["m1", "  m4", "  m5"]


def test_in_reply_to_stands_nearer_than_references():
    members = [mail("m1"), mail("m2", refs=["m1"], day=1), mail("m3", reply="m2", refs=["m2", "m1"], day=2)]
    assert shape(thread_of(members)) == ["m1", "  m2", "    m3"]


def test_circles_of_links_are_broken():
    members = [mail("m1", reply="m2"), mail("m2", reply="m1", day=1), mail("m3", reply="m3", refs=["m1"], day=2)]
    thread = thread_of(members)
    assert sorted(thread) == ["m1@x.example", "m2@x.example", "m3@x.example"]
    assert [node.depth for node in thread.nodes] == [0, 1, 2]
    assert len(threads(members)) == 1


def test_a_persons_address_in_in_reply_to_ties_nothing():
    members = [mail("m1", reply="ann"), mail("m2", reply="ann", day=1), mail("m3", reply="yes", day=2)]
    members = [ThreadMember(**{**fields(member), "subject": f"s{member.number}"}) for member in members]
    assert len(threads(members)) == 3


def test_an_id_without_digits_ties_where_a_message_bears_it():
    members = [mail("root"), mail("m2", reply="root", day=1, subject="x"), mail("m3", reply="root", day=2, subject="y")]
    assert len(threads(members)) == 1


def fields(member):
    return {name: getattr(member, name) for name in ThreadMember.__slots__}


def test_replies_without_links_are_tied_by_subject_people_and_date():
    members = [
        mail("m1"),
        mail("m2", author="bob", to="ann", subject="Re: Power", day=0.5),
        mail("m3", author="ann", to="bob", subject="RE: Power", day=1),
        mail("m4", author="bob", to="cid", subject="FW: Power", day=1.5),
        mail("m5", author="eve", to="dan", subject="Re: Power", day=1.6),
        mail("m6", author="bob", to="ann", subject="Re: Power", day=60),
    ]
    assert shape(thread_of(members)) == ["m1", "  m2", "    m3", "      m4"]
    assert len(threads(members)) == 3


def test_an_exchange_is_preferred_to_who_just_shares_the_mail():
    members = [
        mail("m1", author="ann", to="bob cid"),
        mail("m2", author="cid", to="ann bob", subject="Re: Power", day=1),
        mail("m3", author="dan", to="bob", subject="Re: Power", day=2),
        mail("m4", author="bob", to="cid", subject="Re: Power", day=3),
    ]
    thread = thread_of(members)
    assert {node.message_id: node.parent for node in thread.nodes}["m4@x.example"] == "m2@x.example"


def test_a_weekly_report_is_no_thread_and_answers_go_to_their_own_week():
    weeks = [mail(f"m{week}", subject="Weekly report", day=7 * week) for week in range(4)]
    answer = mail("m9", author="bob", to="ann", subject="RE: Weekly report", day=8)
    members = [*weeks, answer]
    assert shape(thread_of(members, 4)) == ["m1", "  m9"]
    assert len(threads(members)) == 4


def test_who_writes_back_without_a_mark_is_tied_for_a_short_time():
    members = [mail("m1"), mail("m2", author="bob", to="ann", day=1), mail("m3", author="bob", to="ann", day=5)]
    assert shape(thread_of(members)) == ["m1", "  m2"]
    assert len(threads(members)) == 2


def test_reports_that_colleagues_send_in_turn_are_no_thread():
    people = "ann bob cid dan eve fay"
    members = [
        mail(f"m{day}", author=("ann", "bob")[day % 2], to=people, subject="Report", day=day) for day in range(4)
    ]
    assert len(threads(members)) == 4


def test_without_authors_only_marked_subjects_are_tied():
    members = [mail("m1", author="", to="ann bob"), mail("m2", author="", to="ann bob", day=1)]
    assert len(threads(members)) == 2
    members.append(mail("m3", author="", to="bob ann", subject="Re: Power", day=1.5))
    assert shape(thread_of(members, 2)) == ["m2", "  m3"]


def test_a_subject_ties_no_two_threads_that_have_links_of_their_own():
    members = [
        mail("m1"),
        mail("m2", author="bob", to="ann", subject="Re: Power", reply="m1", day=1),
        mail("m3", day=2),
        mail("m4", author="bob", to="ann", subject="Re: Power", reply="m3", day=3),
        mail("m5", author="ann", to="bob", subject="Re: Power", day=3.5),
    ]
    assert sorted(map(len, threads(members))) == [2, 3]
    assert shape(thread_of(members, 4)) == ["m3", "  m4", "    m5"]


def test_generic_subjects_and_missing_dates_tie_nothing():
    for subject in ("", "Re: hello"):
        assert len(threads([mail("m1", subject=subject), mail("m2", author="bob", to="ann", subject=subject)])) == 2
    undated = [mail("m1", dated=False), mail("m2", author="bob", to="ann", subject="Re: Power", dated=False)]
    assert len(threads(undated)) == 2


def test_messages_without_date_come_last_among_their_siblings():
    members = [mail("m1"), mail("m2", reply="m1", dated=False), mail("m3", reply="m1", day=1)]
    assert shape(thread_of(members)) == ["m1", "  m3", "  m2"]


@st.composite
def mailboxes(draw):
    count = draw(st.integers(1, 9))
    names = st.sampled_from([f"m{number}" for number in range(count + 2)] + ["ann", "root"])
    people = st.sampled_from(["ann", "bob", "cid"])
    return [
        mail(
            f"m{number}",
            author=draw(people),
            to=draw(people),
            subject=draw(st.sampled_from(["Power", "Re: Power", "FW: Power", "Pumps", "RE: Pumps", ""])),
            reply=draw(st.one_of(st.just(""), names)),
            refs=draw(st.lists(names, max_size=2)) if draw(st.booleans()) else (),
            day=draw(st.integers(0, 40)),
            dated=draw(st.integers(0, 9)) > 0,
        )
        for number in range(count)
    ]


@settings(max_examples=150, deadline=None)
@given(mailboxes(), st.randoms())
def test_every_message_is_in_one_thread_and_finds_it_from_everywhere(members, shuffler):
    found = threads(members)
    assert sorted(message_id for thread in found for message_id in thread) == sorted(m.message_id for m in members)
    for thread in found:
        at = {node.message_id: place for place, node in enumerate(thread.nodes)}
        for place, node in enumerate(thread.nodes):
            parent = None if node.parent is None else thread.nodes[at[node.parent]]
            assert node.depth == (0 if parent is None else parent.depth + 1)
            assert parent is None or at[parent.message_id] < place
    shuffled = shuffler.sample(members, len(members))
    assert threads(shuffled) == found


@pytest.mark.parametrize("kind", ["one subject", "chain", "star", "shuffled chain"])
def test_ten_thousand_messages_take_about_a_second(kind):
    count = 10_000
    numbers = list(range(count))
    if kind == "shuffled chain":
        random.Random(7).shuffle(numbers)
    members = []
    for place, number in enumerate(numbers):
        author, to = ("ann", "bob") if place % 2 else ("bob", "ann")
        parent = {"chain": place - 1, "star": 0, "shuffled chain": place - 1}.get(kind, -1)
        reply = f"m{parent}" if place and parent >= 0 else ""
        subject = "Power" if not place else "Re: Power"
        members.append(mail(f"m{place}", author=author, to=to, subject=subject, reply=reply, day=number / 1000))
    index = MemoryIndex(members)
    thread = computed_soon(lambda: gather(members[count // 2], index), 1.0)
    assert len(thread) == count
