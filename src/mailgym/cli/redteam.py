"""``mailgym redteam``: cheats against the rubric, in one environment or in all of them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli import choose
from mailgym.cli.options import AsJson, DryRun, MailboxFile, Owner, Seed, Split, Store
from mailgym.cli.output import note, print_json, progress_bars, show
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from mailgym.envs.base import TaskSet
    from mailgym.envs.registry import EnvSpec
    from mailgym.evaluate.redteam import RedTeamReport

ALL = "all"
DEFAULT_TASKS, TASKS_OF_ALL = 60, 24
"""Tasks an environment, alone and as one of all: all of them are to end in two minutes."""
TRAIN_TASKS = 60
MOST_SHOWN_CHARS = 160


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(redteam)


def redteam(
    env: Annotated[str, typer.Argument(metavar="ENV|all", help="An environment, or all of them one after another.")],
    n: Annotated[int | None, typer.Option("-n", help="Tasks; 60 by default, and 24 of each in all.", min=1)] = None,
    seed: Seed = 0,
    mailbox: MailboxFile = None,
    owner: Owner = None,
    store: Store = None,
    split: Split = "validation",
    turns: Annotated[int | None, typer.Option("--turns", min=1, help="One form; all forms by default.")] = None,
    profile: Annotated[str | None, typer.Option("--profile", help="hardened or classic; both by default.")] = None,
    search: Annotated[
        int | None, typer.Option("--search", metavar="TRIALS", help="Search for the best template too; 500 is a start.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Exit code 1 when the hardened profile misses the goal.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Play every cheat against the rubric, beside the honest players, and tell the exploit ratio.

    The goal is the hardened profile's: (best cheat - null) / (oracle - null) at most 0.35, and every cheat below the
    honest rules. The classic profile is what the system's document says, weaknesses included, and is shown beside it.

    --search TRIALS tries templates (a constant for every label, a recipe of phrases, copies and keywords for every
    text), chosen on training tasks, and measures the best on the same tasks as the cheats.
    """
    from mailgym.envs.base import PROFILES
    from mailgym.envs.registry import all_specs, get_spec
    from mailgym.evaluate.redteam import summarise

    if env == ALL and (mailbox or store or owner or turns):
        raise UserError("all plays every environment as it is: leave --mailbox, --store, --owner and --turns out")
    specs = all_specs() if env == ALL else (get_spec(env),)
    if search is not None and split == "train":
        raise UserError("--search chooses templates on training tasks: measure them on another split")
    plans = []
    for spec in specs:
        folder = choose.find_store(spec, mailbox, store, owner)
        count = n or (TASKS_OF_ALL if env == ALL else DEFAULT_TASKS)
        tasks = choose.load_tasks(spec, folder, split, count, seed)
        train = None if search is None else spec.load_tasks(folder, "train", TRAIN_TASKS, seed)
        profiles = PROFILES if profile is None else (profile,)
        forms = spec.turn_forms if turns is None else (turns,)
        plans.append(_Plan(spec, tasks, train, profiles, forms, search or 0, seed))
    if dry_run:
        said = [plan.facts() for plan in plans]
        print_json(said if env == ALL else said[0]) if as_json else show("\n".join(map(_in_words, said)))
        return
    reports = []
    for plan in plans:
        started_s = time.monotonic()
        reports.append(plan.play())
        note(f"{plan.spec.id}: {time.monotonic() - started_s:.0f} s")
        if not as_json:
            _tell(reports[-1])
    if as_json:
        data = [report.to_json() for report in reports]
        print_json(data if env == ALL else data[0])
    elif env == ALL:
        show(summarise(reports))
    if check and not all(report.holds for report in reports):
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Plan:
    """What is played of one environment; ``train`` is None where no template is searched for."""

    spec: "EnvSpec"
    tasks: "TaskSet[Any, Any]"
    train: "TaskSet[Any, Any] | None"
    profiles: Sequence[str]
    forms: Sequence[int]
    trials: int
    seed: int

    @property
    def episodes(self) -> int:
        from mailgym.evaluate.redteam import episode_count
        from mailgym.evaluate.templates.search import search_episode_count

        count = episode_count(self.spec, self.tasks, self.profiles, self.forms)
        if self.train is not None:
            columns = len(self.profiles) * len(self.forms)
            count += search_episode_count(self.train, self.tasks, columns, self.trials)
        return count

    def facts(self) -> dict[str, Any]:
        facts = {"env": self.spec.id, "tasks": len(self.tasks), "profiles": list(self.profiles)}
        return {**facts, "turns": list(self.forms), "trials": self.trials, "episodes": self.episodes}

    def play(self) -> "RedTeamReport":
        from mailgym.evaluate.redteam import red_team
        from mailgym.evaluate.templates import search_templates

        with progress_bars() as bars:
            done, total = 0, self.episodes

            def advance(count: int) -> None:
                nonlocal done
                done += count
                bars(self.spec.id, done, total)

            report = red_team(
                self.spec, self.tasks, self.profiles, turn_forms=self.forms, seed=self.seed, progress=advance
            )
            if self.train is None:
                return report
            return search_templates(
                self.spec, self.train, self.tasks, report, trials=self.trials, seed=self.seed, progress=advance
            )


def _in_words(facts: dict[str, Any]) -> str:
    return f"would play {facts['episodes']} episodes on {facts['tasks']} tasks of {facts['env']}"


def _tell(report: "RedTeamReport") -> None:
    """Show a report: its table, a verdict a line, and the templates that were found."""
    show(report.to_rich())
    for verdict in report.verdicts:
        missed = "; ".join(verdict.missed)
        show(f"{verdict.profile}, {verdict.turns} turns: {f'goal missed: {missed}' if missed else 'goal met'}")
    for found in report.templates:
        show(
            f"\nbest of {found.trials} templates, {found.profile}, {found.turns} turns "
            f"(on {found.train_tasks} training tasks {found.train_reward:.3f}): {', then '.join(found.plan)}"
        )
        for path, filling in found.fillings.items():
            text = " ".join(filling.split())
            show(f"  {path}: {text[:MOST_SHOWN_CHARS]}{' …' * (len(text) > MOST_SHOWN_CHARS)}")
