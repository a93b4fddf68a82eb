"""The reward of `routing`, in two profiles; docs/routing.md has both as tables."""

from mailgym.envs.routing.rubric.classic import ClassicRubric
from mailgym.envs.routing.rubric.hardened import HardenedRubric

__all__ = ["ClassicRubric", "HardenedRubric"]
