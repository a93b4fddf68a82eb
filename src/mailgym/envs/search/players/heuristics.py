"""Honest players: each makes one search from the question; in the full form it then cites the first hit."""

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of
from mailgym.envs.search.players.dates import find_date_range
from mailgym.envs.search.players.play import cite, hits_of
from mailgym.envs.search.schema import MAX_KEYWORDS, MAX_TEXT_CHARS

MakeSearch = Callable[[dict[str, Any]], dict[str, Any]]

WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
STOP_WORDS = frozenset(
    WORD.findall(
        """a about above after again all also am an and any anything are as ask asked at be because been
        before being between but by came can could date day did do does doing done each email emails find
        finding for found from gave get give given go had has have having he hear heard help her here him
        his how i if in inbox into is it its just know last let like look looked looking mail mailbox
        mails me mention mentioned message messages might mine more most much must my need needed no not
        note now of off on once one only or other our ours out over please recall received remember said
        same saw say saying says see seen send sent she should show so some someone something sort tell
        telling than that the their theirs them then there these they thing things think this those
        through to told too up us very want wanted was we were what when where which while who whom whose
        why will with word words would write writes writing written wrote you your yours"""
    )
)
MONTH_NAMES = WORD.findall("January February March April May June July August September October November December")
NAME = r"([A-Z][\w'’-]+(?: (?:van |de |von |der |la )*[A-Z][\w'’-]+){0,2})"
FROM_NAME = re.compile(
    rf"\b(?:from|by|according to|did|has|had|what) {NAME}"
    rf"|\b{NAME}(?:['’]s? (?:mail|e-mail|message|note|reply|answer)"
    r"| (?:wrote|said|sent|told|asked|mentioned|mailed|reported|announced|replied|answered))"
)
_OWN_VERB = r"(?:tell|told|write|wrote|send|sent|say|said|mail|mailed|ask|asked|answer|answered)"
BY_OWNER = re.compile(rf"\b(?:I|we) {_OWN_VERB}\b|\bmy (?:mail|e-mail|message|note|answer|reply)\b")
TO_NAME = re.compile(
    rf"\b(?:I|we) {_OWN_VERB}(?: it| back)?(?: to)? {NAME}|\bmy (?:mail|e-mail|message|note|answer|reply) to {NAME}"
)


class Searcher:
    """Searches once and stands by the first hit."""

    def __init__(self, name: str, make_search: MakeSearch) -> None:
        """Search by ``make_search``: from the opening observation to arguments of ``search_emails``."""
        self._name = name
        self._make_search = make_search

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return self._name

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Search in the first turn, cite in the second."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        if not turn.steps:
            return call("search_emails", self._make_search(opening_of(turn)))
        return cite([hit["message_id"] for hit in hits_of(turn.observation)[:1]])


def words_of(text: str) -> list[str]:
    """Return the words of a text in order, each once whatever its case, as many as a search takes."""
    words: dict[str, str] = {}
    for word in WORD.findall(text):
        words.setdefault(word.lower(), word[:MAX_TEXT_CHARS])
    return list(words.values())[:MAX_KEYWORDS]


def content_words_of(text: str) -> list[str]:
    """Return the words of a text that are no stop words; all of them when none is left."""
    words = words_of(text)
    return [word for word in words if word.lower() not in STOP_WORDS] or words


def search_all_words(question: dict[str, Any]) -> dict[str, Any]:
    """Copy the question."""
    return {"keywords": words_of(question["question"])}


def search_content_words(question: dict[str, Any]) -> dict[str, Any]:
    """Copy the question without its stop words."""
    return {"keywords": content_words_of(question["question"])}


def search_capitalised_words(question: dict[str, Any]) -> dict[str, Any]:
    """Take the words written with a capital, stop words aside; the whole question when there are none."""
    words = words_of(question["question"])
    capitalised = [word for word in words if word[0].isupper() and word.lower() not in STOP_WORDS]
    return {"keywords": capitalised or words}


def search_newest(question: dict[str, Any]) -> dict[str, Any]:
    """Take the newest mail up to the day of the question."""
    tomorrow = date.fromisoformat(question["today"]) + timedelta(days=1)
    return {"keywords": [], "sent_before": tomorrow.isoformat()}


def search_by_rules(question: dict[str, Any]) -> dict[str, Any]:
    """Search as well as patterns written by hand can.

    A date phrase becomes the date range. A name after "I told" and the like is the recipient, and the owner the sender;
    otherwise a name after "from", "did" and the like is the sender. The content words that are left are the keywords.
    """
    text = question["question"]
    search: dict[str, Any] = {}
    dates = find_date_range(text, date.fromisoformat(question["today"]))
    if dates is not None:
        search["sent_after"], search["sent_before"] = dates.after.isoformat(), dates.before.isoformat()
        text = dates.without_phrase(text)
    by_owner = BY_OWNER.search(text) is not None
    name = _name_in(text, TO_NAME if by_owner else FROM_NAME)
    if by_owner:
        search["from_addr"] = question["owner_name"]
    if name is not None:
        search["to_addr" if by_owner else "from_addr"] = name
        text = text.replace(name, " ")
    return {"keywords": content_words_of(text), **search}


def _name_in(text: str, pattern: re.Pattern[str]) -> str | None:
    for match in pattern.finditer(text):
        name = next(group for group in match.groups() if group)
        if name.split()[0] not in MONTH_NAMES and name.lower() not in STOP_WORDS:
            return name
    return None
