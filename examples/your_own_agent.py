"""Write an agent, and measure it beside the players that come with the environment.

An agent is a name and one method: it is asked for many episodes at once and gives one decision for each. Run it with
python examples/your_own_agent.py STORE  on a store that  mailgym simulate --store STORE  wrote.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from mailgym.agents.finder import find_agent
from mailgym.core.episode import Decision, Turn
from mailgym.core.protocols import Agent
from mailgym.envs.registry import get_spec
from mailgym.evaluate.benchmark import benchmark

TASKS = 60


class LongWords:
    """Searches for the three longest words of the question."""

    @property
    def name(self) -> str:
        """The name shown in tables."""
        return "long_words"

    def act(self, turns: Sequence[Turn]) -> list[Decision]:
        """Decide one search for each question."""
        return [self._decide(turn.observation["question"]) for turn in turns]

    def _decide(self, question: str) -> Decision:
        words = sorted((word.strip("?.,") for word in question.split()), key=len, reverse=True)[:3]
        action = {"name": "search_emails", "arguments": {"keywords": words}}
        return Decision(action, text=json.dumps(action))


def main(store: Path, split: str = "test") -> None:
    """Play the agent beside the floor, two heuristics and the ceiling, and print the table."""
    spec = get_spec("find")
    tasks = spec.load_tasks(store, split, TASKS)
    names = ("null", "capitalised_words", "content_words", "oracle")
    agents: list[Agent] = [LongWords(), *(find_agent(name, spec, tasks) for name in names)]
    table = benchmark(lambda: spec.make(tasks), agents, tasks.task_ids, env_id="find")
    for row in table.rows:
        print(f"{row.agent:<20} {row.reward.mean:.3f}" if row.reward else f"{row.agent:<20} every episode failed")
    print(table.header)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
