"""Turns what the model wrote into items, and drops what can be told to be bad without asking again."""

import re
from collections.abc import Sequence
from datetime import UTC, date, timedelta

from mailgym.core.seeds import stream
from mailgym.corpora.questions.drafts import Draft
from mailgym.corpora.questions.item import COPIED, INVENTED, NAMES_ID, NO_ANSWER, UNREALISTIC, Item
from mailgym.corpora.questions.prompt import short_ids
from mailgym.corpora.questions.sample import shown_text
from mailgym.mail.message import Message
from mailgym.mail.terms import words_of
from mailgym.rubrics.answers import is_dont_know

MOST_DAYS_AFTER = 30
LEAST_COPIED_WORDS = 5
MOST_KEYWORDS = 6
LEAST_KEYWORD_CHARS = 4
_SHORT_ID = re.compile(r"\bm\d{1,3}\b")


def sift(
    drafts: Sequence[Draft], mails: Sequence[Message], owners: Sequence[str], min_realistic: float, seed: int
) -> list[Item]:
    """Return one item for every draft, with its fate where that is clear.

    Args:
        drafts: What the model wrote.
        mails: The mails it was shown, in that order.
        owners: Addresses of the mailbox's owner.
        min_realistic: Least likelihood that the question is asked.
        seed: Decides the days on which they are asked: 1 to 30 days after the newest mail cited, as in ART·E.
    """
    by_id = dict(zip(short_ids(len(mails)), mails, strict=True))
    texts = [f" {' '.join(words_of(f'{mail.subject} {shown_text(mail)}'))} " for mail in mails]
    return [_item(draft, by_id, texts, owners, min_realistic, seed) for draft in drafts]


def _item(
    draft: Draft,
    by_id: dict[str, Message],
    texts: Sequence[str],
    owners: Sequence[str],
    min_realistic: float,
    seed: int,
) -> Item:
    written = list(dict.fromkeys(draft.message_ids))
    invented = [short_id for short_id in written if short_id not in by_id]
    if invented:
        unread = Item(draft.question, draft.answer, tuple(written), draft.how_realistic)
        return unread.ends(INVENTED, f"there is no {', '.join(invented)}")
    cited = [by_id[short_id] for short_id in written]
    item = Item(
        draft.question,
        draft.answer,
        tuple(mail.message_id for mail in cited),
        draft.how_realistic,
        _asked_on(cited, draft.question, seed),
        search_facts(cited[0], draft.question, owners),
    )
    if draft.how_realistic < min_realistic:
        return item.ends(UNREALISTIC, f"{draft.how_realistic:g} is less than {min_realistic:g}")
    if is_dont_know(draft.answer):
        return item.ends(NO_ANSWER)
    named = [found for found in _SHORT_ID.findall(draft.question) if found in by_id]
    if named:
        return item.ends(NAMES_ID, f"names {', '.join(named)}")
    words = words_of(draft.question)
    if len(words) >= LEAST_COPIED_WORDS and any(f" {' '.join(words)} " in text for text in texts):
        return item.ends(COPIED)
    return item


def _asked_on(cited: Sequence[Message], question: str, seed: int) -> date:
    newest = max(mail.date for mail in cited if mail.date is not None)
    days = stream(seed, "questions", "asked_on", cited[0].message_id, question).randint(1, MOST_DAYS_AFTER)
    return newest.astimezone(UTC).date() + timedelta(days=days)


def search_facts(mail: Message, question: str, owners: Sequence[str]) -> dict[str, object]:
    """Return the search by which one who knows the mail would find it: who, which day, and the words asked with."""
    said = set(words_of(f"{mail.subject} {shown_text(mail)}"))
    words = [word for word in dict.fromkeys(words_of(question)) if len(word) >= LEAST_KEYWORD_CHARS and word in said]
    subject = [word for word in dict.fromkeys(words_of(mail.subject)) if len(word) >= LEAST_KEYWORD_CHARS]
    facts: dict[str, object] = {"keywords": (words or subject)[:MOST_KEYWORDS]}
    others = [person.address for person in mail.to if person.address and person.address not in owners]
    if mail.from_.address and mail.from_.address not in owners:
        facts["from_addr"] = mail.from_.address
    elif others:
        facts["to_addr"] = others[0]
    if mail.date is not None:
        day = mail.date.astimezone(UTC).date()
        facts |= {"sent_after": day.isoformat(), "sent_before": (day + timedelta(days=1)).isoformat()}
    return facts
