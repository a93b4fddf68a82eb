"""Before and after: what a trained agent gained in every component, and whether any of them fell.

A mean reward can rise while a part of it falls, as the classification did in the figures of document 001. So every
component is tested for having fallen by no more than a margin: the lower bound of its paired gain must lie above
−:data:`MARGIN`, and the bounds are Holm's, so that the chance that any of them is wrongly cleared is at most
:data:`LEVEL`.

Source:
    Document 001 for the layout of the JSON. Deviations: every component is listed among the improvements, those that
    fell as well; episodes are held out; each difference has its interval.
    Holm 1979: the components are taken in order, the clearest first; the k-th of m has its bound at level
    LEVEL / (m − k + 1), and after the first that is not above −MARGIN none is cleared. Deviation: the order is by
    (gain + MARGIN) over its interval's lower half-width rather than by p-value; a step-down by Bonferroni holds its
    level in any order. Bounds are of the bootstrap that draws templates and mailboxes
    (:mod:`mailgym.evaluate.statistics`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mailgym.core.episode import Trajectory
from mailgym.core.errors import UserError
from mailgym.envs.figures import MEASURED_BY_ROLLOUT, Figure
from mailgym.evaluate.benchmark import clusters_of, value_of
from mailgym.evaluate.statistics import RESAMPLES, Interval, bootstrap_mean

if TYPE_CHECKING:
    from rich.table import Table

MARGIN = 0.05
LEVEL = 0.05
FEW_PAIRS = 200
MOST_LEFT_OUT = 0.05


@dataclass(frozen=True, slots=True)
class Component:
    """One component before and after.

    Attributes:
        name: Its key in the JSON: the part's name.
        title: Its heading.
        lower_is_better: Whether a fall is a gain.
        baseline: Mean before. trained: mean after; both in the part's own unit, over the pairs.
        difference: Trained minus baseline, with its interval.
        lower_bound: Holm's lower bound of the gain (the difference, its sign turned where lower is better).
        bound_level: The one-sided level of that bound.
        cleared: Whether it is shown not to have fallen by more than the margin.
    """

    name: str
    title: str
    lower_is_better: bool
    baseline: float
    trained: float
    difference: Interval
    lower_bound: float
    bound_level: float
    cleared: bool

    @property
    def mark(self) -> str:
        """✅ for a gain whose interval is clear of zero, ⚠️ for a component that is not cleared, else nothing."""
        if not self.cleared:
            return "⚠️"
        gained = self.difference.high < 0 if self.lower_is_better else self.difference.low > 0
        return "✅" if gained else ""


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """Two agents on the same tasks, component by component.

    Attributes:
        pairs: Tasks that both played and neither failed on.
        left_out: The other tasks.
    """

    env: str
    baseline: str
    trained: str
    pairs: int
    left_out: int
    components: tuple[Component, ...]

    @property
    def doubts(self) -> list[str]:
        """Why it is not shown that no component fell, in words; empty when it is."""
        fallen = [component.title for component in self.components if not component.cleared]
        doubts = [f"not shown for {', '.join(fallen)}"] if fallen else []
        if self.left_out > MOST_LEFT_OUT * (self.pairs + self.left_out):
            doubts.append(
                f"{self.left_out} of {self.pairs + self.left_out} tasks are left out: an agent failed on them"
            )
        return doubts

    @property
    def verdict(self) -> str:
        """The verdict in one line."""
        said = f"no component fell by more than {MARGIN:g} (level {LEVEL:g}, Holm): "
        few = f"; {self.pairs} pairs are few, {FEW_PAIRS} are a start" * (self.pairs < FEW_PAIRS)
        return said + ("; ".join(self.doubts) or "yes") + few

    def to_json(self) -> dict[str, Any]:
        """Return plain data, laid out as document 001 has it, with what it lacks beside it."""
        components = self.components
        return {
            "env": self.env,
            "num_scenarios": self.pairs,
            "baseline_agent": self.baseline,
            "trained_agent": self.trained,
            "baseline": {one.name: round(one.baseline, 6) for one in components},
            "trained": {one.name: round(one.trained, 6) for one in components},
            "improvement": {one.name: f"{one.difference.mean:+.4f} {one.mark}".strip() for one in components},
            "difference": {one.name: one.difference.to_json() for one in components},
            "non_inferiority": {
                "margin": MARGIN,
                "level": LEVEL,
                "correction": "Holm",
                "lower_bound": {one.name: one.lower_bound for one in components},
                "cleared": {one.name: one.cleared for one in components},
                "lower_is_better": [one.name for one in components if one.lower_is_better],
                "left_out": self.left_out,
                "no_component_fell": not self.doubts,
                "verdict": self.verdict,
            },
        }

    def to_rich(self) -> "Table":
        """Return a table for the terminal, a component a row."""
        from rich import box
        from rich.table import Table

        title = f"{self.env}: {self.trained} against {self.baseline}, {self.pairs} pairs"
        table = Table(title=title, box=box.SIMPLE_HEAD)
        table.add_column("component")
        for column in ("baseline", "trained", "difference [95 % interval]", "gain at least (Holm)", "not fallen"):
            table.add_column(column, justify="right")
        for one in self.components:
            found = one.difference
            table.add_row(
                f"{one.title} (lower is better)" if one.lower_is_better else one.title,
                f"{one.baseline:.3f}",
                f"{one.trained:.3f}",
                f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}] {one.mark}".strip(),
                f"{one.lower_bound:+.3f}",
                "yes" if one.cleared else "NO",
            )
        return table


def before_after(
    env_id: str,
    figures: Sequence[Figure],
    baseline: Sequence[Trajectory],
    trained: Sequence[Trajectory],
    *,
    names: tuple[str, str] = ("baseline", "trained"),
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> BeforeAfter:
    """Compare two agents' episodes on the same tasks in every component.

    Components are the environment's figures, but for what the rollout measures (turns, tokens, seconds, cost), for
    percentiles, and for those that say that neither way is better; the reward is always one. An environment without
    figures has the priced parts of its score instead.

    Args:
        env_id: The environment's id.
        figures: Its figures.
        baseline: One episode a task.
        trained: One episode a task.
        names: What to call the two.
        seed: Decides the bootstrap.
        resamples: Number of bootstrap draws.

    Raises:
        UserError: No task was played by both without a failure.
        ValueError: One of them has two episodes of a task.
    """
    first, second = _by_task(baseline), _by_task(trained)
    pairs = [
        (before, second[task_id])
        for task_id, before in first.items()
        if before.failure is None and task_id in second and second[task_id].failure is None
    ]
    if not pairs:
        raise UserError(f"{names[0]} and {names[1]} have no task in common that neither failed on: nothing to compare")
    chosen = components_of(figures, [trajectory for pair in pairs for trajectory in pair])
    measured = [found for figure in chosen if (found := _measure(figure, pairs, seed, resamples)) is not None]
    components = _holm(measured, seed, resamples)
    left_out = len(first.keys() | second.keys()) - len(pairs)
    return BeforeAfter(env_id, names[0], names[1], len(pairs), left_out, tuple(components))


def components_of(figures: Sequence[Figure], played: Sequence[Trajectory]) -> list[Figure]:
    """Return the figures that count as components, the reward among them."""
    chosen = [
        figure
        for figure in figures
        if figure.better != "neither"
        and figure.statistic in ("mean", "interval")
        and not set(figure.names) & MEASURED_BY_ROLLOUT
    ]
    if not figures:
        weights: Mapping[str, float] = {
            part.name: part.weight
            for trajectory in played
            if trajectory.score is not None
            for part in trajectory.score.parts
            if part.weight
        }
        chosen = [
            Figure(name.replace("_", " "), (name,), better="higher" if weight > 0 else "lower")
            for name, weight in weights.items()
        ]
    has_reward = any(figure.names == ("reward",) for figure in chosen)
    return chosen if has_reward else [Figure("reward", ("reward",)), *chosen]


@dataclass(frozen=True, slots=True)
class _Measured:
    figure: Figure
    befores: list[float]
    afters: list[float]
    ways: list[list[str]]
    difference: Interval

    @property
    def sign(self) -> int:
        return -1 if self.figure.better == "lower" else 1

    @property
    def gains(self) -> list[float]:
        return [self.sign * (after - before) for before, after in zip(self.befores, self.afters, strict=True)]

    @property
    def clearness(self) -> float:
        """How far the gain is above −MARGIN, in half-widths of its interval on the lower side."""
        found = self.difference
        width = found.mean - found.low if self.sign > 0 else found.high - found.mean
        above = self.sign * found.mean + MARGIN
        if width > 0:
            return above / width
        return float("inf") if above > 0 else -float("inf")


def _measure(
    figure: Figure, pairs: Sequence[tuple[Trajectory, Trajectory]], seed: int, resamples: int
) -> _Measured | None:
    """Return a figure of both agents on the pairs that have it; None where no pair has."""
    both = [(before, value_of(figure, before), value_of(figure, after)) for before, after in pairs]
    known = [(trajectory, was, now) for trajectory, was, now in both if was is not None and now is not None]
    if not known:
        return None
    befores, afters = [was for _, was, _ in known], [now for _, _, now in known]
    ways = clusters_of([trajectory for trajectory, _, _ in known])
    differences = [now - was for was, now in zip(befores, afters, strict=True)]
    interval = bootstrap_mean(differences, ways, seed=seed, resamples=resamples)
    return _Measured(figure, befores, afters, ways, interval)


def _holm(measured: Sequence[_Measured], seed: int, resamples: int) -> list[Component]:
    """Return the components in the order given, each with its bound."""
    order = sorted(range(len(measured)), key=lambda index: -measured[index].clearness)
    found: dict[int, Component] = {}
    going_on = True
    for rank, index in enumerate(order):
        one, level = measured[index], LEVEL / (len(measured) - rank)
        bound = bootstrap_mean(one.gains, one.ways, level=1 - 2 * level, seed=seed, resamples=resamples).low
        going_on = going_on and bound > -MARGIN
        found[index] = Component(
            name=one.figure.names[0] if len(one.figure.names) == 1 else one.figure.title.replace(" ", "_"),
            title=one.figure.title.replace(" [interval]", ""),
            lower_is_better=one.sign < 0,
            baseline=sum(one.befores) / len(one.befores),
            trained=sum(one.afters) / len(one.afters),
            difference=one.difference,
            lower_bound=bound,
            bound_level=level,
            cleared=going_on,
        )
    return [found[index] for index in range(len(measured))]


def _by_task(trajectories: Sequence[Trajectory]) -> dict[str, Trajectory]:
    keyed = {trajectory.task_id: trajectory for trajectory in trajectories}
    if len(keyed) != len(trajectories):
        raise ValueError("an agent has two episodes of one task: keep one of each")
    return keyed
