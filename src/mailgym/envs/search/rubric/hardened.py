"""The reward of `search` that the red team could not farm."""

from dataclasses import dataclass, field

from mailgym.core.score import Part
from mailgym.envs.search.rubric.answer import Answer, AnswerRubric, metrics
from mailgym.envs.search.rubric.facts import SearchFacts
from mailgym.envs.search.tasks import SearchKey
from mailgym.rubrics.price import Prices

RIGHT, SOURCES, WRONG, KNEW_NOT, UNSURE = 0.7, 0.3, -1.0, 0.5, -0.1
PRICES = Prices(bad_call=0.05, extra_turn=0.01, repeated_call=0.02)


@dataclass(frozen=True, slots=True)
class HardenedRubric(AnswerRubric):
    """What an answer is worth to the one who asked, less what it took.

    A right answer is worth 0.7, and 0.3 times the F1 of its citations. A wrong one costs 1: more than a guess between
    two can earn. "I don't know" is worth 0.5 where the mailbox does not hold the answer, provided that a search was
    made; everywhere else it is worth 0, as is no answer. An answer that the matcher cannot tell costs 0.1 until a judge
    has looked at it. Bad calls, turns after the first and repeated calls have their price.

    Source: ART·E (document 000) in what it wants: right answers, few turns, no hallucinations. Where it differs from
    :class:`~mailgym.envs.search.rubric.classic.BandedRubric`, and why:

    - *Citations are counted.* ART·E asks whether a right mail is among the sources, so that citing every mail seen was
      all but free. The F1 of the citations counts what is missing and what is too much. It counts only beside a right
      answer.
    - *Some questions have no answer* in the mailbox; there "I don't know" is right and any answer is a hallucination.
      ART·E's questions were all answerable, and an agent that never says that it does not know was never found out.
    - *Nothing is paid for not having tried.* ART·E gives 0.1 for reading no unknown id to whom reads nothing, and up to
      0.4 to whom finds the mail and does not answer. Milestones are metrics here. "I don't know" without a search is
      worth 0 for every question; after one it is worth half of an answer, so that saying it always does not pay.
    - *Bad calls come back* to the model, and cost 0.05 each, instead of ending the episode in a band of their own: a
      model that mends its call has learned something.
    - *A call that was made before costs 0.02*: the loop that ART·E's policy fell into when turns were rewarded.
    - *An answer that cannot be checked* is neither right nor wrong without a judge, where ART·E asks one about every
      answer. The 0.1 keeps a policy from hiding in long answers that hold every value there is.
    - *A turn after the first costs 0.01*, right answer or not, where ART·E gives a bonus to fast right answers.

    Attributes:
        prices: What bad calls, turns after the first and repeated calls cost.
    """

    prices: Prices = field(default=PRICES)

    def parts(self, facts: SearchFacts, key: SearchKey, answer: Answer) -> tuple[Part, ...]:
        """Return the worth, the prices, and the metrics."""
        knew_not = answer.said == "dont_know" and not answer.answerable and bool(facts.searches())
        is_right = answer.said == "right"
        weights = {"hallucinated": WRONG, "citation_f1": SOURCES if is_right else 0.0, "answer_unsure": UNSURE}
        return (
            Part("answered_right", float(is_right), RIGHT, answer.note),
            Part("knew_not_to_know", float(knew_not), KNEW_NOT, answer.note if knew_not else ""),
            *self.prices.parts(facts.bad_calls, facts.turns, facts.repeats),
            *metrics(facts, key, answer, weights),
        )
