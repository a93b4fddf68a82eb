"""How fast the simulated company is written, whether that grows linearly, and how hard questions of ``search`` are.

- Speed, on one core: a mailbox of some days, then of twice and of four times as many, so that only the mail grows.
  Timed are the company (what happens, and every mail as bytes), the mailbox file (parsed, indexed, written), and the
  questions of ``search`` (asked, and each searched for). Seconds are those of computing: others on the machine count
  little.
- Hardness, on one mailbox of each split, no question left out yet: how often plain BM25 over the question's words
  has a right mail first, and how often somebody who knows the public facts finds all mails within ten searches.

    python benchmarks/simulate.py [--days 150] [--people 40] [--questions 300] [--seed 0] [--quick]
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

from contestants.mails import verdict, where_it_ran

from mailgym.corpora.question import Question
from mailgym.corpora.simulate.company import Company, simulate_company
from mailgym.corpora.simulate.difficulty import SEARCHES
from mailgym.corpora.simulate.find_out import KINDS
from mailgym.corpora.simulate.knowing import MOST_SEARCHES, search_rank, searches_needed
from mailgym.corpora.simulate.raw import write_mail
from mailgym.corpora.simulate.store import SPLITS, write_inbox
from mailgym.mail.mailbox import Mailbox

GROWTH = (1, 2, 4)
MAILS_PER_DAY = 18
FIND_SHARE = 0.26
LEAST_MAILS_PER_S = 20_000 / 60
MOST_GROWTH = 1.3
FIRST_BY_BM25 = (0.25, 0.60)
LEAST_KNOWING = 0.95


@dataclass(frozen=True, slots=True)
class Pace:
    """What one mailbox cost.

    Attributes:
        company_s: Seconds of computing until every mail is bytes. file_s: to write the mailbox.
        questions_s: to ask, and to search for what was asked.
    """

    mails: int
    questions: int
    company_s: float
    file_s: float
    questions_s: float

    @property
    def ms_per_mail(self) -> float:
        """Milliseconds of computing for a mail, the questions about it included."""
        return 1_000 * (self.company_s + self.file_s + self.questions_s) / self.mails


@dataclass(frozen=True, slots=True)
class Hardness:
    """How hard one split's questions are.

    Attributes:
        first: Share with a right mail first, by simple search.
        first_by_kind: The same for all words of the question, by kind.
        knowing: Share of which somebody who knows the facts finds all mails.
        needed: How many searches that takes, on average.
    """

    questions: int
    first: dict[str, float]
    first_by_kind: dict[str, float]
    knowing: float
    needed: float


def company_of(split: str, seed: int, people: int, days: int) -> Company:
    """Simulate one mailbox with a fixed number of mails a day."""
    mails = days * MAILS_PER_DAY
    find = round(mails * FIND_SHARE)
    return simulate_company(seed, split, people, 1, days, find, mails - find)


def measure_pace(folder: Path, seed: int, people: int, days: int, questions: int) -> Pace:
    """Simulate and write one mailbox of the test company, and ask about it."""
    marks = [time.process_time()]
    company = company_of("test", seed, people, days)
    (inbox,) = company.inboxes
    for mail in inbox.mails:
        write_mail(mail)
    marks.append(time.process_time())
    path = write_inbox(folder, inbox)
    marks.append(time.process_time())
    asked = list(islice(company.searches(inbox), questions))
    with Mailbox.open(path) as mailbox:
        for question in asked:
            if question.message_ids:
                searches_needed(mailbox.at(question.asked_on), question)
    marks.append(time.process_time())
    company_s, file_s, questions_s = (after - before for before, after in pairwise(marks))
    return Pace(len(inbox.mails), len(asked), company_s, file_s, questions_s)


def measure_hardness(mailbox: Mailbox, questions: Sequence[Question]) -> Hardness:
    """Search for every question's mails, in each simple way and as somebody who knows the facts."""
    names = ("all words", "content words")
    ranks: dict[str, list[float]] = {name: [] for name in names}
    needed = []
    for question in questions:
        seen = mailbox.at(question.asked_on)
        for name in names:
            ranks[name].append(search_rank(seen, question, SEARCHES[name](question)))
        needed.append(searches_needed(seen, question))
    by_kind = {kind: [r for r, q in zip(ranks[names[0]], questions, strict=True) if q.kind == kind] for kind in KINDS}
    found = [count for count in needed if count <= MOST_SEARCHES]
    return Hardness(
        questions=len(questions),
        first={name: _share_first(ranks[name]) for name in names},
        first_by_kind={kind: _share_first(of_kind) for kind, of_kind in by_kind.items() if of_kind},
        knowing=len(found) / len(questions),
        needed=sum(found) / max(1, len(found)),
    )


def _share_first(ranks: Sequence[float]) -> float:
    return sum(rank == 1 for rank in ranks) / len(ranks)


def pace_lines(paces: Sequence[Pace]) -> list[str]:
    """Return what was measured of speed and growth, the verdict last."""
    lines = []
    for pace in paces:
        made, written = pace.mails / pace.company_s, pace.mails / (pace.company_s + pace.file_s)
        lines.append(
            f"{pace.mails:,} mails: {made:,.0f} mails/s made, {written:,.0f} made and written, "
            f"{pace.questions} questions in {pace.questions_s:.1f} s, {pace.ms_per_mail:.2f} ms a mail in all"
        )
    last, growth = paces[-1], paces[-1].ms_per_mail / paces[0].ms_per_mail
    written = last.mails / (last.company_s + last.file_s)
    is_fast = verdict(written >= LEAST_MAILS_PER_S)
    lines.append(
        f"{written:,.0f} mails/s made and written (goal {LEAST_MAILS_PER_S:.0f}: {is_fast}); "
        f"a mail costs {growth:.2f} x as much where there are {last.mails / paces[0].mails:.1f} x as many "
        f"(goal {MOST_GROWTH}: {verdict(growth <= MOST_GROWTH)})"
    )
    return lines


def hardness_line(split: str, hardness: Hardness) -> str:
    """Return what was measured of one split's questions, with verdicts."""
    least, most = FIRST_BY_BM25
    first = hardness.first["all words"]
    kinds = ", ".join(f"{kind} {share:.2f}" for kind, share in hardness.first_by_kind.items())
    return (
        f"{split}, {hardness.questions} questions: BM25 first {first:.2f} "
        f"(goal {least} to {most}: {verdict(least <= first <= most)}), by content words "
        f"{hardness.first['content words']:.2f}; {kinds}; knowing the facts {hardness.knowing:.3f} within "
        f"{MOST_SEARCHES} searches, {hardness.needed:.2f} on average "
        f"(goal {LEAST_KNOWING}: {verdict(hardness.knowing >= LEAST_KNOWING)})"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--days", type=int, default=150, help="of the smallest mailbox")
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--questions", type=int, default=300, help="of each split, for hardness")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="a small one, to see that it works")
    arguments = parser.parse_args()
    print(where_it_ran())
    days, questions = (90, 60) if arguments.quick else (arguments.days, arguments.questions)
    with tempfile.TemporaryDirectory(prefix="simulate-") as folder:
        paces = []
        for number, times in enumerate(GROWTH[:2] if arguments.quick else GROWTH):
            place = Path(folder) / str(number)
            paces.append(measure_pace(place, arguments.seed, arguments.people, days * times, 20 * times))
        print("\n".join(pace_lines(paces)))
        for split in SPLITS:
            company = company_of(split, arguments.seed, arguments.people, 2 * days)
            (inbox,) = company.inboxes
            answerable = (question for question in company.searches(inbox) if question.message_ids)
            with Mailbox.open(write_inbox(Path(folder) / split, inbox)) as mailbox:
                print(hardness_line(split, measure_hardness(mailbox, list(islice(answerable, questions)))))


if __name__ == "__main__":
    main()
