"""What was said in an episode of `search`, held against the right answer; and what is measured of every episode.

The deterministic matcher looks first. Where it cannot tell, the score carries a
:class:`~mailgym.core.score.Judgement`, with the score that either verdict of a judge would make of it.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

from mailgym.core.score import Judgement, Part, Score
from mailgym.envs.search.rubric.facts import SearchFacts
from mailgym.envs.search.rubric.find import call_counts, search_habits
from mailgym.envs.search.tasks import SearchKey
from mailgym.rubrics.answers import is_dont_know, match_answer
from mailgym.rubrics.ranking import citation_f1

Said = Literal["nothing", "dont_know", "right", "wrong", "unsure"]
UNANSWERABLE = "unknown"


@dataclass(frozen=True, slots=True)
class Answer:
    """The final answer of an episode.

    Attributes:
        said: ``nothing`` (no answer yet, or an empty one), ``dont_know``, or what the matcher made of the answer.
        answerable: Whether the mailbox holds an answer to the question.
        note: Why.
    """

    said: Said
    answerable: bool
    note: str = ""

    @property
    def attempted(self) -> bool:
        """Whether an answer was given that claims to know."""
        return self.said in ("right", "wrong", "unsure")

    @property
    def correct(self) -> bool:
        """Whether it is right: the right answer, or "I don't know" where nobody could know."""
        return self.said == "right" or (self.said == "dont_know" and not self.answerable)


def read_answer(facts: SearchFacts, key: SearchKey) -> Answer:
    """Return what was said, and whether it is right."""
    right = key.answer or ""
    answerable = key.answer_type != UNANSWERABLE and not is_dont_know(right)
    given = facts.answer.strip()
    if not facts.answered or not given:
        return Answer("nothing", answerable, "no answer was given")
    if is_dont_know(given):
        return Answer("dont_know", answerable, f"said {given!r:.80}; right: {right!r:.80}")
    if not answerable:
        return Answer("wrong", answerable, f"said {given!r:.80}, and no mail says so")
    match = match_answer(given, right, key.answer_type, key.question, key.asked_on)
    return Answer(match.verdict, answerable, f"said {given!r:.80}; right: {right!r:.80}; {match.note}")


def cites_right_mail(facts: SearchFacts, key: SearchKey, answer: Answer) -> bool:
    """Return whether an answer was given that cites a right mail (ART·E looks at no sources of "I don't know")."""
    return answer.attempted and bool(set(facts.sources) & set(key.message_ids))


class AnswerRubric(ABC):
    """Scores the answer: subclasses say which parts, for each thing that can have been said."""

    def score(self, facts: SearchFacts, key: SearchKey) -> Score:
        """Return the score so far; with a judgement as soon as there is an answer that a judge could look at."""
        answer = read_answer(facts, key)
        parts = self.parts(facts, key, answer)
        if not (answer.attempted and answer.answerable):
            return Score(parts)
        verdicts = {}
        if answer.said == "unsure":
            told: tuple[Said, Said] = ("right", "wrong")
            verdicts = {
                f"if_{said}": Score(self.parts(facts, key, Answer(said, True, f"a judge says {said}; {answer.note}")))
                for said in told
            }
        matched: Literal["right", "wrong", "unsure"] = answer.said  # type: ignore[assignment]  # it was attempted
        question = f"{key.question} (asked on {key.asked_on.isoformat()})" if key.asked_on else key.question
        judgement = Judgement(question, key.answer or "", facts.answer, key.answer_type, matched, **verdicts)
        return Score(parts, judgement)

    @abstractmethod
    def parts(self, facts: SearchFacts, key: SearchKey, answer: Answer) -> tuple[Part, ...]:
        """Return the parts of the score, for an answer that was looked at."""


def metrics(facts: SearchFacts, key: SearchKey, answer: Answer, weights: dict[str, float]) -> tuple[Part, ...]:
    """Return everything that is measured of an episode of ``search``, ART·E's metrics under its names among them.

    ``prompt_tokens`` and ``completion_tokens``, latency and cost are measured by the rollout.

    Args:
        facts: What happened.
        key: What is right.
        answer: What was said.
        weights: What a unit of a measurement adds to the reward, by its name; 0 for those that are not here.
    """
    values: dict[str, float] = {
        "answer_correct": answer.correct,
        "sources_correct": cites_right_mail(facts, key, answer),
        "num_turns": facts.turns,
        "attempted_answer": answer.attempted,
        "ever_found_right_email": facts.found(key.message_ids),
        "ever_read_right_email": facts.read(key.message_ids),
        **call_counts(facts),
        "returned_i_dont_know": answer.said == "dont_know",
        "hallucinated": answer.said == "wrong",
        "answer_unsure": answer.said == "unsure",
        "citation_f1": citation_f1(facts.sources, key.message_ids),
        **search_habits(facts),
    }
    notes = {
        "answer_correct": answer.note,
        "citation_f1": f"cited {list(facts.sources)}, right: {list(key.message_ids)}",
    }
    return tuple(
        Part(name, float(value), weights.get(name, 0.0), notes.get(name, "")) for name, value in values.items()
    )
