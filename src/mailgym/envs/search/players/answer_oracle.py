"""The upper bound of `search`: a player that the owner's side hands the answer keys."""

from collections.abc import Iterator, Sequence
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.playing import KeyedPlayer, call, opening_of
from mailgym.envs.search.players.heuristics import search_content_words
from mailgym.envs.search.players.play import DONT_KNOW, answer, hits_of
from mailgym.envs.search.schema import SearchEmails
from mailgym.envs.search.tasks import SearchKey
from mailgym.rubrics.answers import match_answer

FEW_RESULTS = 2
"""What it asks for where it cannot read: more would be read by whom imitates it, word for word."""
MOST_WORDS = 6
"""Of a value that a snippet says."""
WORKED_OUT = ("aggregate",)
"""Kinds of question whose answer no mail says: a number of the same size in a snippet is chance."""


class AnswerOracle(KeyedPlayer[SearchKey]):
    """Makes the ideal search, reads a right mail, answers, and cites all right mails.

    It shows what the reward is worth to whom knows the answer: it searches and reads once each, since an answer out of
    nothing would show no one how to find it. Where the mailbox does not hold the answer it searches and says so.

    With two turns there is none left to read in. It then asks for few results and answers what their snippets say, in
    their words, citing the right mails among them; where they do not say it, it does not know. What it does there can
    be learned from what it sees (``mailgym train search --turns 2 --warm-start oracle:N``), and is worth less.
    """

    def decide(self, turn: Turn) -> Decision:
        """Search first, read second, answer last; with two turns search and answer, with one answer alone."""
        question = opening_of(turn)
        key = self.key_of(turn)
        cannot_read = question["turns_left"] == 2
        if not turn.steps and question["turns_left"] > 1:
            known = {name: value for name, value in key.facts.items() if name in SearchEmails.model_fields}
            search = {"keywords": [], **known} if known else search_content_words(question)
            return call("search_emails", {**search, "max_results": FEW_RESULTS} if cannot_read else search)
        if cannot_read:
            return _as_shown(key, hits_of(turn.observation))
        if len(turn.steps) == 1 and turn.observation["turns_left"] > 1 and key.message_ids:
            return call("read_email", {"message_id": key.message_ids[0]})
        return answer(key.answer or DONT_KNOW, key.message_ids)


def _as_shown(key: SearchKey, hits: Sequence[dict[str, Any]]) -> Decision:
    """Answer what the snippets of the right mails say."""
    right = [hit for hit in hits if hit["message_id"] in key.message_ids]
    said = next((found for hit in right if (found := said_in(hit["snippet"], key))), None)
    if said is None:
        return answer(DONT_KNOW, [])
    return answer(said, [hit["message_id"] for hit in right])


def said_in(snippet: str, key: SearchKey) -> str | None:
    """Return the words of a snippet that are the answer, None where it does not say it.

    Yes and no stand in no mail as such: a right mail that is shown is taken to say it.
    """
    if key.answer is None or key.kind in WORKED_OUT:
        return None
    if key.answer_type == "yes_no":
        return key.answer
    for span in _spans(snippet, _lengths(key)):
        if key.answer_type == "date" and not any(letter.isdigit() for letter in span):
            continue  # a weekday alone may be right, and says too little
        if match_answer(span, key.answer, key.answer_type, key.question, key.asked_on).verdict == "right":
            return span
    return None


def _lengths(key: SearchKey) -> list[int]:
    """Return how many words to try, the likeliest first: a name or a place whole, a value in as few as hold it."""
    lengths = list(range(1, MOST_WORDS + 1))
    if key.answer_type not in ("name", "place"):
        return lengths
    whole = len((key.answer or "").split())
    return sorted(lengths, key=lambda count: (count > whole, abs(count - whole)))


def _spans(text: str, lengths: Sequence[int]) -> Iterator[str]:
    """Yield the runs of words of a text, those of the first length first, without the marks around them."""
    words = text.split()
    for count in lengths:
        for start in range(len(words) - count + 1):
            span = " ".join(words[start : start + count]).strip(".,;:!?()[]\"'…")
            if span:
                yield span
