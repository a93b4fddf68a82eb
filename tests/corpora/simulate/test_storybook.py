import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from mailgym.core.errors import ConfigError
from mailgym.corpora.simulate.find_out import ASKS, JOINED
from mailgym.corpora.simulate.flows import COLLEAGUES, FLOWS, PERSONS, STATES
from mailgym.corpora.simulate.phrasebook import STORYBOOKS, Plot, Storybook, phrasebook, storybook

BOOKS = pytest.mark.parametrize("story", STORYBOOKS.values(), ids=lambda story: story.split)
PAIRS = list(combinations(STORYBOOKS.values(), 2))
ALL_BUT_NAMES = {"partner", "thing"}


def slots_of(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def told(story: Storybook) -> Iterator[tuple[Plot, str, str]]:
    for plot in story.plots:
        for step, sentences in plot.told.items():
            for sentence in sentences:
                yield plot, step, sentence


def mail_text(story: Storybook) -> str:
    """Return all that mails of a split can say about affairs and matters, slots left as they are."""
    book = phrasebook(story.split)
    matters = [text for s in book.scripts for text in (*s.subjects, *s.replies, *sum(s.stages, ()), *s.details)]
    topics = [topic for group in book.topics.values() for topic in group]
    subjects = [subject for plot in story.plots for subject in plot.subjects]
    sentences = [sentence for _, _, sentence in told(story)]
    around = (*story.fillers, *story.replies, *story.forwards, *book.closers)
    return " | ".join([*matters, *topics, *subjects, *sentences, *around]).lower()


def test_there_is_a_storybook_for_each_split() -> None:
    assert {split: storybook(split).split for split in STORYBOOKS} == {s: s for s in ("train", "validation", "test")}
    with pytest.raises(ConfigError, match="train, validation, test"):
        storybook("dev")


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=lambda story: story.split)
def test_storybooks_share_no_thing_no_place_no_sentence_and_no_question(one: Storybook, other: Storybook) -> None:
    def parts(story: Storybook) -> list[set[str]]:
        return [
            {thing for plot in story.plots for thing in plot.things},
            {words for plot in story.plots for words in plot.things.values()},
            {place for group in story.places.values() for place in group},
            {sentence for _, _, sentence in told(story)},
            {question for plot in story.plots for questions in plot.asked.values() for question in questions},
            {*story.fillers, *story.replies, *story.forwards, *story.phone_lines},
            {bulk.address for bulk in story.bulk},
            {text for texts in story.injections.values() for text in texts},
        ]

    for mine, theirs in zip(parts(one), parts(other), strict=True):
        assert mine.isdisjoint(theirs), mine & theirs


@BOOKS
def test_every_step_and_every_ask_has_its_words(story: Storybook) -> None:
    assert [plot.kind for plot in story.plots] == list(FLOWS)
    for plot in story.plots:
        assert set(plot.told) == {step for course in FLOWS[plot.kind].courses for step in course}
        assert set(plot.asked) == {*ASKS[plot.kind], *JOINED.get(plot.kind, {})}
        assert set(STATES[plot.kind]) <= set(plot.told)
    assert set(story.places) == {"rooms", "hotels", "venues", "desks"}
    assert set(story.injections) == {"answer", "read", "cite"}
    assert {bulk.kind for bulk in story.bulk} == {"newsletter", "notification", "spam", "phishing"}


@BOOKS
def test_a_sentence_states_all_facts_of_its_step_and_names_the_thing(story: Storybook) -> None:
    for plot, step, sentence in told(story):
        facts = set(STATES[plot.kind].get(step, ()))
        new = {slot for slot in slots_of(sentence) - ALL_BUT_NAMES if not slot.startswith("old_")}
        assert new == facts, sentence
        assert "thing" in slots_of(sentence), sentence
        olds = {slot.removeprefix("old_") for slot in slots_of(sentence) if slot.startswith("old_")}
        assert olds <= {slot for slots in STATES[plot.kind].values() for slot in slots}, sentence


@BOOKS
def test_whom_a_mail_is_about_can_be_told(story: Storybook) -> None:
    for plot in story.plots:
        can_write = FLOWS[plot.kind].partners in (PERSONS, COLLEAGUES, "vendor", "customer")
        for step, sentences in plot.told.items():
            own = [sentence for sentence in sentences if "{partner}" not in sentence]
            if not can_write:
                assert all("{partner}" in subject for subject in plot.subjects) or not own
            if step in FLOWS[plot.kind].each_by_another:
                assert own == list(sentences), "who joins speaks for himself"


@BOOKS
def test_questions_name_whom_and_what_and_paraphrases_are_no_words_of_any_mail(story: Storybook) -> None:
    text = mail_text(story)
    things = [thing for plot in story.plots for thing in plot.things]
    paraphrases = [words for plot in story.plots for words in plot.things.values()]
    assert len({*things, *paraphrases}) == len(things) + len(paraphrases)
    for plot in story.plots:
        for thing, words in plot.things.items():
            assert thing.lower() not in text, "nothing else is called so"
            assert words.lower() not in text
            assert not set(re.findall(r"\w{4,}", thing.lower())) & set(re.findall(r"\w{4,}", words.lower())), thing
        for question in sum(plot.asked.values(), ()):
            assert "{partner}" in question
            assert ("{thing}" in question) == (plot.kind != "seat")
            assert question.isascii()
            assert question[-1] == "?"


@BOOKS
def test_small_talk_holds_no_value_and_no_name(story: Storybook) -> None:
    book = phrasebook(story.split)
    names = {*book.first_names, *book.last_names}
    for sentence in (*story.fillers, *story.replies, *story.forwards, *story.phone_lines):
        assert not re.search(r"\d|[$€£]", sentence)
        assert names.isdisjoint(re.findall(r"\w+", sentence))
    for group in story.places.values():
        assert not any(place.lower() in sentence.lower() for place in group for sentence in story.fillers)
