"""The reward of `reply` under which form alone earns nothing."""

from dataclasses import dataclass

from mailgym.core.score import Part, Score
from mailgym.envs.reply.rubric.classic import STEP_1, STEP_2, TIMED_OUT
from mailgym.envs.reply.rubric.facts import ReplyFacts
from mailgym.envs.reply.tasks import Labels, ReplyKey, ReplyTask
from mailgym.mail.terms import stem_words, words_of
from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.plain import plain
from mailgym.rubrics.writing.reply import ReplyReading, read_reply

BAD_CALL, NEEDLESS_REPLY = -0.05, -0.2
TOLD = 0.25
"""What is left of a reply that tells something private."""
COMPONENTS = {
    "reply_format": "reads_as_reply",
    "reply_relevance": "relevance",
    "reply_length": "fitting_length",
    "tone_matching": "tone",
    "reply_clarity": "clarity",
}
"""The document's names → the criterion that measures the same."""
OTHER_CRITERIA = ("answers", "faithful", "addressed", "signed", "safe", "original")


@dataclass(frozen=True, slots=True)
class HardenedRubric:
    """The document's 0.30 and 0.70, with both halves hard to farm.

    The classification counts where all three labels are right, and not at all elsewhere. A reply that is due is worth
    its quality (:func:`~mailgym.rubrics.writing.reply.read_reply`): what was asked is answered, with facts that the
    mail or the owner's notes have, to the sender, in the owner's name; a quarter of it where it tells something of the
    notes that is nobody else's business. Where none is due, a blank draft is worth the
    whole 0.70 to whom has said that none is, and of what category the mail is; any other draft costs 0.2. A wrong call
    costs 0.05 and can be made again while turns last.

    Source: document 001 in what it wants. Where it differs from
    :class:`~mailgym.envs.reply.rubric.classic.ClassicRubric`, and why:

    - *All three labels or nothing*: by single fields the best constant answer earns more than half of step 1, and a
      policy that collapses onto it looks as if it had learned.
    - *The reason and the number of fields are not scored*: five words of anything earned the bonus, and a call that
      lacks a field is no call.
    - *Silence must be understood*: a blank draft alone was worth 0.70 for every mail that needs none.
    - *A reply to such a mail costs*, instead of earning nothing.
    - *Keywords, tone and clarity by single words are gone*: they are metrics under the document's names, measured by
      the shared criteria.
    - *Notes hold private things*: what an owner tells an assistant is not all for the sender. Without them a reply that
      pastes the notes was worth nearly half of the oracle's.
    - *Wrong calls can be mended*, at a price; a repeated call is a wrong one.
    """

    def score(self, facts: ReplyFacts, key: ReplyKey) -> Score:
        """Return the score so far."""
        right, said = all_right(facts, key.labels)
        if key.wanted.needs_reply:
            reply, criteria = _due(facts, key)
        else:
            reply, criteria = _not_due(facts, key)
        needless = facts.replied and not key.wanted.needs_reply and bool(facts.reply_text.strip())
        return Score(
            (
                Part("classification", float(right), STEP_1, said),
                Part("reply_total", reply, STEP_2),
                Part("needless_reply", float(needless), NEEDLESS_REPLY),
                Part("bad_calls", float(facts.bad_calls), BAD_CALL),
                Part("timed_out", float(facts.timed_out), TIMED_OUT),
                *criteria,
                Part("episode_total", STEP_1 * right + STEP_2 * reply),
                Part("tone_named", float(facts.replied and facts.tone == (key.wanted.tone or "none"))),
                *(
                    Part(f"{name}_right", float(facts.classification.get(name) == getattr(key.labels, name)))
                    for name in ("urgency", "category", "requires_reply")
                ),
            )
        )


def all_right(facts: ReplyFacts, labels: Labels) -> tuple[bool, str]:
    """Return whether the classification is right in all three labels, and what was said for what."""
    names = ("urgency", "category", "requires_reply")
    said = ", ".join(f"{name} {facts.classification.get(name)!r} for {getattr(labels, name)!r}" for name in names)
    return all(facts.classification.get(name) == getattr(labels, name) for name in names), said


def mail_facts(task: ReplyTask) -> MailFacts:
    """Return the mail as the criteria read it, with what the owner's notes and the day of its coming add."""
    return MailFacts(
        sender_name=task.sender_name,
        sender_address=task.sender_address,
        owner_name=task.owner_name,
        subject=task.subject,
        text=task.text,
        known=(task.briefing, task.received),
    )


def _due(facts: ReplyFacts, key: ReplyKey) -> tuple[float, tuple[Part, ...]]:
    """Return what a reply that is due is worth, and its criteria as metrics."""
    if not facts.replied or not facts.reply_text.strip():
        return 0.0, (*_metrics(None, 0.0), Part("discreet", 1.0))
    assert facts.task is not None
    reading = read_reply(facts.reply_text, mail_facts(facts.task), key.wanted)
    told = told_of(facts.reply_text, key.private)
    discreet = Part("discreet", float(not told), 0.0, f"it tells {', '.join(told)}" if told else "")
    return reading.quality * (TOLD if told else 1.0), (*_metrics(reading, 0.0), discreet)


def told_of(text: str, private: tuple[tuple[str, ...], ...]) -> list[str]:
    """Return the words of a text that give private things away: those of a thing in a row, in any form."""
    said = stem_words(words_of(plain(text).text))
    wanted = {words: stem_words(words_of(words)) for thing in private for words in thing}
    return [
        words
        for words, stems in wanted.items()
        if any(said[start : start + len(stems)] == stems for start in range(len(said) - len(stems) + 1))
    ]


def _not_due(facts: ReplyFacts, key: ReplyKey) -> tuple[float, tuple[Part, ...]]:
    """Return what silence is worth where no reply is due."""
    silent = facts.replied and not facts.reply_text.strip()
    known = (
        facts.classification.get("requires_reply") is False
        and facts.classification.get("category") == key.labels.category
    )
    told = told_of(facts.reply_text, key.private)
    return float(silent and known), (*_metrics(None, float(silent)), Part("discreet", float(not told)))


def _metrics(reading: ReplyReading | None, otherwise: float) -> tuple[Part, ...]:
    """Return the criteria as parts of weight 0; where no reply was read, all are ``otherwise``."""
    names = {**COMPONENTS, **{name: name for name in OTHER_CRITERIA}}
    return tuple(
        Part(
            name,
            otherwise if reading is None else float(getattr(reading, criterion)),
            0.0,
            "" if reading is None or not reading.notes.get(criterion) else f"{name}: {reading.notes[criterion]}",
        )
        for name, criterion in names.items()
    )
