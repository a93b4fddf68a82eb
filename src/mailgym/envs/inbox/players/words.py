"""A bag of words: it learned from the training mails which words go with which label, and looks up every id it sees.

It is as good as counting words gets without understanding: the words of the test mails are others than those it learned
from, and what a record means depends on what the mail asks.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mailgym.core.episode import Decision, Turn
from mailgym.envs.inbox.office import address_of, look_up
from mailgym.envs.inbox.schema import FIELDS_OF_LEVEL
from mailgym.envs.inbox.tasks import Mail, Pair
from mailgym.envs.playing import call

WORD = re.compile(r"[a-z]+")
ID_OF_TOOL = {
    "check_payment": re.compile(r"\bac-\d{4}\b"),
    "lookup_order": re.compile(r"\b(?:SO-\d{5}|PO-\d{4})\b"),
    "get_user_history": re.compile(r"\b[a-z]{3,}\d{2}\b"),
}
NOTHING_FOUND = "nothing_found"
SMOOTHING = 0.5


class WordCounts:
    """Naive Bayes over words, one classifier a field."""

    def __init__(self, examples: Iterable[tuple[set[str], Mapping[str, str]]]) -> None:
        """Learn from sets of words and their labels."""
        self._labels: dict[str, Counter[str]] = defaultdict(Counter)
        self._words: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._known: set[str] = set()
        for words, labels in examples:
            self._known |= words
            for name, label in labels.items():
                self._labels[name][label] += 1
                self._words[name, label].update(words)

    def best(self, name: str, words: set[str]) -> str:
        """Return the likeliest label of a field."""
        counts = self._labels[name]
        return max(counts, key=lambda label: self._log_odds(name, label, words & self._known))

    def _log_odds(self, name: str, label: str, words: set[str]) -> float:
        seen, of_label = self._words[name, label], self._labels[name][label]
        return math.log(of_label) + sum(
            math.log((seen[word] + SMOOTHING) / (of_label + 2 * SMOOTHING)) for word in sorted(words)
        )


def first_look_up(mail: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the look-up of the first id that a mail names; None where it names none."""
    text = f"{mail['subject']}\n{mail['email_text']}"
    found = [(match.start(), tool, match[0]) for tool, pattern in ID_OF_TOOL.items() if (match := pattern.search(text))]
    if not found:
        return None
    _, tool, named = min(found)
    return {"tool": tool, "tool_input": {"id": named}}


def words_of_mail(mail: Mapping[str, str], inbox: str) -> set[str]:
    """Return a mail's words, and whether a colleague sent it."""
    words = set(WORD.findall(f"{mail['subject']} {mail['email_text']}".lower()))
    own = inbox[inbox.index("@") :]
    return {*words, "sent_by_a_colleague"} if address_of(mail["sender"]).endswith(own) else words


def words_of_result(result: Mapping[str, Any] | None) -> set[str]:
    """Return a look-up's words, marked as such; none for no look-up."""
    if result is None:
        return set()
    if not result["found"]:
        return {NOTHING_FOUND}
    return {f"record:{word}" for lines in result["records"] for line in lines for word in WORD.findall(line.lower())}


def learn(pairs: Iterable[Pair], *, reads_mail: bool = True) -> WordCounts:
    """Learn from tasks and their keys; without ``reads_mail``, from what look-ups say alone."""

    def examples() -> Iterable[tuple[set[str], Mapping[str, str]]]:
        for task, key in pairs:
            for mail, right in zip(task.mails, key.right, strict=True):
                shown = _shown(mail)
                asked = first_look_up(shown)
                result = look_up(task.records, asked["tool"], asked["tool_input"], mail.sender) if asked else None
                words = words_of_mail(shown, task.inbox) if reads_mail else set()
                yield words | words_of_result(result), {name: getattr(right, name) for name in FIELDS_OF_LEVEL[3]}

    return WordCounts(examples())


@lru_cache(maxsize=1)
def learned() -> WordCounts:
    """Return what there is to learn from the split ``train``."""
    from mailgym.envs.inbox.generate import generate

    return learn(generate("train"))


class BagOfWords:
    """Looks up the first id that a mail names, where it may, and decides each field by the words it has seen."""

    name = "bag_of_words"

    def __init__(self, counts: WordCounts | None = None, *, reads_mail: bool = True) -> None:
        """Decide by ``counts``, or by what the training mails taught; from look-ups alone without ``reads_mail``."""
        self._counts = counts or learned()
        self._reads_mail = reads_mail

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Look up or decide each turn's mail."""
        return [self._play(turn.observation) for turn in turns]

    def _play(self, observation: Mapping[str, Any]) -> Decision:
        mail, wanted, result = observation["current_email"], observation["wanted"], observation["tool_result"]
        asked = first_look_up(mail)
        has_time = observation["turns_left"] > observation["remaining_emails"]
        if "look_up" in observation["tools"] and asked and result is None and has_time and len(wanted) > 1:
            return call("look_up", asked)
        words = words_of_mail(mail, observation["inbox"]) if self._reads_mail else set()
        if "look_up" in observation["tools"]:
            words |= words_of_result(result)
        return call("decide", {name: self._counts.best(name, words) for name in wanted})


def _shown(mail: Mail) -> dict[str, str]:
    return {"sender": mail.sender, "subject": mail.subject, "email_text": mail.email_text}
