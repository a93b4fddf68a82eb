"""Compares answers by the values they state: dates, times, numbers, money, names."""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from mailgym.rubrics.by_words import ADDRESS, contains_words, same_codes
from mailgym.rubrics.values.cues import judge_mentions
from mailgym.rubrics.values.mention import Match, Mention, decide
from mailgym.rubrics.values.moments import EVERY_DATE, Moment, find_moments, relate_moments, together
from mailgym.rubrics.values.names import Name, find_names, read_name, relate_names
from mailgym.rubrics.values.polarity import has_negation, is_negative_question, polarity, said_polarity
from mailgym.rubrics.values.quantities import Quantity, find_quantities, relate_quantities
from mailgym.rubrics.values.times import find_times
from mailgym.rubrics.values.wording import Texts, content_words, folded, stem

_COUNTED = re.compile(
    r"\bhow many (?:more |different |of the |of my |of our |new |open |unpaid |other )?([a-z]+)"
    r"|\bnumber of (?:the |our |my )?([a-z]+)"
)
_ASKS_START = re.compile(
    r"\b(?:start|begin|open|leave|depart|arriv|kick off|first day|from when|as of when)\w*\b", re.IGNORECASE
)
_VAGUE = re.compile(
    r"\b(?:morning|afternoon|evening|night|early|late|later|soon|lunch|after|before|week|month|year|day|days|weekend|few|several"
    r"|some|many|most|couple|both|all|half|quarter|double|triple)\b",
    re.IGNORECASE,
)


def match_moments(texts: Texts, *, times: bool) -> Match:
    """Compare dates and times.

    Args:
        texts: What is compared.
        times: Whether a number alone, or behind "at", is a time.
    """
    rights = _holding(judge_mentions(texts.right, find_moments(texts.right, EVERY_DATE, texts.today, bare_times=times)))
    asked = [m.value for m in find_moments(texts.question, EVERY_DATE, texts.today, bare_times=False)]
    given = find_moments(texts.given, texts.question, texts.today, bare_times=times)
    given = [m for m in given if m.value not in asked or m.value in rights]
    start_counts = bool(_ASKS_START.search(texts.question)) or all(right.time is not None for right in rights)
    judged = together(judge_mentions(texts.given, _without_vague(given), texts.question))
    match = (
        decide(judged, rights, partial(relate_moments, today=texts.today), start_counts=start_counts)
        if rights
        else None
    )
    if match is None:
        return _without_value(texts.given, texts.right, "date or time")
    return match


def _without_vague(given: list[Mention[Moment]]) -> list[Mention[Moment]]:
    """Leave out "last month" where a day is named as well."""
    named = [m for m in given if m.value.date is None or not m.value.date.relative]
    return named if any(m.value.date is not None for m in named) else given


def _holding(mentions: list[Mention[Moment]]) -> list[Moment]:
    holding = [m for m in together(mentions) if m.standing in ("holds", "new")] or mentions
    new = [m.value for m in holding if m.standing == "new"]
    return list(dict.fromkeys(new or [m.value for m in holding]))


def match_date(texts: Texts) -> Match:
    """Compare dates; times too where the right answer has one."""
    return match_moments(texts, times=bool(find_times(texts.right)))


def match_time(texts: Texts) -> Match:
    """Compare times of day; dates too where the right answer has one."""
    return match_moments(texts, times=True)


def match_quantity(texts: Texts) -> Match:
    """Compare numbers, money and measures."""
    noun_match = _COUNTED.search(texts.question.lower())
    noun = stem(noun_match[1] or noun_match[2]) if noun_match else ""
    judged_right = judge_mentions(
        texts.right, find_quantities(texts.right, _masked(texts.right)) or find_quantities(texts.right)
    )
    standing = [m.value for m in judged_right if m.standing in ("holds", "new")] or [m.value for m in judged_right]
    money = [value for value in standing if value.currency]
    rights = list(dict.fromkeys(money or standing))
    if len(rights) > 1:
        return Match("unsure", "the right answer holds several quantities")
    years = any(1900 <= value < 2100 for value in rights[0].values)
    given = [] if years else find_quantities(texts.given, _masked(texts.given))
    given = given or find_quantities(texts.given, _masked(texts.given, keep_years=True))
    given = _bearing(given, rights[0], noun)
    asked = [m.value.values for m in find_quantities(texts.question)]
    given = [m for m in given if m.value.values not in asked or m.value.values == rights[0].values]
    judged = _without_details(texts.given, judge_mentions(texts.given, given, texts.question), rights[0], noun)
    match = decide(judged, rights, partial(relate_quantities, noun=noun))
    return match if match is not None else _without_value(texts.given, texts.right, "number")


def _masked(text: str, *, keep_years: bool = False) -> str:
    """Return the text with blanks where dates and times stand."""
    letters = list(text)
    for mention in find_moments(text):
        value = mention.value
        year_only = (
            value.time is None and value.date is not None and value.date.year is not None and not value.date.days
        )
        if keep_years and year_only:
            continue
        letters[mention.start : mention.end] = " " * (mention.end - mention.start)
    return "".join(letters)


def _bearing(given: list[Mention[Quantity]], right: Quantity, noun: str) -> list[Mention[Quantity]]:
    """Leave out numbers of something else, where others are of what was asked."""
    if right.currency and any(m.value.currency for m in given):
        given = [m for m in given if m.value.currency]
    if not right.per and any(m.value.currency and not m.value.per for m in given):
        given = [m for m in given if not m.value.per]
    if noun and any(m.value.noun == noun for m in given):
        return [m for m in given if m.value.noun == noun or (m.value.values == right.values and not m.value.noun)]
    return given


def _without_details(text: str, judged: list[Mention[Quantity]], right: Quantity, noun: str) -> list[Mention[Quantity]]:
    """Leave out what only breaks the first number down: "five: three from sales, two from support"."""
    if (
        len(judged) < 2
        or judged[0].standing not in ("holds", "new")
        or relate_quantities(right, judged[0].value, noun) != "same"
    ):
        return judged
    between = text[judged[0].end : judged[1].start]
    rest = [m.value for m in judged[1:]]
    adds_up = sum(value.values[0] for value in rest) == judged[0].value.values[0]
    if re.match(r"[^.;:(]{0,40}(?::|\(|\s-\s)", between) and (
        adds_up or all(v.noun != judged[0].value.noun for v in rest)
    ):
        return judged[:1]
    return judged


def _without_value(answer: str, truth: str, what: str) -> Match:
    if polarity(answer) and len(answer.split()) <= 2:
        return Match("wrong", f"the answer is yes or no, and no {what}")
    if _VAGUE.search(answer):
        return Match("unsure", f"the answer states a {what} in vague words")
    if contains_words(content_words(truth), content_words(answer)) >= 0 and not has_negation(answer):
        return Match("unsure", "the answer has the right words in no form that can be read")
    if len(answer) < 200 and not re.search(r"\d", answer):
        return Match("wrong" if len(answer.split()) > 2 or not what else "unsure", f"the answer states no {what}")
    return Match("unsure", f"the answer states no {what} that can be read")


def match_name(texts: Texts) -> Match:
    """Compare names of people and companies, or addresses."""
    addresses = [address.lower() for address in ADDRESS.findall(texts.right)]
    if addresses and folded(texts.right) == folded(addresses[0]):
        return same_codes(addresses, [address.lower() for address in ADDRESS.findall(texts.given)], texts.given)
    right = read_name(texts.right)
    mentions = judge_mentions(texts.given, find_names(texts.given, [right], texts.question), texts.question)
    relation = partial(relate_names, question=texts.question)
    mentions = _first_named(texts.given, mentions, lambda mention: relation(right, mention.value) == "same")
    match = decide(mentions, [right], relation)
    if match is None and find_names(texts.given, [right]):  # only people that the question names
        match = decide(judge_mentions(texts.given, find_names(texts.given, [right])), [right], relation)
    return match or Match("unsure", "the answer names nobody")


def _first_named(
    answer: str, mentions: list[Mention[Name]], is_right: Callable[[Mention[Name]], bool]
) -> list[Mention[Name]]:
    """Where the right name comes first, names behind a preposition only say more of it."""
    if not mentions or mentions[0].standing not in ("holds", "new") or not is_right(mentions[0]):
        return mentions
    kept = [mentions[0]]
    for before, mention in pairwise(mentions):
        between = answer[before.end : mention.start].lower().strip()
        joined = (
            between in (",", "and", ", and", "&", "or", ", or", "/", "or maybe", "/ or")
            or mention.link == "or"
            or is_right(mention)
        )
        if joined:
            kept.append(mention)
    return kept


def match_yes_no(texts: Texts) -> Match:
    """Compare yes and no; where both give a date, that counts as well."""
    right, said = polarity(texts.right), said_polarity(texts.given, texts.question)
    if said == "both":
        return Match("unsure", "the answer says neither yes nor no")
    if not said:
        return Match("unsure", "the answer does not open with yes or no")
    if said != right:
        if is_negative_question(texts.question):
            return Match("unsure", "the question is negative: yes and no can mean the same")
        return Match("wrong", f"the answer says {said}")
    details, more = find_moments(texts.right), find_moments(texts.given, texts.question)
    if details and more:
        both = match_moments(texts, times=False)
        if both.verdict != "right":
            return Match("unsure", "yes or no is right, and its detail differs")
    return Match("right", f"the answer says {said}")
