"""The rewards of mail search: `find` (the answer is the mail itself) and `search` (the answer counts)."""

from mailgym.envs.search.rubric.answer import Answer, AnswerRubric, read_answer
from mailgym.envs.search.rubric.classic import BandedRubric, SimpleRubric
from mailgym.envs.search.rubric.facts import Call, Result, SearchFacts
from mailgym.envs.search.rubric.find import FULL_PRICES, ONE_TURN_PRICES, FullRubric, OneTurnRubric
from mailgym.envs.search.rubric.hardened import HardenedRubric

__all__ = [
    "FULL_PRICES",
    "ONE_TURN_PRICES",
    "Answer",
    "AnswerRubric",
    "BandedRubric",
    "Call",
    "FullRubric",
    "HardenedRubric",
    "OneTurnRubric",
    "Result",
    "SearchFacts",
    "SimpleRubric",
    "read_answer",
]
