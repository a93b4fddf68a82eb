"""``mailgym play``: one episode, watched or played by hand; or all of a bank, one after another."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli import choose
from mailgym.cli.options import (
    DEFAULT_RUNS,
    AsJson,
    Device,
    DryRun,
    EnvId,
    MailboxFile,
    ModelName,
    Owner,
    RunsFolder,
    Seed,
    Store,
    Threads,
    Turns,
)
from mailgym.cli.output import print_json, show, show_line
from mailgym.core.errors import UnknownTask, UserError

if TYPE_CHECKING:
    from mailgym.core.episode import Trajectory
    from mailgym.envs.registry import EnvSpec


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(play)


LOG_FORMATS = ("text", "openenv")
Player = Annotated[str, typer.Option("--agent", metavar="NAME", help="Who plays: human, a player, a model.")]
OneTask = Annotated[str | None, typer.Option("--task", metavar="ID", help="Which task; the seed picks one.")]
AllTasks = Annotated[
    str | None, typer.Option("--tasks", metavar="all", help="All tasks of the split, one after another.")
]
PlayedSplit = Annotated[
    str | None,
    typer.Option("--split", help="test, validation (one task's default), train, or bank (the default of --tasks)."),
]
PlayedProfile = Annotated[
    str | None,
    typer.Option("--profile", help="Rules and reward: hardened, or classic (the default of openenv's log lines)."),
]
LogFormat = Annotated[str, typer.Option("--log-format", help="text, or openenv: the lines [START], [STEP] and [END].")]


def play(
    env: EnvId,
    agent: Player = "human",
    model: ModelName = None,
    task: OneTask = None,
    tasks: AllTasks = None,
    seed: Seed = 0,
    mailbox: MailboxFile = None,
    owner: Owner = None,
    store: Store = None,
    split: PlayedSplit = None,
    turns: Turns = None,
    profile: PlayedProfile = None,
    temperature: Annotated[float, typer.Option("--temperature", min=0.0, help="Of language models; 0: greedy.")] = 0.0,
    runs: RunsFolder = DEFAULT_RUNS,
    device: Device = None,
    threads: Threads = None,
    tool_calls: Annotated[str, typer.Option("--tool-calls", help="Of models: native, text or auto.")] = "auto",
    log_format: LogFormat = "text",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Play one episode; when it is over, show the whole score and the answer key. Exit code 1 if it failed."""
    from mailgym.envs.registry import get_spec
    from mailgym.rollout.engine import EpisodeRequest, play_episodes

    spec = get_spec(env)
    if model is not None and agent == "human":
        agent = choose.THE_MODEL
    form = _form(log_format, as_json, agent)
    _check_tasks(task, tasks)
    split = split or ("bank" if tasks and "bank" in spec.splits else "validation")
    profile = profile or ("classic" if form == "openenv" else "hardened")
    found = choose.find_store(spec, mailbox, store, owner)
    loaded = choose.load_tasks(spec, found, split, None, seed)
    names = choose.wanted_agents(agent, spec, loaded, turns, model)
    if len(names) != 1:
        raise UserError(f"one agent plays an episode, and {agent!r} names {len(names)}: compare them with mailgym eval")
    task_ids = list(loaded.task_ids) if tasks else [_one_task(loaded.task_ids, task, split, seed)]
    if dry_run:
        plan = {"env": env, "task_id": ", ".join(task_ids), "agent": names[0]}
        print_json(plan) if as_json else show(f"{names[0]} would play task {plan['task_id']} of {env}")
        return
    choose.check_tool_calls(tool_calls)
    how = choose.How(temperature, None, runs, device, threads, tool_calls)
    (player,) = choose.open_agents(agent, spec, loaded, turns, model, how)
    all_played = []
    for task_id in task_ids:
        all_played += play_episodes(
            lambda: spec.make(loaded, profile=profile, turns=turns), player, [EpisodeRequest(task_id)], seed, env
        )
        _report(all_played[-1], spec, form, by_hand=agent == "human")
    if as_json:
        records = [played.to_json() for played in all_played]
        print_json(records if tasks else records[0])
    elif any(played.failure is not None for played in all_played):
        raise typer.Exit(1)


def _form(log_format: str, as_json: bool, agent: str) -> str:
    """Return in which form episodes are told: text, openenv or json."""
    if log_format not in LOG_FORMATS:
        raise UserError(f"no log format {log_format!r}: choose one of {', '.join(LOG_FORMATS)}")
    if log_format == "openenv" and as_json:
        raise UserError("--json and --log-format openenv are two forms of the same: give one of them")
    form = "json" if as_json else log_format
    if agent == "human" and form != "text":
        option = "--json" if as_json else "--log-format openenv"
        raise UserError(f"a person cannot play with {option}: name another agent with --agent")
    return form


def _check_tasks(task: str | None, tasks: str | None) -> None:
    if tasks not in (None, "all"):
        raise UserError(f"--tasks takes all, not {tasks!r}: one task is  --task {tasks}")
    if tasks and task:
        raise UserError("--tasks all and --task are two answers to one question: give one of them")


def _one_task(task_ids: Sequence[str], task: str | None, split: str, seed: int) -> str:
    """Return the task that is named, or the one that the seed picks."""
    from mailgym.core.seeds import stream

    task_id = task or stream(seed, "play").choice(task_ids)
    if task_id not in task_ids:
        raise UnknownTask(f"no task {task_id!r} in split {split!r}: it has {', '.join(task_ids[:3])} …")
    return task_id


def _report(played: "Trajectory", spec: "EnvSpec", form: str, by_hand: bool) -> None:
    """Tell an episode that is over; as JSON all are told at the end."""
    if form == "openenv":
        from mailgym.rollout.log_lines import openenv_lines

        for line in openenv_lines(played, spec.log_name or spec.id):
            show_line(line)
    elif form == "text":
        if not by_hand:
            _tell(played, spec)
        _tell_end(played, spec)


def _tell(played: "Trajectory", spec: "EnvSpec") -> None:
    """Show what was seen and done, turn by turn."""
    for number, step in enumerate(played.steps, 1):
        show(spec.render(step.observation))
        show(f"\n[{played.agent}, turn {number}] {step.decision.text or step.decision.action}\n")


def _tell_end(played: "Trajectory", spec: "EnvSpec") -> None:
    """Show the last observation, why it ended, the score's parts and the key."""
    last = played.steps[-1] if played.steps else None
    if last is not None and last.result is not None:
        show(spec.render(last.result.observation))
    if played.failure is not None:
        show(f"\nfailed ({played.failure.boundary}): {played.failure.message}")
        return
    show(f"\nended: {played.stop_reason}, reward {played.reward:.3f}")
    for part in played.score.parts if played.score else ():
        weight = f" × {part.weight:g}" if part.weight else ""
        show(f"  {part.name:<32} {part.value:g}{weight}{f'  {part.note}' if part.note else ''}")
    show("answer key")
    for name, value in played.key.items():
        show(f"  {name:<32} {_plain(value)}")


def _plain(value: Any) -> str:
    return ", ".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value)
