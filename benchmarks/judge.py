"""How the matcher of answers and a judge do on cases of your own, and how far they agree.

One case a line, a JSON object with ``question``, ``right`` and ``given``, and where known ``answer_type`` and ``label``
(``right`` or ``wrong``, what a person says). Without ``--model`` only the matcher is tried; with it the judge is asked
about every case.

    python benchmarks/judge.py CASES.jsonl [--model openai:NAME] [--cache FILE] [--show 10]
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mailgym.core.errors import SourceError
from mailgym.llm.names import open_model
from mailgym.rubrics.answers import Match, match_answer
from mailgym.rubrics.judge import Case, Judge, Verdict, agreement

FIELDS = ("question", "right", "given")
LABELS = ("right", "wrong")


@dataclass(frozen=True)
class LabelledCase:
    """One case, with what a person says of it; the label is empty where nobody has said."""

    case: Case
    label: str = ""


def read_cases(path: Path) -> list[LabelledCase]:
    """Read the cases of a file.

    Raises:
        SourceError: A line is no case.
    """
    cases = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            question, right, given = (data[field] for field in FIELDS)
            label = data.get("label", "")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(f"{path} line {number} is no case ({error}): it needs {', '.join(FIELDS)}") from error
        if not all(isinstance(text, str) for text in (question, right, given)) or label not in ("", *LABELS):
            raise SourceError(f"{path} line {number}: texts must be texts, and a label right or wrong")
        cases.append(LabelledCase(Case(question, right, given, str(data.get("answer_type", ""))), label))
    return cases


def report_labels(name: str, cases: Sequence[LabelledCase], verdicts: Sequence[str]) -> str:
    """Return one line: how often verdicts are those of the labels; ``unsure`` and ``failed`` are neither."""
    pairs = [(case.label, verdict) for case, verdict in zip(cases, verdicts, strict=True) if case.label]
    if not pairs:
        return f"{name}: no case has a label"
    decided = [(label, verdict) for label, verdict in pairs if verdict in LABELS]
    same = sum(label == verdict for label, verdict in decided)
    share = f"{same / len(decided):.1%} of {len(decided)} as labelled" if decided else "nothing decided"
    return f"{name}: {share}, {len(pairs) - len(decided)} of {len(pairs)} left open"


def report(cases: Sequence[LabelledCase], matches: Sequence[Match], verdicts: Sequence[Verdict] | None) -> list[str]:
    """Return the lines of the report."""
    counts = Counter[str](match.verdict for match in matches)
    lines = [f"{len(cases)} cases; matcher: " + ", ".join(f"{counts[name]} {name}" for name in (*LABELS, "unsure"))]
    lines.append(report_labels("matcher", cases, [match.verdict for match in matches]))
    if verdicts is not None:
        names = {True: "right", False: "wrong", None: "failed"}
        lines.append(report_labels("judge", cases, [names[verdict.is_right] for verdict in verdicts]))
        lines += agreement(list(zip(matches, verdicts, strict=True))).lines()
    return lines


def disagreements(
    cases: Sequence[LabelledCase], matches: Sequence[Match], verdicts: Sequence[Verdict] | None, most: int
) -> list[str]:
    """Return the first cases on which matcher, judge or label differ, one a line."""
    found = []
    for number, (case, match) in enumerate(zip(cases, matches, strict=True)):
        verdict = verdicts[number] if verdicts is not None else None
        said = {match.verdict, case.label} & set(LABELS)
        if verdict is not None and verdict.is_right is not None:
            said |= {"right" if verdict.is_right else "wrong"}
        if len(said) > 1:
            reason = f"; judge: {verdict.reason}" if verdict is not None and verdict.reason else ""
            found.append(f"{case.case.given!r} for {case.case.right!r} ({case.case.question}): {match.note}{reason}")
    return found[:most]


def main() -> None:
    """Read the cases, try the matcher, ask the judge, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--model", help="the judge, as everywhere: local, openai:NAME, run:NAME, a folder")
    parser.add_argument("--cache", type=Path, help="file in which its verdicts are kept")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N cases that are disputed")
    arguments = parser.parse_args()
    cases = read_cases(arguments.cases)
    texts = [item.case for item in cases]
    matches = [match_answer(case.given, case.right, case.answer_type, case.question) for case in texts]
    verdicts = None
    if arguments.model:
        judge = Judge(open_model(arguments.model), arguments.cache)
        verdicts = judge.grade(texts)
    print("\n".join(report(cases, matches, verdicts)))
    if arguments.model:
        tally = judge.tally
        print(
            f"{judge.name}: {tally.calls} calls ({tally.retries} again, {tally.kept} from disk), {tally.failed} failed,"
            f" {tally.prompt_tokens:.0f} + {tally.completion_tokens:.0f} tokens, ${tally.cost_usd:.4f}"
        )
    print("\n".join(disagreements(cases, matches, verdicts, arguments.show)))


if __name__ == "__main__":
    main()
