"""The baseline of `search` that needs no model: it searches the question's words, reads the best, and answers by rules.

It is the agent that people compare theirs to, so it is as good as plain rules are: it follows the thread of what it
found to the latest word, answers with the value that fits the question's sort, and says that it does not know where too
little of the question's matter is in what it read.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.search.players.asked import Asked, read_question, stems_of
from mailgym.envs.search.players.evidence import Candidate, candidates, mail_stems, matter_share
from mailgym.envs.search.players.heuristics import content_words_of
from mailgym.envs.search.players.play import DONT_KNOW, answer, call, hits_of, question_of

READS_FROM_SEARCH, READS_OF_THREAD = 2, 2
LEAST_MATTER = 0.5
"""Share of the question's matter that a mail must speak of to be believed."""
NEAR_BEST = 0.85
"""Candidates with this share of the best score are as good; the latest of them counts."""
SUBJECT_PREFIX = re.compile(r"^(?:\s*(?:re|fwd?|fw|aw|wg|sv|vs)\s*(?:\[\d+\])?:)+", re.IGNORECASE)


@dataclass(slots=True)
class Seen:
    """What an episode has shown so far.

    Attributes:
        hits: Hits of all searches, best first, each mail once.
        mails: Mails that were read, in order.
        searches: How many searches were made.
        failed: Ids that could not be read.
    """

    hits: dict[str, dict[str, Any]] = field(default_factory=dict)
    mails: dict[str, dict[str, Any]] = field(default_factory=dict)
    searches: int = 0
    found_in_last: int = 0


class Reader:
    """Searches, reads, follows the thread, answers; it keeps nothing between turns."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "bm25"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide one action a turn."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        question = question_of(turn)
        asked = read_question(question["question"])
        seen = what_was_seen(turn)
        if question["turns_left"] - len(turn.steps) > 1:
            next_call = self._look_further(asked, question, seen)
            if next_call is not None:
                return next_call
        return give_answer(asked, question, seen)

    def _look_further(self, asked: Asked, question: dict[str, Any], seen: Seen) -> Decision | None:
        """Return the next search or the next mail to read, None when enough was seen."""
        if not seen.hits:
            words = narrower_words(asked, seen.searches)
            return call("search_emails", {"keywords": words}) if words else None
        order = sorted(seen.hits.values(), key=lambda hit: -hit["score"])
        unread = [hit for hit in order if hit["message_id"] not in seen.mails]
        first = order[0]
        if not seen.mails:
            return _read(first)
        subject = plain_subject(first["subject"])
        if seen.searches == 1 and subject:
            return call("search_emails", thread_search(first, question))
        of_thread = [hit for hit in unread if plain_subject(hit["subject"]) == subject]
        read_of_thread = sum(plain_subject(mail["subject"]) == subject for mail in seen.mails.values())
        if of_thread and read_of_thread <= READS_OF_THREAD:
            return _read(max(of_thread, key=lambda hit: hit["date"]))
        others = [hit for hit in unread if plain_subject(hit["subject"]) != subject]
        if others and len(seen.mails) - read_of_thread < READS_FROM_SEARCH - 1:
            return _read(others[0])
        return None


def _read(hit: dict[str, Any]) -> Decision:
    return call("read_email", {"message_id": hit["message_id"]})


def what_was_seen(turn: Turn) -> Seen:
    """Return what the episode has shown, the hits scored by how much of the question's matter they speak of."""
    asked = read_question(question_of(turn)["question"])
    seen = Seen()
    for observation in [*(step.observation for step in turn.steps[1:]), *([turn.observation] if turn.steps else [])]:
        if observation["kind"] == "results":
            seen.searches += 1
            for rank, hit in enumerate(hits_of(observation)):
                known = seen.hits.get(hit["message_id"])
                score = 1.0 / (rank + 2) if seen.searches == 1 else 0.0
                if known is None:
                    seen.hits[hit["message_id"]] = {**hit, "score": score}
        elif observation["kind"] == "mail":
            seen.mails[observation["message_id"]] = observation
        else:
            seen.searches += 1
    rarity = rarities(seen)
    for hit in seen.hits.values():
        shown = stems_of(f"{hit['from']} {hit['to']} {hit['subject']} {hit['snippet']}")
        hit["score"] += matter_share(asked, shown, rarity)
    return seen


def rarities(seen: Seen) -> dict[str, float]:
    """Return how rare each stem is among the mails that were seen, between 0.2 (in all of them) and 1."""
    texts = [f"{hit['from']} {hit['to']} {hit['subject']} {hit['snippet']}" for hit in seen.hits.values()]
    counts = Counter(stem for text in texts for stem in stems_of(text))
    whole = math.log(len(texts) + 1) or 1.0
    return {stem: max(0.2, 1 - math.log(count + 1) / whole + 0.2) for stem, count in counts.items()}


def narrower_words(asked: Asked, searches: int) -> list[str]:
    """Return the keywords of the next search after some that found nothing: fewer each time, none after three."""
    words = content_words_of(asked.text)
    named = [word for word in words if word[0].isupper()]
    longest = sorted(words, key=len, reverse=True)
    return [words, named or longest[:2], longest[:1], []][min(searches, 3)]


def thread_search(hit: dict[str, Any], question: dict[str, Any]) -> dict[str, Any]:
    """Return the search for later mails of a hit's thread."""
    search: dict[str, Any] = {"keywords": content_words_of(plain_subject(hit["subject"]))}
    tomorrow = date.fromisoformat(question["today"]) + timedelta(days=1)
    if hit["date"]:
        search |= {"sent_after": hit["date"], "sent_before": tomorrow.isoformat()}
    return search


def plain_subject(subject: str) -> str:
    """Return a subject without "Re:" and the like, in lower case."""
    return SUBJECT_PREFIX.sub("", subject).strip().lower()


def give_answer(asked: Asked, question: dict[str, Any], seen: Seen) -> Decision:
    """Return the answer that the mails read so far give, or that it is not known."""
    rarity = rarities(seen)
    mails = [mail for mail in seen.mails.values() if matter_share(asked, mail_stems(mail), rarity) >= LEAST_MATTER]
    found = candidates(asked, mails, question["owner_name"], rarity)
    if not found:
        return answer(DONT_KNOW, [])
    chosen = latest_of_the_best(found)
    return answer(chosen.text, [chosen.sentence.mail["message_id"]])


def latest_of_the_best(found: Sequence[Candidate]) -> Candidate:
    """Return the candidate of the latest mail among those that are nearly as good as the best.

    What a sentence calls new goes before what it merely states; within a mail the earlier sentence goes first.
    """
    best = found[0].score
    near = [candidate for candidate in found if candidate.score >= NEAR_BEST * best]
    return max(
        near,
        key=lambda c: (str(c.sentence.mail["date"]), c.standing == "new", c.score, -c.sentence.place),
    )
