"""``mailgym play``: one episode, watched or played by hand."""

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
    Profile,
    RunsFolder,
    Seed,
    Split,
    Store,
    Threads,
    Turns,
)
from mailgym.cli.output import print_json, show
from mailgym.core.errors import UnknownTask, UserError

if TYPE_CHECKING:
    from mailgym.core.episode import Trajectory
    from mailgym.envs.registry import EnvSpec


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(play)


def play(
    env: EnvId,
    agent: Annotated[
        str, typer.Option("--agent", metavar="NAME", help="Who plays: human, a player, a model.")
    ] = "human",
    model: ModelName = None,
    task: Annotated[str | None, typer.Option("--task", metavar="ID", help="Which task; the seed picks one.")] = None,
    seed: Seed = 0,
    mailbox: MailboxFile = None,
    owner: Owner = None,
    store: Store = None,
    split: Split = "validation",
    turns: Turns = None,
    profile: Profile = "hardened",
    temperature: Annotated[float, typer.Option("--temperature", min=0.0, help="Of language models; 0: greedy.")] = 0.0,
    runs: RunsFolder = DEFAULT_RUNS,
    device: Device = None,
    threads: Threads = None,
    tool_calls: Annotated[str, typer.Option("--tool-calls", help="Of models: native, text or auto.")] = "auto",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Play one episode; when it is over, show the whole score and the answer key. Exit code 1 if it failed."""
    from mailgym.core.seeds import stream
    from mailgym.envs.registry import get_spec
    from mailgym.rollout.engine import EpisodeRequest, play_episodes

    spec = get_spec(env)
    if model is not None and agent == "human":
        agent = choose.THE_MODEL
    if agent == "human" and as_json:
        raise UserError("a person cannot play with --json: name another agent with --agent")
    found = choose.find_store(spec, mailbox, store, owner)
    tasks = choose.load_tasks(spec, found, split, None, seed)
    names = choose.wanted_agents(agent, spec, tasks, turns, model)
    if len(names) != 1:
        raise UserError(f"one agent plays an episode, and {agent!r} names {len(names)}: compare them with mailgym eval")
    task_id = task or stream(seed, "play").choice(tasks.task_ids)
    if task_id not in tasks.task_ids:
        raise UnknownTask(f"no task {task_id!r} in split {split!r}: it has {', '.join(tasks.task_ids[:3])} …")
    if dry_run:
        plan = {"env": env, "task_id": task_id, "agent": names[0]}
        print_json(plan) if as_json else show(f"{names[0]} would play task {task_id} of {env}")
        return
    choose.check_tool_calls(tool_calls)
    how = choose.How(temperature, None, runs, device, threads, tool_calls)
    (player,) = choose.open_agents(agent, spec, tasks, turns, model, how)
    (played,) = play_episodes(
        lambda: spec.make(tasks, profile=profile, turns=turns), player, [EpisodeRequest(task_id)], seed, env
    )
    if as_json:
        print_json(played.to_json())
        return
    if agent != "human":
        _tell(played, spec)
    _tell_end(played, spec)
    if played.failure is not None:
        raise typer.Exit(1)


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
