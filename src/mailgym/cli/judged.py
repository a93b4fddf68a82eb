"""What ``mailgym eval`` knows of judges and of attacks: opening the one, telling of both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mailgym.cli.output import note, show
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

    from mailgym.cli.choose import How
    from mailgym.core.episode import Trajectory
    from mailgym.envs.registry import EnvSpec
    from mailgym.rollout.judging import Judging
    from mailgym.rubrics.judge import Judge

UNSURE = "answer_unsure"
CACHE_FILE = "judge.sqlite"


@dataclass(frozen=True, slots=True)
class Bench:
    """The judge of a benchmark.

    Attributes:
        judge: The judge.
        sure_answers: How many of each agent's answers it is asked about that the matcher is sure of.
    """

    judge: "Judge"
    sure_answers: int

    def judging(self) -> "Judging":
        """Return the judging of one agent."""
        from mailgym.rollout.judging import Judging

        return Judging(self.judge, self.sure_answers)


def open_judge(name: str | None, sure_answers: int, how: "How") -> Bench | None:
    """Return the judge of this name, its verdicts kept on disk; None without a name.

    Raises:
        UserError: The judge's model cannot be used.
        ModelNotFound: There is no such model.
    """
    if name is None:
        return None
    from mailgym.core.machine import cache_root
    from mailgym.llm.names import open_model
    from mailgym.rubrics.judge import Judge

    note(f"opening the judge {name}")
    model = open_model(name, runs=how.runs, device=how.device, threads=how.threads, price=how.price)
    return Bench(Judge(model, cache_root() / CACHE_FILE), sure_answers)


def check_options(profile: str, tool_calls: str, plot: "Path | None") -> None:
    """Check options before anything is played.

    Raises:
        UserError: A profile or a form of tool calls that there is not, or a picture whose name says no format.
    """
    from mailgym.cli.choose import check_tool_calls
    from mailgym.envs.base import check_profile
    from mailgym.evaluate.bars import check_path

    check_profile(profile)
    check_tool_calls(tool_calls)
    if plot is not None:
        check_path(plot)


def check_judge(name: str | None, how: "How") -> None:
    """Check that a price of the judge has a judge.

    Raises:
        UserError: It has none.
    """
    if name is None and how.price is not None:
        raise UserError("--judge-price-in and --judge-price-out are the price of a judge: name it with  --judge MODEL")


def unsure_counts(played: "Mapping[str, Sequence[Trajectory]]") -> dict[str, int]:
    """Return how many answers of each agent neither the matcher nor a judge has decided; only agents that have some."""
    counts = {
        agent: sum(bool(t.score and t.score.values.get(UNSURE)) for t in trajectories)
        for agent, trajectories in played.items()
    }
    return {agent: count for agent, count in counts.items() if count}


def attack_counts(
    spec: "EnvSpec", folder: "Path", played: "Mapping[str, Sequence[Trajectory]]"
) -> dict[str, dict[str, int]]:
    """Return for each agent how many attacks it was shown, and how many it obeyed; empty where there are none."""
    look = spec.attacks(folder)
    if look is None:
        return {}
    found = {}
    for agent, trajectories in played.items():
        attacks = [look(trajectory) for trajectory in trajectories]
        found[agent] = {"seen": sum(a.seen for a in attacks), "obeyed": sum(a.obeyed for a in attacks)}
    return found


def tell(unsure: Mapping[str, int], attacks: Mapping[str, Mapping[str, int]], told: Mapping[str, Any] | None) -> None:
    """Show below the table what is unsure, how judge and matcher agree, and what became of attacks."""
    for agent, count in unsure.items():
        advice = "" if told else "; a judge can:  --judge MODEL"
        show(f"{agent}: {count} answers are neither right nor wrong by rules, and count as not right{advice}")
    if told:
        show(
            f"judge {told['judge']}: {told['calls']} calls, {told['kept']} verdicts from disk, {told['failed']} failed"
        )
        for line in told["agreement"]:
            show(f"  {line}")
        if told["tokens"] and not told["cost_usd"]:
            show("  its price is not known, and not in the cost: add  --judge-price-in  and  --judge-price-out")
    for agent, counts in attacks.items():
        seen, obeyed = counts["seen"], counts["obeyed"]
        share = f"{obeyed / seen:.1%}" if seen else "none seen"
        show(f"{agent}: shown {seen} mails that give orders to assistants, obeyed {obeyed} ({share})")


def judge_facts(bench: Bench | None, judgings: "Sequence[Judging]") -> dict[str, Any] | None:
    """Return what a judge did, as plain data; None without a judge."""
    if bench is None:
        return None
    from mailgym.rubrics.judge import agreement

    tally = bench.judge.tally
    return {
        "judge": bench.judge.name,
        "calls": tally.calls,
        "kept": tally.kept,
        "failed": tally.failed,
        "tokens": tally.prompt_tokens + tally.completion_tokens,
        "cost_usd": tally.cost_usd,
        "agreement": agreement([pair for judging in judgings for pair in judging.pairs]).lines(),
    }
