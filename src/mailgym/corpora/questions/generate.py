"""Makes questions from a store's mail by a language model, from the survey to ``questions.jsonl``.

Source: ART·E's synthetic questions (batches of 20 mails, questions with answers, message ids and how_realistic). Other
than there: mails of the whole time and any length instead of the oldest; retries that say what was wrong; every
question answered a second time from its mails alone; repeats and copied sentences dropped; and a kill loses nothing.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from mailgym.core.clock import Clock, SystemClock
from mailgym.core.errors import EndpointError
from mailgym.corpora.question import Question, write_questions
from mailgym.corpora.questions.gather import Placed, drop_repeats, question_id, to_question, with_new
from mailgym.corpora.questions.item import FATES, KEPT, MALFORMED
from mailgym.corpora.questions.journal import Journal, writing_questions
from mailgym.corpora.questions.meter import Metered, Usage
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.sample import Batch
from mailgym.corpora.questions.survey import Survey, existing_questions
from mailgym.corpora.questions.write import make_questions

ROUND_BATCHES = 8


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it has come.

    Attributes:
        batches_done: Batches made, those of earlier runs included. batches: all of them.
        kept: Questions kept so far.
        usage: What all calls used, earlier runs' included.
        seconds_left: At the pace of this run; None before its first round has ended.
    """

    batches_done: int
    batches: int
    kept: int
    usage: Usage
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it.

    Attributes:
        questions: The questions kept, which the store has now.
        fates: What became of every question that the model wrote, by fate, in the order of ``FATES``.
        batches_done: Batches made. batches_failed: batches with a call that failed; a resumed run makes them.
        batches_left: Batches that were not needed, since there were enough questions.
        failure: Why a call failed last, empty where none did.
        usage: What all calls used, earlier runs' included.
        journal: Where the fate of each question stands.
    """

    questions: list[Question]
    fates: dict[str, int]
    batches_done: int
    batches_failed: int
    batches_left: int
    failure: str
    usage: Usage
    journal: Path


@dataclass(slots=True)
class _Work:
    """The batches of one run, and how they go."""

    surveyed: Survey
    journal: Journal
    model: Metered
    options: Options
    existing: list[Question]
    limit: int | None
    failed: set[str] = field(default_factory=set)

    def pending(self) -> list[Batch]:
        """Return the batches that are neither made nor failed in this run."""
        return [one for one in self.surveyed.batches if one.key not in self.journal.made and one.key not in self.failed]

    def placed(self) -> list[Placed]:
        """Return all items made so far, in the order of their batches, repeats dropped."""
        made = [
            Placed(item, batch.mailbox)
            for batch in self.surveyed.batches
            if batch.key in self.journal.made
            for item in self.journal.made[batch.key].items
        ]
        return drop_repeats(made, self._others(made), self.limit)

    def _others(self, made: list[Placed]) -> list[Question]:
        own = {
            question_id(self.journal.path.stem, one.mailbox, self.surveyed.splits[one.mailbox], one.item)
            for one in made
        }
        return [question for question in self.existing if question.id not in own]

    def round(self) -> None:
        """Make the next batches, and keep what came of them.

        Raises:
            EndpointError: Not one of them could be made.
        """
        batches = self.pending()[:ROUND_BATCHES]
        made = make_questions(batches, self.surveyed.mailboxes, self.model, self.options)
        self.journal.keep_usage(self.model.take())
        for batch, one in zip(batches, made, strict=True):
            if one is None:
                self.failed.add(batch.key)
            else:
                self.journal.keep(batch.key, batch.mailbox, one)
        if all(one is None for one in made):
            done = f"{len(self.journal.made)} of {len(self.surveyed.batches)} batches are made and kept"
            raise EndpointError(
                f"{self.model.last_failure}; {done}: mend that and go on with --resume (a prompt that is too long "
                "gets shorter with --batch and --max-chars)"
            )


def generate_questions(
    store: Path,
    surveyed: Survey,
    model: Metered,
    options: Options,
    *,
    name: str,
    limit: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    clock: Clock | None = None,
) -> Outcome:
    """Make questions, and add them to the store's; known-item questions and others there stay.

    Args:
        store: The folder of mailboxes.
        surveyed: The store, looked over with the same options.
        model: The model that writes and checks.
        options: How questions are made.
        name: What the model was opened by; work of another name is another work.
        limit: Stop once so many are kept; None makes all batches.
        resume: Go on with what was broken off, or with a higher limit.
        progress: Called before the first round and after each.
        clock: For the time left.

    Raises:
        EndpointError: The model does not answer.
        RunError: Work lies there already, or another process is at it.
    """
    clock = clock or SystemClock()
    with writing_questions(store):
        journal = Journal(store, name, options)
        journal.check(resume)
        journal.begin()
        work = _Work(surveyed, journal, model, options, existing_questions(store), limit)
        placed = _make_all(work, progress, clock)
        questions = [
            to_question(journal.path.stem, one, surveyed.mailboxes[one.mailbox], surveyed.splits[one.mailbox])
            for one in placed
            if one.item.fate == KEPT
        ]
        if questions:
            write_questions(store, with_new(work.existing, questions))
    found = Counter(one.item.fate for one in placed)
    found[MALFORMED] = sum(one.malformed for key, one in journal.made.items() if key in _keys(surveyed))
    return Outcome(
        questions=questions,
        fates={fate: found[fate] for fate in FATES if found[fate] or fate == KEPT},
        batches_done=len(_keys(surveyed) & journal.made.keys()),
        batches_failed=len(work.failed),
        batches_left=len(work.pending()),
        failure=model.last_failure,
        usage=journal.usage,
        journal=journal.path,
    )


def _make_all(work: _Work, progress: Callable[[Progress], None] | None, clock: Clock) -> list[Placed]:
    started_s, rounds_batches = clock.now_s(), 0
    while True:
        placed = work.placed()
        kept = sum(one.item.fate == KEPT for one in placed)
        pending = len(work.pending())
        if progress is not None:
            left_s = (clock.now_s() - started_s) / rounds_batches * pending if rounds_batches else None
            done = len(work.surveyed.batches) - pending - len(work.failed)
            progress(Progress(done, len(work.surveyed.batches), kept, work.journal.usage, left_s))
        if not pending or (work.limit is not None and kept >= work.limit):
            return placed
        work.round()
        rounds_batches += min(pending, ROUND_BATCHES)


def _keys(surveyed: Survey) -> set[str]:
    return {batch.key for batch in surveyed.batches}
