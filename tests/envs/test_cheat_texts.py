"""The texts that cheats send do what their names say."""

import pytest

from mailgym.envs.cheat_texts import (
    GREETINGS,
    MAX_REPLY_CHARS,
    REPLIES,
    SIGN_OFFS,
    SeenMail,
    every_fact,
    every_greeting_and_sign_off,
    facts_of,
    keyword_soup,
    letter,
    look_alike_echo,
    look_alikes,
    negated_echo,
    placeholders,
    sentences_of,
    shuffled_echo,
    turned,
    words_of,
    zero_width_echo,
)

MAIL = SeenMail(
    "Tom Berger",
    "Marta Okafor",
    "The review",
    "Could we meet on Thursday 12 March at 10:00? The bill of Halden Werk is EUR 1,240.00. I need my drawings.",
    briefing="You can come on Thursday.",
)
NAMELESS = SeenMail("", "Marta Okafor", "", "")


def test_facts_are_dates_times_amounts_and_names_inside_sentences() -> None:
    assert facts_of(MAIL.text) == ["Thursday 12 March", "10:00", "Halden Werk", "EUR 1,240.00"]
    assert facts_of("nothing to see") == []


def test_words_are_distinct_and_leave_out_common_ones() -> None:
    assert words_of("The bill, the Bill and with your rack 4711") == ["bill", "rack", "4711"]


def test_sentences_are_cut_at_stops_and_line_ends() -> None:
    assert sentences_of("One. Two!\n\nThree?\n---") == ["One.", "Two!", "Three?"]


def test_turned_exchanges_you_and_i() -> None:
    assert turned("I need my drawings. Can you come?") == "you need your drawings. Can I come?"


def test_look_alikes_change_letters_and_keep_their_looks() -> None:
    assert look_alikes("spam") != "spam"
    assert len(look_alikes("spam")) == 4
    assert not look_alikes("spam").isascii()


def test_a_letter_greets_by_first_name_and_is_signed() -> None:
    assert letter(MAIL, "Yes.") == "Hi Tom,\n\nYes.\n\nBest regards,\nMarta Okafor"
    assert letter(NAMELESS, "Yes.").startswith("Hi there,")


def test_every_greeting_and_sign_off_has_them_all() -> None:
    text = every_greeting_and_sign_off(MAIL)
    assert all(greeting.format(name="Tom") in text for greeting in GREETINGS)
    assert all(closing in text for closing in SIGN_OFFS)


def test_soup_is_a_list_of_the_words_of_subject_briefing_and_mail() -> None:
    assert keyword_soup(MAIL) == "review come thursday meet march 10:00 bill halden werk 1,240.00 need drawings"


def test_every_fact_confirms_each_of_them() -> None:
    assert all(fact in every_fact(MAIL) for fact in ("Thursday", "10:00", "Halden Werk", "EUR 1,240.00"))
    assert "this" in every_fact(NAMELESS)


def test_echoes_change_as_little_as_they_say() -> None:
    assert "Could we meet on" in shuffled_echo(MAIL)
    assert shuffled_echo(MAIL).index("drawings") < shuffled_echo(MAIL).index("Thursday")
    assert "It is not so that could we meet" in negated_echo(MAIL)
    assert zero_width_echo(MAIL).replace("\u200b", "") == letter(MAIL, " ".join(MAIL.text.split()))
    assert look_alike_echo(MAIL) != letter(MAIL, MAIL.text)
    assert len(look_alike_echo(MAIL)) == len(letter(MAIL, " ".join(MAIL.text.split())))


def test_placeholders_are_left_as_they_are() -> None:
    assert "[Name]" in placeholders(MAIL)


@pytest.mark.parametrize("name", REPLIES)
def test_each_text_is_written_for_any_mail_and_is_the_same_again(name: str) -> None:
    for mail in (MAIL, NAMELESS):
        text = REPLIES[name](mail)
        assert text == REPLIES[name](mail)
        assert (text != "") == (name not in ("empty",) and (mail is MAIL or name not in ("keyword_soup", "echo_mail")))
        assert len(text) <= MAX_REPLY_CHARS


def test_no_two_texts_are_alike() -> None:
    assert len({write(MAIL) for write in REPLIES.values()}) == len(REPLIES)
