"""``mailgym scorecard``: agents in all environments of a frozen suite, in one table."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli import choose
from mailgym.cli.options import DEFAULT_RUNS, AsJson, Count, Device, DryRun, Profile, RunsFolder, Seed, Threads
from mailgym.cli.output import note, print_json, progress_bars, show
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from mailgym.core.protocols import Agent
    from mailgym.envs.base import TaskSet
    from mailgym.envs.registry import EnvSpec

DEFAULT_AGENTS = "null,random,baseline,oracle"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(scorecard)


def scorecard(
    agents: Annotated[
        str, typer.Option("--agents", metavar="A,B,C", help="Players, baseline, and models; a dash where one is not.")
    ] = DEFAULT_AGENTS,
    suite: Annotated[str, typer.Option("--suite", metavar="NAME", help="Which frozen tasks.")] = "v1",
    n: Count = None,
    seed: Seed = 0,
    profile: Profile = "hardened",
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the JSON there too.")] = None,
    runs: RunsFolder = DEFAULT_RUNS,
    device: Device = None,
    threads: Threads = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Play agents on a frozen suite of tasks: one number an environment, with its interval, and none over them.

    baseline stands for each environment's honest rules. A task that is not what the suite was frozen with is an error.
    With -n only the first tasks of each environment are played, and the table says so.
    """
    from mailgym.envs.base import check_profile
    from mailgym.envs.registry import get_spec
    from mailgym.evaluate.scorecard import play_scorecard
    from mailgym.evaluate.suite import load_entry, read_suite

    check_profile(profile)
    if out is not None and (out.is_dir() or not out.parent.is_dir()):
        raise UserError(f"--out {out}: name a file in a folder that is there")
    frozen = read_suite(suite)
    names = choose.split_names(agents)
    specs = {entry.env: get_spec(entry.env) for entry in frozen.entries}
    tasks = {entry.env: load_entry(entry.first(n), specs[entry.env], _folder(entry.source)) for entry in frozen.entries}
    _check_names(names, specs, tasks)
    counts = {env: len(some) for env, some in tasks.items()}
    if dry_run:
        asked = {"suite": suite, "digest": frozen.digest, "agents": names, "profile": profile, "tasks": counts}
        each = ", ".join(f"{count} tasks of {env}" for env, count in counts.items())
        print_json(asked) if as_json else show(f"would play {len(names)} agents ({', '.join(names)}) on {each}")
        return
    how = choose.How(runs=runs, device=device, threads=threads)

    def open_agent(name: str, spec: "EnvSpec", some: "TaskSet[Any, Any]") -> "Agent | None":
        return _open(name, names, spec, some, how)

    with progress_bars() as report:
        done = dict.fromkeys(counts, 0)

        def advance(env: str, count: int) -> None:
            done[env] += count
            report(env, done[env], counts[env] * len(names))

        card = play_scorecard(
            frozen, tasks, specs, names, open_agent, whole=n is None, profile=profile, seed=seed, progress=advance
        )
    data = card.to_json()
    if out is not None:
        out.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        note(f"written to {out}")
    if as_json:
        print_json(data)
        return
    show(card.to_rich())
    if "baseline" in names:
        show("baseline is " + ", ".join(f"{entry.stands_for} in {entry.env}" for entry in card.entries))


def _folder(source: Any) -> Path:
    """Return where a suite's tasks come from, making the simulated companies when they are not there yet."""
    from mailgym.corpora.sources import simulated_store
    from mailgym.envs.drawn import OWN_TASKS

    if "simulated" not in source:
        return OWN_TASKS
    with progress_bars() as report:
        return simulated_store(
            source["seed"], source["simulated"], lambda _, done, total: report("writing mailboxes", done, total)
        )


def _open(name: str, names: list[str], spec: "EnvSpec", tasks: "TaskSet[Any, Any]", how: choose.How) -> "Agent | None":
    """Open an agent for an environment; None for a player that it does not have."""
    from mailgym.agents.finder import find_agent
    from mailgym.evaluate.scorecard import BASELINE, baseline_of

    if choose.is_model_name(name):
        over = choose.adapted(names) if name == choose.BASE else None
        return choose.model_agent(name, spec, spec.default_turns, how, over)
    played = baseline_of(spec) if name == BASELINE else name
    return find_agent(played, spec, tasks) if played in _players(spec, tasks) else None


def _players(spec: "EnvSpec", tasks: "TaskSet[Any, Any]") -> set[str]:
    return {"null", "random", *spec.players(tasks), *spec.cheats(tasks, spec.default_turns)}


def _check_names(names: list[str], specs: "dict[str, EnvSpec]", tasks: "dict[str, TaskSet[Any, Any]]") -> None:
    """Check the agents' names.

    Raises:
        UserError: One is named twice, or plays in no environment.
    """
    from mailgym.evaluate.scorecard import BASELINE

    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(f"{', '.join(twice)} is named twice: columns are told apart by their names")
    if choose.BASE in names:
        choose.adapted(names)
    known = {BASELINE}.union(*(_players(spec, tasks[env]) for env, spec in specs.items()))
    for name in names:
        if not choose.is_model_name(name) and name not in known:
            raise UserError(
                f"no agent {name!r} in any environment of the suite: choose among {', '.join(sorted(known))}"
            )
