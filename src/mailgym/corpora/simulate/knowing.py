"""Searches for a question's mails: one search, and a searcher who knows the public facts and has ten."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from mailgym.corpora.question import Question
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.stored import Hit

MOST_HITS, MOST_SEARCHES = 10, 10
READ_MAILS, SUBJECTS = 4, 3
RECENT_DAYS = (14, 45)
_FULL_NAME = re.compile(r"\b[A-Z][a-z]+ [A-Z][\w'-]+")


def search(mailbox: Mailbox, arguments: dict[str, Any]) -> list[Hit]:
    """Return the ten best hits, keywords matching any.

    Args:
        mailbox: The mailbox as of the day on which the question is asked.
        arguments: Search arguments in the tool's names: keywords, from_addr, to_addr, sent_after, sent_before.

    Raises:
        QueryError: The search is empty.
    """
    return mailbox.search(
        arguments.get("keywords"),
        from_=arguments.get("from_addr"),
        to=arguments.get("to_addr"),
        after=arguments.get("sent_after"),
        before=arguments.get("sent_before"),
        limit=MOST_HITS,
    )


def search_rank(mailbox: Mailbox, question: Question, arguments: dict[str, Any]) -> float:
    """Return the rank (1 is best) of the first of a question's mails in a search; infinite if none is found.

    Args:
        mailbox: The question's mailbox as of the day on which it is asked.
        question: The question.
        arguments: As for :func:`search`.

    Raises:
        QueryError: The search is empty.
    """
    ranks = [n for n, hit in enumerate(search(mailbox, arguments), 1) if hit.message_id in question.message_ids]
    return ranks[0] if ranks else float("inf")


def searches_needed(mailbox: Mailbox, question: Question) -> float:
    """Return how many searches somebody needs who knows the facts, until all of a question's mails are found.

    The searcher knows what ``facts`` holds and what the searches bring up, and nothing else: first the facts; then the
    facts among recent mail; then people named in the best mails, and the subjects of the best mails.

    Args:
        mailbox: The question's mailbox as of the day on which it is asked.
        question: A question with at least one mail.

    Returns:
        1 to 10, or infinite if they are not found.
    """
    missing = set(question.message_ids)
    for number, hits in enumerate(_knowing(mailbox, question), 1):
        missing -= {hit.message_id for hit in hits}
        if not missing:
            return number
    return float("inf")


def _knowing(mailbox: Mailbox, question: Question) -> Iterator[list[Hit]]:
    """Yield what each of at most ten searches finds."""
    facts: dict[str, Any] = dict(question.facts)
    best = search(mailbox, facts)
    yield best
    searches: list[dict[str, Any]] = []
    for days in RECENT_DAYS:
        searches.append({**facts, "sent_after": (question.asked_on - timedelta(days=days)).isoformat()})
    keywords = list(facts["keywords"])
    names: dict[str, None] = {}
    for hit in best[:READ_MAILS]:
        names |= dict.fromkeys(_FULL_NAME.findall(mailbox.read(hit.message_id).text))
    known = " ".join(keywords)
    searches += [{"keywords": [name, keywords[-1]]} for name in list(names)[:READ_MAILS] if name not in known]
    subjects = dict.fromkeys(re.sub(r"^(\w+: )+", "", hit.subject) for hit in best)
    searches += [{"keywords": [subject]} for subject in list(subjects)[:SUBJECTS]]
    for arguments in searches[: MOST_SEARCHES - 1]:
        yield search(mailbox, arguments)
