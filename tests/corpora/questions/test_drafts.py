import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.corpora.questions.shop import draft

from mailgym.corpora.questions.drafts import read_drafts

GOOD = draft("When is the call?", "Friday", "m1", "m2", how_realistic=1)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([GOOD]),
        f"Here you are:\n```json\n{json.dumps([GOOD], indent=1)}\n```\nAnything else?",
        f"<think>[{{}}] perhaps</think>{json.dumps([GOOD])}",
        json.dumps({"questions": [GOOD]}),
    ],
    ids=["bare", "fenced", "thought about", "wrapped"],
)
def test_a_list_is_found_whatever_stands_around_it(text: str) -> None:
    found = read_drafts(text)
    assert (found.malformed, found.error) == (0, "")
    assert [one.model_dump() for one in found.drafts] == [GOOD]


def test_an_empty_list_is_an_answer() -> None:
    assert read_drafts("[]").drafts == []
    assert read_drafts("[ ]").error == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("There is nothing to ask.", "no JSON list"),
        ('[{"question": "When', "not valid or not complete"),
        ("[" * 100_000, "no JSON list"),
        ('[{"a": ' + "[" * 50_000, "not valid or not complete"),
        ('[{"how_realistic": NaN}]', "NaN is not JSON"),
        ("", "no JSON list"),
    ],
)
def test_what_is_no_list_is_one_malformed_answer_that_says_why(text: str, said: str) -> None:
    found = read_drafts(text)
    assert found.drafts == []
    assert found.malformed == 1
    assert said in found.error


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"how_realistic": "0.9"}, "how_realistic"),
        ({"how_realistic": 1.5}, "how_realistic"),
        ({"how_realistic": True}, "how_realistic"),
        ({"answer": 400}, "answer"),
        ({"answer": "  "}, "answer"),
        ({"message_ids": "m1"}, "message_ids"),
        ({"message_ids": []}, "message_ids"),
        ({"message_ids": [1]}, "message_ids.0"),
        ({"question": "w" * 401}, "question"),
        ({"topic": "calls"}, "topic"),
    ],
)
def test_an_item_that_does_not_fit_is_named_with_its_field_and_the_others_stay(
    change: dict[str, object], said: str
) -> None:
    found = read_drafts(json.dumps([GOOD, {**GOOD, **change}]))
    assert len(found.drafts) == found.malformed == 1
    assert found.error.startswith(f"item 2: {said}")


def test_a_missing_field_is_said() -> None:
    assert "answer: Field required" in read_drafts('[{"question": "When?"}]').error


def test_items_that_are_no_objects_are_malformed() -> None:
    assert read_drafts(f"[{json.dumps(GOOD)}, 5]").error.startswith("item 2: item: ")


def test_texts_come_on_one_line_and_without_halves_of_characters() -> None:
    (one,) = read_drafts(
        '[{"question": " When\\n is\\tit? \\ud800", "answer": "x", "message_ids": ["m1"], "how_realistic": 1}]'
    ).drafts
    assert one.question == "When is it? ?"


ITEMS = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=9), lambda one: st.lists(one, max_size=3)
)


@given(
    st.text(max_size=40) | st.lists(st.dictionaries(st.sampled_from(sorted(GOOD)), ITEMS), max_size=4).map(json.dumps)
)
@settings(max_examples=60, deadline=None)
def test_nothing_that_a_model_writes_raises(text: str) -> None:
    found = read_drafts(text)
    assert bool(found.error) == bool(found.malformed)
