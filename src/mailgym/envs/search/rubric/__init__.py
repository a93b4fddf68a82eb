"""The rewards of mail search: `find` (the answer is the mail itself) and `search` (the answer counts)."""

from mailgym.envs.search.rubric.facts import Call, Result, SearchFacts
from mailgym.envs.search.rubric.find import FULL_PRICES, ONE_TURN_PRICES, FullRubric, OneTurnRubric

__all__ = ["FULL_PRICES", "ONE_TURN_PRICES", "Call", "FullRubric", "OneTurnRubric", "Result", "SearchFacts"]
