"""``mailgym demo`` and ``mailgym train``: the main job, on a simulated company or on your own mail."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli.options import DEFAULT_RUNS, AsJson, DryRun, EnvId, MailboxFile, Resume, RunsFolder, Store
from mailgym.cli.output import note, print_json, show
from mailgym.core.errors import ConfigError, RunError, UserError

if TYPE_CHECKING:
    from mailgym.core.runs import RunFolder
    from mailgym.train.config import ExperimentConfig

DEMO = "demo"

RunSeed = Annotated[int | None, typer.Option("--seed", min=0, help="Decides every random draw; the preset's if left.")]
RunNameOption = Annotated[str | None, typer.Option("--name", metavar="NAME", help="The run's name; numbered if left.")]
Overrides = Annotated[
    list[str] | None,
    typer.Argument(metavar="[KEY=VALUE]...", help="Overrides of the preset, such as train.updates=40."),
]
WarmStartOption = Annotated[
    str | None,
    typer.Option(
        "--warm-start",
        metavar="PLAYER:N",
        help="Imitate N trajectories of a player before the first update: oracle:64.",
    ),
]
WarmStartEpochs = Annotated[
    int | None, typer.Option("--warm-start-epochs", min=1, help="How often each of them is imitated.")
]
WarmStartLearningRate = Annotated[
    float | None, typer.Option("--warm-start-learning-rate", help="The optimiser's while imitating.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(demo)
    app.command()(train)


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed, beside the configuration itself.

    Attributes:
        again: The command that goes on with the run, without ``--name`` and ``--resume``.
        prefix: The run's name is this and a number, unless one was given.
    """

    again: str
    prefix: str
    name: str | None
    runs: Path
    resume: bool
    dry_run: bool
    as_json: bool


def demo(
    overrides: Overrides = None,
    seed: RunSeed = None,
    name: RunNameOption = None,
    runs: RunsFolder = DEFAULT_RUNS,
    resume: Resume = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Simulate companies, train the embedded model to find mail in one, and show what it gained on another.

    Ctrl-C loses at most the update in flight: --resume goes on.
    """
    asked = Asked(f"mailgym demo{_in(runs)}", DEMO, name, runs, resume, dry_run, as_json)
    run_experiment(DEMO, overrides or (), {"run.seed": seed}, asked)


def train(
    env: EnvId,
    overrides: Overrides = None,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME",
            help="demo (minutes), cpu, find-warm, search-cpu (longer), art-e (one GPU), or a TOML file.",
        ),
    ] = DEMO,
    mailbox: MailboxFile = None,
    store: Store = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME", help="The model to start from: local, a folder, or a hub id."),
    ] = None,
    turns: Annotated[int | None, typer.Option("--turns", min=1, help="Turns of an episode.")] = None,
    profile: Annotated[str | None, typer.Option("--profile", help="Rules and reward: hardened or classic.")] = None,
    warm_start: WarmStartOption = None,
    warm_start_epochs: WarmStartEpochs = None,
    warm_start_learning_rate: WarmStartLearningRate = None,
    seed: RunSeed = None,
    name: RunNameOption = None,
    runs: RunsFolder = DEFAULT_RUNS,
    resume: Resume = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Train a model in an environment, and measure it on held-out tasks before and after.

    Without --mailbox or --store the mail is that of simulated companies. --warm-start oracle:64 first imitates 64
    trajectories of the oracle on training tasks. Ctrl-C loses at most the update in flight: --resume goes on.
    """
    if mailbox is not None and store is not None:
        raise UserError("--mailbox and --store both say where the questions come from: give one of them")
    source = "mailbox" if mailbox is not None else "store" if store is not None else None
    given: dict[str, Any] = {
        "run.env": env,
        "run.model": model,
        "run.turns": turns,
        "run.profile": profile,
        "run.seed": seed,
        "data.mailbox": None if mailbox is None else str(mailbox),
        "data.store": None if store is None else str(store),
        "data.source": source,
        **read_warm_start(warm_start),
        "warm_start.epochs": warm_start_epochs,
        "warm_start.learning_rate": warm_start_learning_rate,
    }
    asked = Asked(f"mailgym train {env}{_in(runs)}", env, name, runs, resume, dry_run, as_json)
    run_experiment(preset, overrides or (), given, asked)


def read_warm_start(text: str | None) -> dict[str, Any]:
    """Return what ``--warm-start`` sets; nothing where it was not given.

    Raises:
        ConfigError: It is not a player and a number.
    """
    if text is None:
        return {}
    found = re.fullmatch(r"(\w+):(\d+)", text)
    if found is None:
        raise ConfigError(f"--warm-start {text}: give a player and a number of trajectories, such as oracle:64")
    return {"warm_start.player": found[1], "warm_start.trajectories": int(found[2])}


def read_config(base: Mapping[str, Any], overrides: Sequence[str], given: Mapping[str, Any]) -> "ExperimentConfig":
    """Return the configuration: the defaults, over them the base, over it the options, over them the overrides.

    A preset's turns, and the size of its companies, are those of its own environment: where another is asked for, that
    one's are taken.

    Raises:
        ConfigError: An unknown key, or a value of the wrong type or out of its range.
        UnknownEnvironment: No environment has this id.
    """
    from mailgym.core.config import apply_overrides, from_dict, to_dict
    from mailgym.envs.registry import get_spec
    from mailgym.train.config import ExperimentConfig

    values = to_dict(from_dict(ExperimentConfig, base))
    env = given.get("run.env")
    if env is not None and env != values["run"]["env"]:
        values["run"]["turns"] = get_spec(env).turns(None)
        values["data"]["size"] = get_spec(env).simulated_size
    for key, value in given.items():
        if value is not None:
            section, field = key.split(".")
            values[section][field] = value
    config = from_dict(ExperimentConfig, apply_overrides(values, overrides))
    for named in (config.run.env, *(stage.env for stage in config.curriculum.stages)):
        get_spec(named)
    return config


def run_experiment(preset: str, overrides: Sequence[str], given: Mapping[str, Any], asked: Asked) -> None:
    """Run one experiment in its folder, write its report, and say how to go on.

    A resumed run keeps its own configuration, whatever the preset says by now; what was typed must not contradict it.
    """
    import tomli_w

    from mailgym.core.config import freeze, load_preset, to_dict
    from mailgym.core.runs import RunFolder

    path = choose_folder(asked)
    config = read_config(RunFolder.open(path).config if asked.resume else load_preset(preset), overrides, given)
    values = freeze(to_dict(config))
    if asked.dry_run:
        plan = {"run": str(path), "resume": asked.resume, "config": values}
        print_json(plan) if asked.as_json else show(f"would run in {path}\n\n{tomli_w.dumps(values).rstrip()}")
        return
    with _resume(path, values) if asked.resume else RunFolder.create(path, values) as run:
        note(f"run {run.path}\n\n{tomli_w.dumps(run.config).rstrip()}\n")
        _execute(run, config, asked)
        _report(run, asked)


def _resume(path: Path, values: Mapping[str, Any]) -> "RunFolder":
    """Open a run to go on with it; keys that an older version did not know are no difference where they are default."""
    from mailgym.core.config import flatten, to_dict
    from mailgym.core.runs import RunFolder
    from mailgym.train.config import ExperimentConfig

    own, default = flatten(RunFolder.open(path).config), flatten(to_dict(ExperimentConfig()))
    asked = flatten(values)
    unknown_then = [key for key, value in asked.items() if key not in own and value == default.get(key)]
    return RunFolder.resume(path, values, unknown_then)


def choose_folder(asked: Asked) -> Path:
    """Return the run's folder: the one named, the newest one to resume, or the next free number.

    Raises:
        RunError: There is nothing to resume.
    """
    if asked.name is not None:
        return asked.runs / asked.name
    numbers = [0]
    if asked.runs.is_dir():
        pattern = re.compile(rf"{re.escape(asked.prefix)}-(\d+)")
        numbers += [int(found[1]) for path in asked.runs.iterdir() if (found := pattern.fullmatch(path.name))]
    last = max(numbers)
    if not asked.resume:
        return asked.runs / f"{asked.prefix}-{last + 1}"
    if last == 0:
        raise RunError(f"there is no run {asked.prefix}-N in {asked.runs} to resume: start one with  {asked.again}")
    return asked.runs / f"{asked.prefix}-{last}"


def _execute(run: "RunFolder", config: "ExperimentConfig", asked: Asked) -> None:
    from mailgym.train.display import Display
    from mailgym.train.experiment import Experiment

    try:
        Experiment(run, config, Display()).execute()
    except KeyboardInterrupt:
        note(f"\nstopped; {run.path} holds everything so far. Go on with  {asked.again} --resume --name {run.name}")
        raise


def _report(run: "RunFolder", asked: Asked) -> None:
    from mailgym.evaluate.report import gather, write_report

    report = gather(run)
    paths = [path for path in write_report(run) if path is not None]
    if asked.as_json:
        print_json({"run": str(run.path), **report.to_json(), "report": [str(path) for path in paths]})
        return
    from mailgym.cli.verdict import print_verdict

    print_verdict(report)
    for path in paths:
        show(str(path))
    _say_what_next(run, asked)


def _say_what_next(run: "RunFolder", asked: Asked) -> None:
    from mailgym.envs.base import DEFAULT_PROFILE
    from mailgym.envs.registry import get_spec
    from mailgym.train.config import DataConfig

    env, turns, profile = (run.config["run"][key] for key in ("env", "turns", "profile"))
    data = run.config["data"]
    mailbox, store = data.get("mailbox"), data.get("store")
    on = f" --mailbox {shlex.quote(mailbox)}" if mailbox else f" --store {shlex.quote(store)}" if store else ""
    spec = get_spec(env)
    form = "" if turns == spec.turns(None) else f" --turns {turns}"
    form += "" if profile == DEFAULT_PROFILE else f" --profile {profile}"
    on, where = f"{form}{on}", _in(asked.runs)
    show(f"\ngo on:  mailgym eval {env} --model run:{run.name}{on}{where}")
    if not spec.needs_mail or spec.simulated_size != DataConfig().size:
        return  # neither one's own mail as it comes nor the preset cpu has tasks of this environment
    if not mailbox and not store:
        show(f"        mailgym train {env} --mailbox your.mbox{form}{where}")
    show(f"        mailgym train {env} --preset cpu{on}{where}")


def _in(runs: Path) -> str:
    """Return the option that names the folder of runs, nothing for the default one."""
    return "" if runs == DEFAULT_RUNS else f" --runs {shlex.quote(str(runs))}"
