"""The rewards of `reply`: the document's, and one that form alone does not earn."""

from mailgym.envs.reply.rubric.classic import ClassicRubric
from mailgym.envs.reply.rubric.facts import ReplyFacts
from mailgym.envs.reply.rubric.hardened import HardenedRubric

__all__ = ["ClassicRubric", "HardenedRubric", "ReplyFacts"]
