"""The reward of `search` as ART·E has it: bands, and the simple one."""

from dataclasses import dataclass

from mailgym.core.score import Part
from mailgym.envs.search.rubric.answer import Answer, AnswerRubric, metrics
from mailgym.envs.search.rubric.facts import SearchFacts
from mailgym.envs.search.tasks import SearchKey

PARTIAL = 0.1
"""Each of ART·E's partial credits. There are four, so that together they stay under 0.5, and bands apart."""
RIGHT_SOURCE, FEW_SOURCES, FEW_TURNS = 0.3, 0.1, 0.1
BANDS = {
    "cant_parse_tool_call": -2.0,
    "bad_tool_call_name": -1.9,
    "bad_tool_call_args": -1.8,
    "wrong": -1.0,
    "nothing": 0.0,
    "right": 1.0,
}
_FORMATTING = {
    "cant_parse_tool_call": "unparsable",
    "bad_tool_call_name": "unknown_tool",
    "bad_tool_call_args": "bad_arguments",
}


@dataclass(frozen=True, slots=True)
class BandedRubric(AnswerRubric):
    """ART·E's reward: a band by how the episode ended, and credits inside the band.

    ============================================  =====  =============================================
    end                                           band   and
    ============================================  =====  =============================================
    a call that could not be parsed               −2     partial credits
    a call of an unknown tool                     −1.9   partial credits
    a call with bad arguments                     −1.8   partial credits
    an answer that is wrong                       −1     partial credits
    "I don't know", no answer, or out of turns    0      partial credits
    the right answer                              1      0.3 right source + 0.1 ÷ number of sources
                                                         + 0.1 · (1 − turns ÷ most turns)
    ============================================  =====  =============================================

    Partial credits: 0.1 each for a right mail found by a search, a right mail read, no unknown id read, and an answer
    that cites a right mail.

    Source: document 000, and ``calculate_reward`` of ART·E's public code. Where it differs, and why:

    - ART·E looks for the first of a question's right mails alone; any of them counts here, since questions may have
      several.
    - A judge, which took every doubt for a no, decided each answer there. Here a matcher decides, a judge where the
      matcher cannot tell; until then the answer is unsure, and stands in the band of no answer.
    - "I don't know" is read in any form, not in that one spelling. An empty answer is no answer, where ART·E took it
      for a wrong one.
    - ART·E has no question without an answer. "I don't know" to one keeps the band 0, as for every question, though
      the metric ``answer_correct`` says 1.
    - Out of turns counts ``turns`` turns, not one more.

    What is known to be wrong with it (``hardened`` mends these): sources are not counted on either side of the right
    one but for a tenth, so that citing everything is nearly free; "I don't know" as the first word earns the credit for
    reading no unknown id; a wrong answer that cites the right mail earns a credit; a repeated call costs a hundredth.

    Attributes:
        turns: Most turns of the episode.
    """

    turns: int

    def parts(self, facts: SearchFacts, key: SearchKey, answer: Answer) -> tuple[Part, ...]:
        """Return the band, the credits, and the metrics."""
        band, why = self._band(facts, answer)
        is_right = band == BANDS["right"]
        is_over = bool(why)
        partial = PARTIAL if is_over and not is_right else 0.0
        no_invalid = not any(call.result == "unknown_message" for call in facts.reads())
        sources = len(facts.sources)
        weights = {
            "ever_found_right_email": partial,
            "ever_read_right_email": partial,
            "sources_correct": RIGHT_SOURCE if is_right else partial,
        }
        return (
            Part("band", band, 1.0, why or "the episode goes on"),
            Part("no_invalid_email", float(no_invalid), partial, "no unknown id was read" if no_invalid else ""),
            Part("few_sources", 1.0 / sources if sources else 0.0, FEW_SOURCES if is_right else 0.0),
            Part("few_turns", 1.0 - facts.turns / self.turns, FEW_TURNS if is_right else 0.0),
            *metrics(facts, key, answer, weights),
        )

    def _band(self, facts: SearchFacts, answer: Answer) -> tuple[float, str]:
        """Return the band, and why; no reason while the episode goes on without a bad call."""
        for name, result in _FORMATTING.items():
            if any(call.result == result for call in facts.calls):
                return BANDS[name], name
        if answer.said == "right":
            return BANDS["right"], answer.note
        if answer.said == "wrong":
            return BANDS["wrong"], answer.note
        if facts.answered or facts.out_of_turns:
            return BANDS["nothing"], answer.note
        return BANDS["nothing"], ""


@dataclass(frozen=True, slots=True)
class SimpleRubric(AnswerRubric):
    """1 for a right answer, 0 for all else: ART·E's ablation, which its final model did not use.

    Source: ``stupid_simple_reward_fn`` of ART·E's public code. It differs in that "I don't know" is right where the
    mailbox does not hold the answer. A wrong answer costs nothing, so that guessing always pays, and neither does a
    call that cannot be read.
    """

    def parts(self, facts: SearchFacts, key: SearchKey, answer: Answer) -> tuple[Part, ...]:
        """Return the metrics, of which ``answer_correct`` is the reward."""
        return metrics(facts, key, answer, {"answer_correct": 1.0})
