"""The reward of mail search in which the mail itself is the answer (`find`).

Source: the tools, the turn limit and the measured quantities are those of ART·E (document 000); the task kind
and its reward are mailgym's own. As that document found, credit for milestones (the right mail found, read)
does not help and can be farmed: it is off, and milestones are metrics.
"""

from dataclasses import dataclass

from mailgym.core.score import Part, Score
from mailgym.envs.search.rubric.facts import SearchFacts
from mailgym.envs.search.tasks import SearchKey
from mailgym.rubrics.price import Prices
from mailgym.rubrics.ranking import citation_share, rank_of_first, reciprocal_rank

ONE_TURN_PRICES = Prices(bad_call=0.1)
FULL_PRICES = {
    "classic": Prices(bad_call=0.05, extra_turn=0.01),
    "hardened": Prices(bad_call=0.05, extra_turn=0.01, repeated_call=0.02),
}


@dataclass(frozen=True, slots=True)
class OneTurnRubric:
    """The one-turn form: the results of the one search are the answer.

    Reciprocal rank of the right mail, less the price of a bad call.
    """

    prices: Prices = ONE_TURN_PRICES

    def score(self, facts: SearchFacts, key: SearchKey) -> Score:
        """Return the score so far."""
        priced = self.prices.parts(facts.bad_calls, facts.turns, facts.repeats)
        return Score((_reciprocal_rank(facts, key, weight=1.0), *priced, *_metrics(facts, key, milestone_weight=0.0)))


@dataclass(frozen=True, slots=True)
class FullRubric:
    """The full form: the share of right mails among those cited, less prices.

    Attributes:
        prices: What bad calls, turns after the first and repeated calls cost.
        milestone_weight: Credit for each of the milestones "right mail found by a search" and "right mail
            read". 0, the default, leaves them metrics.
    """

    prices: Prices = FULL_PRICES["hardened"]
    milestone_weight: float = 0.0

    def score(self, facts: SearchFacts, key: SearchKey) -> Score:
        """Return the score so far."""
        share = citation_share(facts.sources, key.message_ids)
        note = f"cited {list(facts.sources)}, right: {list(key.message_ids)}"
        priced = self.prices.parts(facts.bad_calls, facts.turns, facts.repeats)
        return Score(
            (
                Part("citation_share", share, 1.0, note),
                *priced,
                _reciprocal_rank(facts, key, weight=0.0),
                *_metrics(facts, key, self.milestone_weight),
            )
        )


def _reciprocal_rank(facts: SearchFacts, key: SearchKey, weight: float) -> Part:
    """Return the best reciprocal rank of the right mail over the episode's searches."""
    lists = [call.message_ids for call in facts.searches()]
    value = max((reciprocal_rank(ids, key.message_ids) for ids in lists), default=0.0)
    ranks = [rank_of_first(ids, key.message_ids) for ids in lists]
    note = f"rank of the right mail in each search: {ranks}" if lists else "no search was carried out"
    return Part("reciprocal_rank", value, weight, note)


def _metrics(facts: SearchFacts, key: SearchKey, milestone_weight: float) -> tuple[Part, ...]:
    """Return what is measured and not rewarded, named as in ART·E where it measures the same."""
    found, read = facts.found(key.message_ids), facts.read(key.message_ids)
    values = {
        "num_turns": facts.turns,
        "attempted_answer": facts.attempted_answer,
        **call_counts(facts),
        **search_habits(facts),
    }
    return (
        Part("ever_found_right_email", float(found), milestone_weight, "a search returned it" if found else ""),
        Part("ever_read_right_email", float(read), milestone_weight, "it was read" if read else ""),
        *(Part(name, float(value)) for name, value in values.items()),
    )


def call_counts(facts: SearchFacts) -> dict[str, float]:
    """Return what is counted of an episode's calls, under ART·E's names."""
    return {
        "cant_parse_tool_call": facts.count("unparsable"),
        "bad_tool_call_name": facts.count("unknown_tool"),
        "bad_tool_call_args": facts.count("bad_arguments"),
        "ran_out_of_turns": facts.out_of_turns,
        "num_sources": len(facts.sources),
        "ever_tried_to_read_invalid_email": any(call.result == "unknown_message" for call in facts.reads()),
    }


def search_habits(facts: SearchFacts) -> dict[str, float]:
    """Return how an episode's searches were made."""
    searches = facts.searches()
    keywords = [len(call.arguments["keywords"]) for call in searches]
    return {
        "used_from": any(call.arguments["from_addr"] for call in searches),
        "used_dates": any(call.arguments["sent_after"] or call.arguments["sent_before"] for call in searches),
        "num_keywords": sum(keywords) / len(keywords) if keywords else 0.0,
    }
