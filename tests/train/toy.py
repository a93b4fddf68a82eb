"""A world that a tiny model learns in seconds: write letters, whatever you are shown."""

from mailgym.agents.chat import ChatAgent
from mailgym.core.episode import ChatMessage, StepResult
from mailgym.core.protocols import OwnerView
from mailgym.core.score import Part, Score
from mailgym.llm.base import Sampling
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.train.grpo import Playground

LETTERS = "abcdefgh"


class ToyPrompt:
    def opening(self, observation):
        return [ChatMessage("user", observation["letter"])]

    def reply(self, observation):
        return [ChatMessage("user", observation["said"])]

    def parse(self, text):
        return {"text": text}


class ToyEnvironment:
    """Reward: the share of letters in what was written in the first turn; ends after ``turns`` turns."""

    def __init__(self, turns=1):
        self.turns = turns
        self.task_ids = list(LETTERS)

    def reset(self, task_id=None, seed=None):
        self.task_id, self.step_count, self.reward = task_id or "a", 0, 0.0
        return {"letter": self.task_id}

    def step(self, action):
        self.step_count += 1
        text = action["text"]
        reward = sum(letter.isascii() and letter.isalpha() for letter in text) / 4 / self.turns
        self.reward += reward
        done = self.step_count == self.turns
        return StepResult({"said": "go on"}, reward, terminated=done, stop_reason="said" if done else None)

    @property
    def state(self):
        return {}

    def owner_view(self):
        return OwnerView(Score((Part("letters", self.reward, 1.0),)), {"id": self.task_id}, {"template": "t"})


def toy_playground(policy, config, turns=1, seed=0):
    sampling = Sampling(config.temperature, config.max_tokens)

    def validate(update):
        requests = [EpisodeRequest(letter, update=update) for letter in LETTERS]
        agent = ChatAgent(policy.local, ToyPrompt(), Sampling(0.0, config.max_tokens))
        played = play_episodes(lambda: ToyEnvironment(turns), agent, requests, 1, "toy")
        return {"phase": "validation", "update": update, "reward_mean": sum(t.reward for t in played) / len(played)}

    return Playground(
        env_id="toy",
        environments=lambda: ToyEnvironment(turns),
        task_ids=list(LETTERS),
        agent=ChatAgent(policy.local, ToyPrompt(), sampling),
        validate=validate,
        seed=seed,
    )


class Log:
    def __init__(self, stop_after=None):
        self.records, self.phases, self.played = [], [], []
        self.stop_after = stop_after

    def record(self, record):
        self.records.append(record)

    def trajectories(self, trajectories):
        self.played += trajectories

    def phase(self, phase, update):
        if self.stop_after is not None and (phase, update) == self.stop_after:
            raise KeyboardInterrupt
        self.phases.append((phase, update))

    def rewards(self, phase):
        return [record["reward_mean"] for record in self.records if record["phase"] == phase]
