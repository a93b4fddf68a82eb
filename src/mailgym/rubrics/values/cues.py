"""What a text says of the values it mentions: that they hold, held before, are denied, or stand beside the answer."""

import re
from collections.abc import Sequence
from dataclasses import replace

from mailgym.rubrics.values.mention import Link, Mention, Standing, V

WINDOW_CHARACTERS = 140

_BOUNDARY = re.compile(r"[;:!?\n()]|\.(?=\s)|,(?=\s)|\s-\s|\bbut\b|\bhowever\b|\bthough\b|\bbecause\b|\bsince\b")
_SENTENCE = re.compile(r"[!?\n]|(?<![ap]\.m)(?<!\b[a-z])\.(?=\s)")
_NOT_DENIALS = re.compile(
    r"\b(?:no|not) (?:later|earlier|more|less|fewer|sooner|longer (?:later|earlier)) than\b"
    r"|\bnot (?:only|just|yet known)\b"
    r"|\b(?:not|n't|cannot)\b[^,;.]{0,40}\b(?:until|till|before|unless)\b|n't\b[^,;.]{0,40}\b(?:until|till|before)\b"
    r"|\bno (?:doubt|problem|change|question)\b|\bnot to (?:forget|mention)\b"
)
_DENIALS = re.compile(
    r"\b(?:not|never|cannot|neither|nor|except|excluding|unlike|no longer|rather than|instead of|as opposed to"
    r"|other than|in place of|in lieu of|replac(?:es|ed|ing)|no)\b|n't\b"
)
_DENIED_AFTER = re.compile(
    r"\s*(?:,\s*)?(?:(?:is|was|are|were|has been|does|did|do|would|will|can)\s*(?:not\b|n't\b)"
    r"(?!\s+(?:until|only|just))"
    r"|(?:isn|wasn|aren|doesn|didn|won|can)'t\b(?!\s+(?:until|only|just))"
    r"|(?:is|was) (?:wrong|incorrect|false|a mistake)\b|(?:is|was) no longer\b|no longer\b"
    r"|(?:has been|was|got|were|is) (?:cancell?ed|dropped|called off|scrapped|replaced|superseded)\b)"
)
_DOUBTS = re.compile(
    r"\b(?:not (?:\w+ )?(?:sure|certain|clear)|unsure|unclear|uncertain|do(?: not|n't) know"
    r"|can(?:not|'t) (?:tell|say))\b"
)
_OLD_BEFORE = re.compile(
    r"\b(?:originally|previous(?:ly)?|formerly|former|initial(?:ly)?|original|used to (?:be|start|cost)|at first|old"
    r"|earlier"
    r"|(?:took|taking|takes) over from|succeeded|replaced|up from|down from|back from|away from"
    r"|first (?:planned|set|scheduled|quoted|offered|proposed|booked)"
    r"|had (?:first |originally )?been)\b[^,;.!?]{0,50}\Z|[(,]\s*(?:was|were)\s[^,;.!?]{0,20}\Z"
)
_OLD_AFTER = re.compile(r"\s*(?:(?:\w+ )?(?:at first|to begin with|originally|initially|previously)|before)\b(?! \w)")
_WEAK_OLD_BEFORE = re.compile(
    r"\b(?:was|were)\b[^;.!?]{0,60}\Z|\bplanned\b[^;.!?]{0,30}\Z|\bsupposed to\b[^;.!?]{0,30}\Z"
)
_NEW_BEFORE = re.compile(
    r"\b(?:now|currently|new|newest|latest|updated?|revised|corrected|amended|final|finally|actually"
    r"|(?:moved|rescheduled|postponed|pushed|shifted|changed|switched|brought forward|delayed|deferred|put off|rebooked"
    r"|raised|increased|reduced|lowered|cut|rose|fell|dropped|went (?:up|down)|extended|bumped|adjusted|negotiated)"
    r"\b[^,;.!?]{0,40}\b(?:to|until|till|for|at))\b[^,;.!?]{0,30}\Z"
)
_NEW_AFTER = re.compile(r"[^,;.!?\d]{0,12}\b(?:instead|now)\b")
_CHANGE = re.compile(
    r"\b(?:mov(?:e|ed|ing)|chang(?:e|ed|ing)|reschedul\w+|postpon\w+|push(?:ed)?|shift(?:ed)?|switch(?:ed)?|brought|delay(?:ed)?"
    r"|defer(?:red)?|rebook(?:ed)?|rais(?:e|ed)|increas(?:e|ed)|reduc(?:e|ed|tion)|lower(?:ed)?|cut|rose|risen|f[ae]ll(?:en)?|drop(?:ped)?"
    r"|went|gone|extend(?:ed)?|bump(?:ed)?|adjust(?:ed)?|revis(?:e|ed)|updat(?:e|ed)|correct(?:ed)?|amend(?:ed)?|transfer(?:red)?"
    r"|hand(?:ed)?|pass(?:ed)?|negotiat\w+|put (?:off|back))\b"
)
_BETWEEN_OR = re.compile(r"\bor\b|\balternatively\b|\botherwise\b|\b(?:maybe|perhaps|possibly)\b|\A\s*(?:/|\?)\s*\Z")
_BETWEEN_RANGE = re.compile(r"\A\s*(?:-|to|until|till|through|and|ending at|ends at)\s*(?:at|on|the)?\s*\Z")
_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+|about\s+)?\Z")
_BETWEEN_CHANGE = re.compile(
    r"\A[^;.!?]{0,60}\b(?:to|until|till|for)\b(?:\s+(?:be|on|at|the|a|an|about|only|just|now)){0,3}\s*\Z|\A\s*->\s*\Z"
)
_ASKS_FOR_OLD = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|previous(?:ly)?|former(?:ly)?|at first|used to|before the change)\b"
    r"|\bold (?:date|time|day|price|rate|fee|amount|number|place|room|deadline|offer|quote)\b"
)


def judge_mentions(text: str, mentions: Sequence[Mention[V]], question: str = "") -> list[Mention[V]]:
    """Return the mentions with standing and link, as the text around them says.

    Args:
        text: The text the mentions stand in.
        mentions: In order, none over another.
        question: Where it asks for what held before, that counts and what holds now does not.
    """
    lowered = text.lower() if len(text.lower()) == len(text) else text
    judged: list[Mention[V]] = []
    for number, mention in enumerate(mentions):
        before_end = mentions[number - 1].end if number else 0
        after_start = mentions[number + 1].start if number + 1 < len(mentions) else len(text)
        standing = _standing(lowered, mention, before_end, after_start)
        link = _link(lowered[before_end : mention.start], lowered[: mentions[number - 1].start]) if number else ""
        if number and link != "or":
            judged[-1], standing, link = _changed(lowered, judged[-1], mention, standing, link)
        if (
            link
            and number
            and judged[-1].standing == "denied"
            and standing == "holds"
            and _joins(lowered, judged[-1], mention)
        ):
            standing = "denied"
        judged.append(
            replace(mention, standing=standing if mention.standing == "holds" else mention.standing, link=link)
        )
    judged = _with_weak_old(lowered, judged)
    return _swapped(judged) if _ASKS_FOR_OLD.search(question.lower()) else judged


def _joins(text: str, before: Mention[V], mention: Mention[V]) -> bool:
    return bool(re.fullmatch(r"\s*(?:or|nor|and)\s*(?:on|at|the)?\s*", text[before.end : mention.start]))


def _standing(text: str, mention: Mention[V], before_end: int, after_start: int) -> Standing:
    start = max(before_end, mention.start - WINDOW_CHARACTERS)
    window = text[start : mention.start]
    clause = _BOUNDARY.split(window)[-1]
    if _DOUBTS.search(clause):
        return "doubted"
    after = text[mention.end : min(after_start, mention.end + 60)]
    if _DENIALS.search(_NOT_DENIALS.sub(" ", clause)) or _DENIED_AFTER.match(after):
        return "denied"
    if _OLD_AFTER.match(after) or _OLD_BEFORE.search(_last_sentence(window)):
        return "old"
    if _NEW_BEFORE.search(_last_sentence(window)) or _NEW_AFTER.match(after):
        return "new"
    return "holds"


def _last_sentence(window: str) -> str:
    return _SENTENCE.split(window)[-1]


def _link(between: str, before: str) -> Link:
    if _BETWEEN_RANGE.match(between):
        return "range" if "and" not in between or _BETWEEN.search(before) else ""
    if len(between.split()) <= 8 and _BETWEEN_OR.search(between) and not re.search(r"[.!?]\s", between):
        return "or"
    return ""


def _changed(
    text: str, before: Mention[V], mention: Mention[V], standing: Standing, link: Link
) -> tuple[Mention[V], Standing, Link]:
    """Read "moved from A to B": A held before, B holds now."""
    between = text[before.end : mention.start]
    if not _BETWEEN_CHANGE.match(between) or before.standing == "denied" or standing == "denied":
        return before, standing, link
    lead = _last_sentence(text[max(0, before.start - WINDOW_CHARACTERS) : before.start])
    if "->" in between or _CHANGE.search(lead) or _CHANGE.search(between):
        return before.at("old"), "new", ""
    return before, standing, link


def _with_weak_old(text: str, judged: list[Mention[V]]) -> list[Mention[V]]:
    """Where something is said to hold now, what "was" holds no longer."""
    if not any(mention.standing == "new" for mention in judged):
        return judged
    out = []
    for mention in judged:
        lead = _last_sentence(text[max(0, mention.start - WINDOW_CHARACTERS) : mention.start])
        was = mention.standing == "holds" and _WEAK_OLD_BEFORE.search(lead)
        out.append(mention.at("old") if was else mention)
    return out


def _swapped(judged: Sequence[Mention[V]]) -> list[Mention[V]]:
    swap: dict[Standing, Standing] = {"old": "holds", "new": "beside"}
    if not any(mention.standing == "old" for mention in judged):
        return list(judged)
    return [mention.at(swap.get(mention.standing, mention.standing)) for mention in judged]
