"""The baseline of `search` that needs no model: it searches the question's words, reads the best, and answers by rules.

It is the agent that people compare theirs to, so it is as good as plain rules are: it follows the thread of what it
found to the latest word, answers with the value that fits the question's sort, and says that it does not know where too
little of the question's matter is in what it read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import call, opening_of
from mailgym.envs.search.players.asked import Asked, read_question
from mailgym.envs.search.players.compose import Composed, compose, must_compose
from mailgym.envs.search.players.evidence import Candidate, candidates
from mailgym.envs.search.players.heuristics import content_words_of
from mailgym.envs.search.players.matter import Matter, mail_stems, plain_subject
from mailgym.envs.search.players.play import DONT_KNOW, answer, hits_of

MOST_READS = 4
LEAST_MATTER = 0.7
"""Share of the question's matter that a thread must speak of to be believed."""
RIVAL = 0.85
"""A candidate of another thread with more than this share of the best score makes it a guess: nothing is believed."""
NEAR_BEST = 0.8
"""Candidates of a thread with this share of its best score are as good; the latest of them counts."""


@dataclass(slots=True)
class Seen:
    """What an episode has shown so far.

    Attributes:
        hits: Hits of all searches, each mail once, in the order in which they came.
        mails: Mails that were read, in order.
        searches: How many searches were made, those that could not be carried out included.
        unreadable: How many mails could not be read.
    """

    hits: dict[str, dict[str, Any]] = field(default_factory=dict)
    mails: dict[str, dict[str, Any]] = field(default_factory=dict)
    searches: int = 0
    unreadable: int = 0

    @property
    def shown(self) -> list[dict[str, Any]]:
        """Every mail once: as it was read, or else as a hit."""
        return [self.mails.get(message_id, hit) for message_id, hit in self.hits.items()]


class Reader:
    """Searches, follows the thread, reads what looks like the answer, answers; it keeps nothing between turns."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "bm25"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide one action a turn."""
        return [self._decide(turn) for turn in turns]

    def _decide(self, turn: Turn) -> Decision:
        question = opening_of(turn)
        asked = read_question(question["question"])
        seen = what_was_seen(turn)
        matter = Matter(asked, seen.shown)
        best, reply = believed(matter, seen, question)
        if question["turns_left"] - len(turn.steps) > 1:
            next_call = _look_further(matter, question, seen, best, reply)
            if next_call is not None:
                return next_call
        if reply is None or not set(reply.message_ids) & seen.mails.keys():
            return answer(DONT_KNOW, [])
        return answer(reply.text, reply.message_ids)


def _look_further(
    matter: Matter, question: dict[str, Any], seen: Seen, best: Candidate | None, reply: Composed | None
) -> Decision | None:
    """Return the next search or the next mail to read, None when enough was seen."""
    if not seen.hits:
        words = narrower_words(matter.asked, seen.searches)
        return call("search_emails", {"keywords": words}) if words else None
    likeliest = sorted(seen.hits.values(), key=lambda hit: -_promise(matter, hit))
    leading = best.sentence.mail if best is not None else likeliest[0]
    if seen.searches == 1 and plain_subject(leading["subject"]):
        return call("search_emails", thread_search(leading, question))
    if len(seen.mails) + seen.unreadable >= MOST_READS:
        return None
    if reply is not None:
        unread = [message_id for message_id in reply.message_ids if message_id not in seen.mails]
        return _read(unread[0]) if unread else None
    thread = matter.thread(leading)
    for hit in sorted(likeliest, key=lambda hit: matter.thread(hit) != thread)[:MOST_READS]:
        if hit["message_id"] not in seen.mails and matter.thread_share(hit) >= LEAST_MATTER:
            return _read(hit["message_id"])
    return None


def _promise(matter: Matter, hit: dict[str, Any]) -> float:
    return matter.share(mail_stems(hit)) + 0.5 * matter.thread_share(hit)


def _read(message_id: str) -> Decision:
    return call("read_email", {"message_id": message_id})


def what_was_seen(turn: Turn) -> Seen:
    """Return what the episode has shown."""
    seen = Seen()
    for observation in [*(step.observation for step in turn.steps[1:]), *([turn.observation] if turn.steps else [])]:
        if observation["kind"] == "results":
            seen.searches += 1
            for hit in hits_of(observation):
                seen.hits.setdefault(hit["message_id"], hit)
        elif observation["kind"] == "mail":
            seen.mails[observation["message_id"]] = observation
        elif seen.hits:
            seen.unreadable += 1
        else:
            seen.searches += 1
    return seen


def narrower_words(asked: Asked, searches: int) -> list[str]:
    """Return the keywords of the next search after some that found nothing: fewer each time, none after three."""
    words = content_words_of(asked.text)
    named = [word for word in words if word[0].isupper()]
    longest = sorted(words, key=len, reverse=True)
    return [words, named or longest[:2], longest[:1], []][min(searches, 3)]


def thread_search(mail: dict[str, Any], question: dict[str, Any]) -> dict[str, Any]:
    """Return the search for other mails of a mail's thread, later ones above all."""
    search: dict[str, Any] = {"keywords": content_words_of(plain_subject(mail["subject"]))}
    tomorrow = date.fromisoformat(question["today"]) + timedelta(days=1)
    if mail["date"]:
        search |= {"sent_after": str(mail["date"])[:10], "sent_before": tomorrow.isoformat()}
    return search


def believed(matter: Matter, seen: Seen, question: dict[str, Any]) -> tuple[Candidate | None, Composed | None]:
    """Return the best value that was seen, and the answer that follows; None where there is none to believe.

    Only a thread that speaks of enough of the question's matter counts, and no other may be nearly as good. In it the
    latest mail decides that says something nearly as fitting as the best; what a sentence calls new goes before what it
    merely states. Where the question asks for what has to be worked out, nothing else is an answer.
    """
    fitting = [mail for mail in seen.shown if matter.thread_share(mail) >= LEAST_MATTER]
    if not fitting:
        return None, None
    most_named = max(map(matter.name_share, fitting))
    fitting = [mail for mail in fitting if matter.name_share(mail) >= most_named / 2]
    found = candidates(matter, fitting, question["owner_name"])
    leading = found[0].sentence.mail if found else max(fitting, key=matter.thread_share)
    thread = matter.thread(leading)
    rivals = [candidate for candidate in found if matter.thread(candidate.sentence.mail) != thread]
    if rivals and rivals[0].score > RIVAL * found[0].score:
        return None, None
    near = [
        candidate
        for candidate in found
        if candidate.score >= NEAR_BEST * found[0].score and matter.thread(candidate.sentence.mail) == thread
    ]
    best = max(near, key=_how_late, default=None)
    composed = compose(matter, [mail for mail in fitting if matter.thread(mail) == thread], best)
    if composed is not None or best is None or must_compose(matter.asked):
        return best, composed
    return best, Composed(best.text, (str(best.sentence.mail["message_id"]),))


def _how_late(candidate: Candidate) -> tuple[str, bool, float, int]:
    sentence = candidate.sentence
    return str(sentence.mail["date"])[:10], candidate.standing == "new", candidate.score, -sentence.place
