"""Compares a given answer with the right one by rules, and says so where rules cannot tell.

What it does: it reads numbers, money, dates, times, names, yes or no, lists, places and "I don't know" in the forms in
which people and models write them, sees which value an answer says holds (not the one it denies, nor the one that held
before), and gives ``right`` or ``wrong`` only where one reading is left.

What it does not do: it knows no synonyms, no geography beyond a few names, and no language but English; where another
wording could mean the same, the verdict is ``unsure``, and a judge (:mod:`mailgym.rubrics.judge`) may be asked.

Source: ART·E (document 000) asks a language model about every answer; mailgym asks one only where these rules end.
"""

import re
from collections.abc import Callable
from datetime import date
from functools import partial

from mailgym.rubrics.dont_know import dont_know_kind, speaks_of_not_knowing
from mailgym.rubrics.items import match_items, split_items
from mailgym.rubrics.values.cues import judge_mentions
from mailgym.rubrics.values.dates import find_dates
from mailgym.rubrics.values.mention import Match, Mention, decide
from mailgym.rubrics.values.moments import Moment, find_moments, relate_moments, together
from mailgym.rubrics.values.names import find_names, read_name, relate_names
from mailgym.rubrics.values.plain_text import (
    contains_words,
    has_negation,
    match_words,
    place_kinds,
    place_words,
    polarity,
    said_polarity,
    same_place,
)
from mailgym.rubrics.values.quantities import Quantity, find_quantities, relate_quantities
from mailgym.rubrics.values.times import find_times
from mailgym.rubrics.values.wording import MOST_CHARACTERS, clean, content_words, folded, stem

__all__ = ["ANSWER_TYPES", "Match", "is_dont_know", "match_answer"]

ANSWER_TYPES = ("date", "time", "amount", "name", "count", "place", "yes_no", "text", "list", "unknown")

_COUNTED = re.compile(
    r"\bhow many (?:more |different |of the |of my |of our |new |open |unpaid |other |people )?([a-z]+)|\bnumber of (?:the |our |my )?([a-z]+)"
)
_HOW_LONG = re.compile(r"\bhow (?:long|old)\b|\bhow many (?:minutes|hours|days|weeks|months|years)\b")
_CODE = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z-])[A-Za-z\d][\w./-]{2,}")
_PHONE = re.compile(r"\+?\(?\d[\d\s().-]{6,20}\d")
_ADDRESS = re.compile(r"[\w.+'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")


def match_answer(given: str, right: str, answer_type: str = "", question: str = "", today: date | None = None) -> Match:
    """Compare a given answer with the right one.

    Args:
        given: What was answered.
        right: The right answer.
        answer_type: One of :data:`ANSWER_TYPES`; empty lets the right answer and the question tell.
        question: What was asked: it says what a number counts, and which names and dates are no answer.
        today: The day on which it was asked, for "tomorrow"; without it such words are ``unsure``.

    Returns:
        The verdict; it never raises.
    """
    if len(given) > MOST_CHARACTERS or len(right) > MOST_CHARACTERS:
        return Match("unsure", f"an answer of more than {MOST_CHARACTERS} characters is not read")
    answer, truth, asked = clean(given), clean(right), clean(question[:MOST_CHARACTERS])
    if not folded(truth):
        return Match("unsure", "there is no right answer to compare with")
    if not folded(answer):
        return Match("wrong", "the answer is empty")
    if answer_type == "unknown" or dont_know_kind(truth):
        return _match_unknown(answer)
    if folded(answer) == folded(truth):
        return Match("right", "the answer is the right one word for word")
    kind = _kind(answer_type, truth, asked)
    match = _MATCHERS[kind](answer, truth, asked, today)
    return _unless_unknown(answer, kind, truth, match)


def is_dont_know(text: str) -> bool:
    """Return whether a text says that the answer is not known, in any form, and gives none beside it."""
    return bool(dont_know_kind(text))


def _match_unknown(answer: str) -> Match:
    if dont_know_kind(answer):
        return Match("right", "nothing says so, and the answer says that")
    if has_negation(answer) and not speaks_of_not_knowing(answer) and not polarity(answer) and not _has_value(answer):
        return Match("unsure", "the answer may mean that nothing says so")
    return Match("wrong", "nothing says so, and the answer claims to know")


def _has_value(text: str) -> bool:
    return bool(find_quantities(text) or find_moments(text, bare_times=True))


def _unless_unknown(answer: str, kind: str, truth: str, match: Match) -> Match:
    """Turn the verdict on an answer that says it does not know."""
    unknown = dont_know_kind(answer)
    if not unknown:
        return match
    none_counts = (kind == "count" and _is_zero(truth)) or (kind == "yes_no" and polarity(truth) == "no")
    if match.verdict == "right" or (unknown == "not found" and none_counts):
        return Match("unsure", "the answer says that it found nothing, which may be the right value")
    return Match("wrong", "the answer says that it does not know")


def _is_zero(truth: str) -> bool:
    return any(0 in mention.value.values for mention in find_quantities(truth))


def _kind(answer_type: str, truth: str, question: str) -> str:
    """Return how to compare: the stated type where the right answer can be read as one, else what it looks like."""
    readable: dict[str, Callable[[], bool]] = {
        "date": lambda: bool(find_dates(truth)),
        "time": lambda: bool(find_times(truth, bare=True) or find_dates(truth)),
        "amount": lambda: bool(find_quantities(truth)),
        "count": lambda: bool(find_quantities(truth)),
        "yes_no": lambda: polarity(truth) in ("yes", "no"),
        "list": lambda: len(split_items(truth)) > 1,
    }
    if answer_type in readable and readable[answer_type]():
        return answer_type
    if answer_type in ("name", "place"):
        return "list" if answer_type == "name" and len(split_items(truth)) > 1 else answer_type
    if answer_type == "text":
        return "text"
    return _guessed_kind(truth, question.lower())


def _guessed_kind(truth: str, question: str) -> str:
    if polarity(truth) in ("yes", "no") and re.match(r"(?:yes|no)\b", truth.lower()):
        return "yes_no"
    if re.search(
        r"\b(?:when|what (?:date|day|time)|which (?:date|day)|until when|by when)\b", question
    ) and find_moments(truth):
        return "time"
    if re.search(
        r"\bhow much|\bwhat (?:is|was|were|are) the (?:\w+ )?(?:price|cost|amount|total|fee|rate)\b", question
    ) and find_quantities(truth):
        return "amount"
    if (re.search(r"\bhow many\b", question) or _HOW_LONG.search(question)) and find_quantities(truth):
        return "count"
    moments = find_moments(truth)
    if moments and _is_covered(truth, [(m.start, m.end) for m in moments]):
        return "time"
    quantities = find_quantities(truth)
    if quantities and _is_covered(truth, [(m.start, m.end) for m in quantities]):
        return "amount" if quantities[0].value.currency else "count"
    if len(split_items(truth)) > 1:
        return "list"
    if re.match(r"(?:who|whom|whose|with whom|to whom|by whom|from whom)\b", question) and len(truth.split()) <= 4:
        return "name"
    return "text"


def _is_covered(text: str, spans: list[tuple[int, int]]) -> bool:
    rest = "".join(" " if any(a <= n < b for a, b in spans) else letter for n, letter in enumerate(text[:500]))
    return len(text) <= 500 and len(content_words(rest)) == 0


def _by_moments(answer: str, truth: str, question: str, today: date | None, *, times: bool) -> Match:
    rights = _holding(judge_mentions(truth, find_moments(truth, "mail", today, bare_times=times)))
    asked = [m.value for m in find_moments(question, "mail", today, bare_times=False)]
    given = find_moments(answer, question, today, bare_times=times)
    given = [m for m in given if m.value not in asked or m.value in rights]
    judged = together(judge_mentions(answer, given, question))
    match = decide(judged, rights, partial(relate_moments, today=today)) if rights else None
    if match is None:
        return _without_value(answer, truth, "date or time")
    return match


def _holding(mentions: "list[Mention[Moment]]") -> list[Moment]:
    holding = [m for m in together(mentions) if m.standing in ("holds", "new")] or mentions
    new = [m.value for m in holding if m.standing == "new"]
    return list(dict.fromkeys(new or [m.value for m in holding]))


def _match_date(answer: str, truth: str, question: str, today: date | None) -> Match:
    return _by_moments(answer, truth, question, today, times=bool(find_times(truth)))


def _match_time(answer: str, truth: str, question: str, today: date | None) -> Match:
    return _by_moments(answer, truth, question, today, times=True)


def _match_quantity(answer: str, truth: str, question: str, today: date | None) -> Match:
    del today
    noun_match = _COUNTED.search(question.lower())
    noun = stem(noun_match[1] or noun_match[2]) if noun_match else ""
    judged_right = judge_mentions(truth, find_quantities(truth, _masked(truth)) or find_quantities(truth))
    standing = [m.value for m in judged_right if m.standing in ("holds", "new")] or [m.value for m in judged_right]
    money = [value for value in standing if value.currency]
    rights = list(dict.fromkeys(money or standing))
    if len(rights) > 1:
        return Match("unsure", "the right answer holds several quantities")
    given = find_quantities(answer, _masked(answer, keep_years=any(1900 <= v < 2100 for v in rights[0].values)))
    given = _bearing(given, rights[0], noun)
    asked = [m.value.values for m in find_quantities(question)]
    given = [m for m in given if m.value.values not in asked or m.value.values == rights[0].values]
    judged = _without_details(answer, judge_mentions(answer, given, question), rights[0], noun)
    match = decide(judged, rights, partial(relate_quantities, noun=noun))
    return match if match is not None else _without_value(answer, truth, "number")


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


def _bearing(given: "list[Mention[Quantity]]", right: Quantity, noun: str) -> "list[Mention[Quantity]]":
    """Leave out numbers of something else, where others are of what was asked."""
    if right.currency and any(m.value.currency for m in given):
        return [m for m in given if m.value.currency]
    if noun and any(m.value.noun == noun for m in given):
        return [m for m in given if m.value.noun == noun or m.value.values == right.values]
    return given


def _without_details(
    text: str, judged: "list[Mention[Quantity]]", right: Quantity, noun: str
) -> "list[Mention[Quantity]]":
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
    if contains_words(content_words(truth), content_words(answer)) >= 0 and not has_negation(answer):
        return Match("unsure", "the answer has the right words in no form that can be read")
    if len(answer) < 200 and not re.search(r"\d", answer):
        return Match("wrong" if len(answer.split()) > 2 or not what else "unsure", f"the answer states no {what}")
    return Match("unsure", f"the answer states no {what} that can be read")


def _match_name(answer: str, truth: str, question: str, today: date | None) -> Match:
    del today
    addresses = [address.lower() for address in _ADDRESS.findall(truth)]
    if addresses and folded(truth) == folded(addresses[0]):
        return _same_codes(
            addresses, [address.lower() for address in _ADDRESS.findall(answer)], answer, truth, question
        )
    right = read_name(truth)
    mentions = judge_mentions(answer, find_names(answer, [right], question), question)
    relation = partial(relate_names, question=question)
    mentions = _first_named(answer, mentions, lambda mention: relation(right, mention.value) == "same")
    match = decide(mentions, [right], relation)
    if match is None:
        return Match("unsure", "the answer names nobody")
    return match


def _first_named(answer: str, mentions: list, is_right: Callable[..., bool]) -> list:  # type: ignore[type-arg]
    """Where the right name comes first, names behind a preposition only say more of it."""
    if not mentions or mentions[0].standing not in ("holds", "new") or not is_right(mentions[0]):
        return mentions
    kept = [mentions[0]]
    for before, mention in zip(mentions, mentions[1:], strict=False):
        between = answer[before.end : mention.start].lower().strip()
        joined = (
            between in (",", "and", ", and", "&", "or", ", or", "/", "or maybe", "/ or")
            or mention.link == "or"
            or is_right(mention)
        )
        if joined:
            kept.append(mention)
    return kept


def _match_yes_no(answer: str, truth: str, question: str, today: date | None) -> Match:
    right, said = polarity(truth), said_polarity(answer, question)
    if said == "both":
        return Match("unsure", "the answer says neither yes nor no")
    if not said:
        return Match("unsure", "the answer does not open with yes or no")
    if said != right:
        if has_negation(question):
            return Match("unsure", "the question is negative: yes and no can mean the same")
        return Match("wrong", f"the answer says {said}")
    details, more = find_moments(truth), find_moments(answer, question)
    if details and more:
        both = _by_moments(answer, truth, question, today, times=False)
        if both.verdict != "right":
            return Match("unsure", "yes or no is right, and its detail differs")
    return Match("right", f"the answer says {said}")


def _match_place(answer: str, truth: str, question: str, today: date | None) -> Match:
    del today
    wanted, said = place_words(truth), place_words(answer)
    if same_place(answer, truth):
        return Match("right", "both are names of one place")
    if contains_words(wanted, said) >= 0:
        return match_words(answer, truth, question)
    asked = set(content_words(question))
    bare_wanted = [word for word in wanted if word not in place_kinds(truth)]
    bare_said = [
        word for word in content_words(" ".join(said)) if word not in place_kinds(answer) and word not in asked
    ]
    if bare_wanted and bare_wanted == bare_said:
        return Match("right", "the place has the same name")
    if (
        bare_said
        and bare_said == bare_wanted[: len(bare_said)]
        and not any(c.isdigit() for w in bare_wanted for c in w)
    ):
        return Match("right", "the place is named in short")
    if set(bare_wanted) & set(bare_said):
        numbers = [{w for w in part if any(c.isdigit() for c in w)} for part in (bare_wanted, bare_said)]
        if numbers[0] and numbers[1] and not numbers[0] & numbers[1]:
            return Match("wrong", "the answer names another number")
        return Match("unsure", "the places have words in common")
    if has_negation(answer) or not bare_said or len(bare_said) > 4 or len(bare_wanted) > 4:
        return Match("unsure", "the answer's words do not tell the place")
    kinds = place_kinds(truth), place_kinds(answer)
    if kinds[0] and kinds[1] and not kinds[0] & kinds[1]:
        return Match("unsure", "the places are of different kinds")
    return Match("wrong", "the answer names another place")


def _match_list(answer: str, truth: str, question: str, today: date | None) -> Match:
    return match_items(answer, truth, question, lambda one, other: match_answer(one, other, "", question, today))


def _match_text(answer: str, truth: str, question: str, today: date | None) -> Match:
    del today
    if _PHONE.fullmatch(truth):
        numbers = ["".join(filter(str.isdigit, number)) for number in [truth, *_PHONE.findall(answer)]]
        same = [
            number for number in numbers[1:] if number.endswith(numbers[0][-10:]) or numbers[0].endswith(number[-10:])
        ]
        if numbers[1:]:
            return _same_codes(
                [numbers[0]],
                [numbers[0] if number in same else number for number in numbers[1:]],
                answer,
                truth,
                question,
            )
    if _CODE.fullmatch(truth):
        return _same_codes(
            [truth.lower()], [code.lower().rstrip(".,") for code in _CODE.findall(answer)], answer, truth, question
        )
    return match_words(answer, truth, question)


def _same_codes(right: list[str], given: list[str], answer: str, truth: str, question: str) -> Match:
    if not given:
        return match_words(answer, truth, question)
    if set(right) & set(given):
        return (
            match_words(answer, truth, question)
            if set(given) <= set(right)
            else Match("unsure", "the answer names the right code and another")
        )
    return Match("wrong", "the answer names another code")


_MATCHERS: dict[str, Callable[[str, str, str, date | None], Match]] = {
    "date": _match_date,
    "time": _match_time,
    "amount": _match_quantity,
    "count": _match_quantity,
    "name": _match_name,
    "place": _match_place,
    "yes_no": _match_yes_no,
    "text": _match_text,
    "list": _match_list,
}
