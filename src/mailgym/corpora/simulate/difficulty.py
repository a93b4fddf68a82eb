"""How hard a store's questions are: the reciprocal rank that simple searches reach."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mailgym.core.errors import QueryError
from mailgym.corpora.question import Question
from mailgym.corpora.simulate.knowing import search_rank
from mailgym.mail.mailbox import Mailbox

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about after all am an and any are around as at be been but by can could did do does for from get had has have
        he her him his how i if in into is it its me my of on once one or our out over said say she should so some that
        the their them then there they this to up us was we were what when where which while who whom why will with
        would you your
        """,
    )
)
FILTERS = ("from_addr", "to_addr")
DATES = ("sent_after", "sent_before")


def all_words(question: Question) -> dict[str, Any]:
    """Search every word of the question."""
    return {"keywords": re.findall(r"[A-Za-z0-9]+", question.text)}


def content_words(question: Question) -> dict[str, Any]:
    """Search every word but stop words."""
    return {"keywords": [word for word in all_words(question)["keywords"] if word.lower() not in STOP_WORDS]}


def capitalised_words(question: Question) -> dict[str, Any]:
    """Search the capitalised words, stop words left out."""
    return {"keywords": [word for word in content_words(question)["keywords"] if word[0].isupper()]}


def newest(_: Question) -> dict[str, Any]:
    """Take the newest mails before the question is asked."""
    return {"sent_before": "9999-01-01"}


def facts(question: Question) -> dict[str, Any]:
    """Search by everything that the question gives away."""
    return dict(question.facts)


def content_and_people(question: Question) -> dict[str, Any]:
    """Search the content words from or to whom the question says."""
    return content_words(question) | {name: question.facts[name] for name in FILTERS if name in question.facts}


def content_people_and_dates(question: Question) -> dict[str, Any]:
    """Search the content words from or to whom, and when, the question says."""
    return content_and_people(question) | {name: question.facts[name] for name in DATES if name in question.facts}


SEARCHES: dict[str, Callable[[Question], dict[str, Any]]] = {
    "all words": all_words,
    "content words": content_words,
    "capitalised words": capitalised_words,
    "newest mail": newest,
    "facts": facts,
    "content words + people": content_and_people,
    "content words + people + dates": content_people_and_dates,
}


def measure(store: Path, questions: Sequence[Question]) -> dict[str, float]:
    """Return the mean reciprocal rank (top 10, keywords matching any) of each simple search over the questions."""
    totals = dict.fromkeys(SEARCHES, 0.0)
    for question in questions:
        with Mailbox.open(store / question.mailbox, as_of=question.asked_on) as mailbox:
            for name, search in SEARCHES.items():
                totals[name] += _reciprocal_rank(mailbox, question, search(question))
    return {name: total / len(questions) for name, total in totals.items()}


def _reciprocal_rank(mailbox: Mailbox, question: Question, arguments: dict[str, Any]) -> float:
    try:
        return 1.0 / search_rank(mailbox, question, arguments)
    except QueryError:  # no keyword is left: nothing can be searched, so nothing is found
        return 0.0
