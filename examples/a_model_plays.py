"""Let a language model play: here a scripted one that stands in for it, so that the example needs no weights.

With  mailgym.llm.names.open_model("local")  the embedded model plays, with  open_model("openai:NAME")  a remote one.
Run it with  python examples/a_model_plays.py STORE  on a store that  mailgym simulate --store STORE  wrote.
"""

import json
import sys
from pathlib import Path

from mailgym.agents.chat import ChatAgent
from mailgym.envs.registry import get_spec
from mailgym.llm.base import ChatRequest, Sampling
from mailgym.llm.scripted import ScriptedModel
from mailgym.rollout.engine import EpisodeRequest, play_episodes


def capital_words(request: ChatRequest) -> str:
    """Answer the last chat message with a search for its words that begin with a capital."""
    question = request.messages[-1].content.splitlines()[-1]
    words = [word.strip("?.,") for word in question.split()[1:] if word[:1].isupper()]
    return json.dumps({"keywords": words or ["mail"]})


def main(store: Path, split: str = "test") -> None:
    """Play three questions, and show what the model wrote and what it was worth."""
    spec = get_spec("find")
    tasks = spec.load_tasks(store, split, 3)
    agent = ChatAgent(ScriptedModel(capital_words), spec.prompt(1), Sampling())
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    for trajectory in play_episodes(lambda: spec.make(tasks, turns=1), agent, requests, seed=0, env_id="find"):
        step = trajectory.steps[0]
        print(step.observation["question"])
        print(f"  {step.decision.text}")
        print(f"  reward {trajectory.reward:.3f}, {trajectory.stop_reason}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
