"""Searches for the template that a reward pays best: drawn at random first, then the best of them changed.

A plain evolutionary search. Every trial plays the same few training tasks; the best few are then played on more of
them, and the best of those is the one that is reported. What it is worth is measured on other tasks, by the caller.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from mailgym.core.episode import AnswerKey, Task, Trajectory
from mailgym.core.errors import UserError
from mailgym.core.seeds import stream
from mailgym.envs.base import TaskSet
from mailgym.envs.drawing import texts_in
from mailgym.envs.registry import EnvSpec
from mailgym.evaluate.redteam import FoundTemplate, RedTeamReport, play_row
from mailgym.evaluate.templates.player import NAME, TemplatePlayer
from mailgym.evaluate.templates.slots import Grammar, Template
from mailgym.rollout.engine import EpisodeRequest, play_episodes

DEFAULT_TRIALS, MIN_TRIALS = 500, 10
TASKS_A_TRIAL, TASKS_OF_FINALISTS, FINALISTS = 12, 60, 10
FIRST_SHARE = 0.3
PARENTS = 20
MOST_PLANNED_TURNS = 6
VOCABULARY = 200
_WORD = re.compile(r"[^\W\d_]{4,}")

Play = Callable[[Template, Sequence[str]], list[Trajectory]]


@dataclass(frozen=True)
class _Tried:
    reward: float
    number: int
    template: Template


def search_templates(
    spec: EnvSpec,
    train: TaskSet[Task, AnswerKey],
    tasks: TaskSet[Task, AnswerKey],
    report: RedTeamReport,
    *,
    trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> RedTeamReport:
    """Search for a template under every profile and form of a report, and add what it earns to the report.

    Args:
        spec: The environment.
        train: The tasks that templates are chosen by.
        tasks: The report's tasks, which the chosen one is measured on; none of ``train`` is among them.
        report: What the players came to.
        trials: Templates tried for each profile and form.
        seed: Decides every random draw.
        progress: Called with the number of episodes that have just ended.

    Raises:
        UserError: Too few trials, or a task in both sets.
    """
    if trials < MIN_TRIALS:
        raise UserError(
            f"{trials} trials: a search needs at least {MIN_TRIALS}, and {DEFAULT_TRIALS} to mean something"
        )
    both = set(train.task_ids) & set(tasks.task_ids)
    if both:
        raise UserError(f"templates are searched for on other tasks than they are measured on: {min(both)} is in both")
    for verdict in report.verdicts:
        profile, turns = verdict.profile, verdict.turns
        search = _Search(spec, train, profile, turns, seed, progress)
        best, train_reward = search.run(trials)
        player = TemplatePlayer(search.grammar, best)
        row = play_row(spec, tasks, NAME, player, "template", profile, turns, seed=report.seed, progress=progress)
        fillings = search.grammar.describe(best)
        found = FoundTemplate(profile, turns, trials, len(search.final_ids), train_reward, best.plan, fillings)
        report = report.with_template(found, row)
    return report


def search_episode_count(
    train: TaskSet[Task, AnswerKey], tasks: TaskSet[Task, AnswerKey], columns: int, trials: int
) -> int:
    """Return about how many episodes :func:`search_templates` plays, for a progress bar."""
    of_trials = trials * min(TASKS_A_TRIAL, len(train))
    return columns * (of_trials + FINALISTS * min(TASKS_OF_FINALISTS, len(train)) + len(tasks))


class _Search:
    def __init__(
        self,
        spec: EnvSpec,
        train: TaskSet[Task, AnswerKey],
        profile: str,
        turns: int,
        seed: int,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.grammar = Grammar(spec.tools(turns))
        self._spec, self._turns, self._seed, self._progress = spec, turns, seed, progress
        self._make = partial(spec.make, train, profile=profile, turns=turns)
        self._draw = stream(seed, "templates", spec.id, profile, turns)
        ids = list(train.task_ids)
        stream(seed, "template tasks", spec.id).shuffle(ids)
        self.trial_ids, self.final_ids = ids[:TASKS_A_TRIAL], ids[:TASKS_OF_FINALISTS]
        self._vocabulary = [*self.grammar.labels, *self._words(self.final_ids)]

    def run(self, trials: int) -> tuple[Template, float]:
        """Return the best template of this many, and its mean reward on the finalists' tasks."""
        tried: list[_Tried] = []
        for number in range(trials):
            first = number < FIRST_SHARE * trials
            template = self._new() if first else self._from(tried)
            tried.append(_Tried(self._reward(template, self.trial_ids), number, template))
            tried.sort(key=lambda one: (-one.reward, -one.number))  # of equals the newest, so that it moves on
        finalists = [replace(one, reward=self._reward(one.template, self.final_ids)) for one in tried[:FINALISTS]]
        best = max(finalists, key=lambda one: (one.reward, -one.number))
        return best.template, best.reward

    def _reward(self, template: Template, ids: Sequence[str]) -> float:
        played = self._play(template, ids)
        if self._progress is not None:
            self._progress(len(played))
        failed = next((episode.failure for episode in played if episode.failure is not None), None)
        if failed is not None:
            raise UserError(f"an episode of {self._spec.id} failed while templates were tried: {failed.message}")
        return sum(episode.reward or 0.0 for episode in played) / len(played)

    def _play(self, template: Template, ids: Sequence[str]) -> list[Trajectory]:
        requests = [EpisodeRequest(task_id) for task_id in ids]
        return play_episodes(self._make, TemplatePlayer(self.grammar, template), requests, self._seed, self._spec.id)

    def _words(self, ids: Sequence[str]) -> list[str]:
        """Return the words that most of the tasks' first observations have, the commonest first."""
        environment, counts = self._make(), Counter[str]()
        for task_id in ids:
            shown = environment.reset(task_id, seed=self._seed)
            counts.update({word.lower() for text in texts_in(shown) for word in _WORD.findall(text)})
        return [word for word, _ in sorted(counts.items(), key=lambda found: (-found[1], found[0]))[:VOCABULARY]]

    def _new(self) -> Template:
        planned = self._draw.choice((1, 1, *range(1, min(self._turns, MOST_PLANNED_TURNS) + 1)))
        tools = [self._draw.choice(self.grammar.tools) for _ in range(planned)]
        fillings = {
            slot.path: slot.draw(self._vocabulary, self._draw)
            for slots in self.grammar.slots.values()
            for slot in slots
        }
        return Template(tuple(tools), fillings)

    def _from(self, tried: Sequence[_Tried]) -> Template:
        """Return a child of good templates: one of them changed in a few places, or two of them mixed and changed."""
        parents = [one.template for one in tried[:PARENTS]]
        parent = parents[min(self._draw.randrange(len(parents)) for _ in range(2))]
        plan, fillings = list(parent.plan), dict(parent.fillings)
        if self._draw.random() < 0.2:
            other = self._draw.choice(parents)
            fillings = {path: (other if self._draw.random() < 0.5 else parent).fillings[path] for path in fillings}
        for _ in range(self._draw.choice((1, 1, 2, 3))):
            self._change(plan, fillings)
        return Template(tuple(plan), fillings)

    def _change(self, plan: list[str], fillings: dict[str, Any]) -> None:
        slots = [slot for tool in dict.fromkeys(plan) for slot in self.grammar.slots[tool]]
        if not slots or self._draw.random() < 0.15:
            _change_plan(plan, self.grammar.tools, min(self._turns, MOST_PLANNED_TURNS), self._draw)
            return
        slot = self._draw.choice(slots)
        fillings[slot.path] = slot.change(fillings[slot.path], self._vocabulary, self._draw)


def _change_plan(plan: list[str], tools: Sequence[str], most: int, draw: random.Random) -> None:
    place = draw.randrange(len(plan) + 1)
    if place == len(plan) < most:
        plan.append(draw.choice(tools))
    elif len(plan) > 1 and draw.random() < 0.3:
        plan.pop(min(place, len(plan) - 1))
    else:
        plan[min(place, len(plan) - 1)] = draw.choice(tools)
