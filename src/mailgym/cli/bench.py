"""``mailgym eval``: agents measured on the same tasks."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli import before_after, choose, judged
from mailgym.cli.options import (
    DEFAULT_RUNS,
    AsJson,
    Count,
    Device,
    DryRun,
    EnvId,
    MailboxFile,
    ModelName,
    Owner,
    Profile,
    Resume,
    RunsFolder,
    Seed,
    Split,
    Store,
    Threads,
    Turns,
)
from mailgym.cli.output import note, print_json, progress_bars, show
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from mailgym.core.episode import Trajectory
    from mailgym.core.protocols import Agent, Environment
    from mailgym.core.runs import RunFolder
    from mailgym.envs.registry import EnvSpec
    from mailgym.rollout.judging import Judging

Agents = Annotated[
    str | None,
    typer.Option("--agents", metavar="A,B,C", help="Players, cheats, models; by default all honest players."),
]
Temperature = Annotated[float, typer.Option("--temperature", min=0.0, help="Of language models; 0: greedy.")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", min=1, help="Of one turn of a model.")]
Save = Annotated[str | None, typer.Option("--save", metavar="NAME", help="Keep the episodes as a run.")]
ToolCalls = Annotated[
    str, typer.Option("--tool-calls", help="Of models: native, text, or auto: native where there is such a form.")
]
AtOnce = Annotated[int, typer.Option("--at-once", min=1, help="Episodes played side by side; 1 to measure latency.")]
JudgeName = Annotated[
    str | None, typer.Option("--judge", metavar="NAME", help="A language model that decides unsure answers.")
]
JudgeSure = Annotated[
    int, typer.Option("--judge-sure", min=0, help="Sure answers of each agent it sees too, to compare.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Two agents, before and after: every component, as JSON."),
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the table, as PNG or SVG.")]
PriceIn = Annotated[float | None, typer.Option("--price-in", min=0.0, help="US dollars for a million tokens read.")]
PriceOut = Annotated[
    float | None, typer.Option("--price-out", min=0.0, help="US dollars for a million tokens written.")
]
JudgePriceIn = Annotated[float | None, typer.Option("--judge-price-in", min=0.0, help="The same for the judge.")]
JudgePriceOut = Annotated[float | None, typer.Option("--judge-price-out", min=0.0, help="The same for the judge.")]
PHASE = "eval"
MAX_SHOWN_REASONS = 3


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("eval")(evaluate)


def evaluate(
    env: EnvId,
    agents: Agents = None,
    model: ModelName = None,
    n: Count = None,
    seed: Seed = 0,
    mailbox: MailboxFile = None,
    owner: Owner = None,
    store: Store = None,
    split: Split = "test",
    turns: Turns = None,
    profile: Profile = "hardened",
    temperature: Temperature = 0.0,
    max_tokens: MaxTokens = None,
    save: Save = None,
    runs: RunsFolder = DEFAULT_RUNS,
    resume: Resume = False,
    device: Device = None,
    threads: Threads = None,
    tool_calls: ToolCalls = "auto",
    at_once: AtOnce = 64,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    judge: JudgeName = None,
    judge_sure: JudgeSure = 50,
    judge_price_in: JudgePriceIn = None,
    judge_price_out: JudgePriceOut = None,
    plot: Plot = None,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Play agents on the same tasks, and compare them with intervals.

    Without --mailbox or --store the tasks are those of a simulated company, of the size that the environment asks for.

    --judge is asked about answers that the rules of the rubric cannot tell, and, to see how far both agree, about some
    that they can. Without it such answers count as not right, and their number is told.

    --out FILE compares two agents, the first named as the baseline: --agents base,run:NAME for a run's model before and
    after its training. It tells for every component whether it is shown not to have fallen.
    """
    from mailgym.envs.registry import get_spec

    spec = get_spec(env)
    if resume and save is None:
        raise UserError("--resume goes on with a benchmark that was kept: name it with  --save NAME")
    judged.check_options(profile, tool_calls, plot)
    how = choose.How(temperature, max_tokens, runs, device, threads, tool_calls, choose.read_price(price_in, price_out))
    judge_how = replace(how, price=choose.read_price(judge_price_in, judge_price_out))
    judged.check_judge(judge, judge_how)
    tasks = choose.load_tasks(spec, choose.find_store(spec, mailbox, store, owner), split, n, seed)
    names = choose.wanted_agents(agents, spec, tasks, turns, model)
    what = {"env": env, "turns": spec.turns(turns), "profile": profile, "seed": seed, "split": split}
    asked = {**what, **_details(tasks, temperature, judge)}
    before_after.check(out, names)
    if dry_run:
        plan = f"would play {len(names)} agents ({', '.join(names)}) on {len(tasks)} {split} tasks of {env}"
        print_json({**asked, "agents": names}) if as_json else show(plan)
        return
    players = choose.open_agents(agents, spec, tasks, turns, model, how)
    bench = judged.open_judge(judge, judge_sure, judge_how)
    config = {"kind": PHASE, "eval": asked, "data": choose.source_facts(spec, mailbox, store)}
    run = _open_run(runs / save, config, resume) if save else None
    played, facts = _play_and_judge(spec, tasks, players, asked, run, at_once, bench)
    _show_table(spec, seed, played, list(filter(choose.is_model_name, names)), facts, at_once, plot, as_json)
    before_after.write(spec, played, seed, {**asked, "agents": names}, out, as_json)
    if run is not None:
        note(f"kept in {run.path}")


def _details(tasks: Any, temperature: float, judge: str | None) -> dict[str, Any]:
    """Return what a record of a benchmark tells beside its environment and split."""
    details = {"tasks": len(tasks), "store": tasks.folder.name, "temperature": temperature}
    return {**details, "judge": judge} if judge else details


def _play_and_judge(
    spec: "EnvSpec",
    tasks: Any,
    players: "list[Agent]",
    asked: dict[str, Any],
    run: "RunFolder | None",
    at_once: int,
    bench: "judged.Bench | None",
) -> "tuple[dict[str, list[Trajectory]], dict[str, Any]]":
    """Return every agent's episodes, and what is told of them beside the table."""

    def environments() -> "Environment":
        return spec.make(tasks, profile=asked["profile"], turns=asked["turns"])

    judgings = {player.name: bench.judging() for player in players} if bench else {}
    try:
        played = _play_all(players, environments, tasks.task_ids, asked["seed"], spec.id, run, at_once, judgings)
    finally:
        if run is not None:
            run.close()
    return played, {
        "unsure": judged.unsure_counts(played),
        "judge": judged.judge_facts(bench, list(judgings.values())),
        "attacks": judged.attack_counts(spec, tasks.folder, played),
    }


def _open_run(path: Path, config: dict[str, Any], resume: bool) -> "RunFolder":
    from mailgym.core.runs import RunFolder

    return RunFolder.resume(path, config) if resume else RunFolder.create(path, config)


def _play_all(
    players: "list[Agent]",
    environments: Any,
    task_ids: Any,
    seed: int,
    env: str,
    run: "RunFolder | None",
    at_once: int,
    judgings: "dict[str, Judging]",
) -> "dict[str, list[Trajectory]]":
    """Play every agent on every task; what a run holds already is not played again."""
    from mailgym.rollout.engine import EpisodeRequest, play_episodes
    from mailgym.rollout.recorded import play_missing

    played: dict[str, list[Trajectory]] = {}
    with progress_bars() as report:
        for player in players:
            done = sum(key.agent == player.name for key in run.episode_keys(PHASE)) if run else 0

            def advance(count: int, name: str = player.name) -> None:
                nonlocal done
                done += count
                report(name, done, len(task_ids))

            advance(0)
            if run is None:
                requests = [EpisodeRequest(task_id) for task_id in task_ids]
                played[player.name] = play_episodes(
                    environments,
                    player,
                    requests,
                    seed,
                    env,
                    progress=advance,
                    live_episodes=at_once,
                    judging=judgings.get(player.name),
                )
            else:
                play_missing(
                    run,
                    PHASE,
                    player,
                    environments,
                    task_ids,
                    seed,
                    env,
                    progress=advance,
                    live_episodes=at_once,
                    judging=judgings.get(player.name),
                )
                kept = {e.trajectory.task_id: e.trajectory for e in run.episodes(PHASE, player.name)}
                played[player.name] = [kept[task_id] for task_id in task_ids]
    return played


def _show_table(
    spec: "EnvSpec",
    seed: int,
    played: "dict[str, list[Trajectory]]",
    models: list[str],
    facts: dict[str, Any],
    at_once: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    from mailgym.evaluate.benchmark import format_interval, tabulate
    from mailgym.evaluate.compare import compare_all

    table = tabulate(played, env_id=spec.id, seed=seed, figures=spec.figures, published=spec.published)
    if plot is not None:
        from mailgym.evaluate.bars import draw_table

        draw_table(table, plot)
    comparisons = {}
    for model in models:
        others = {name: episodes for name, episodes in played.items() if name != model}
        comparisons[model] = compare_all(played[model], others, name=model, seed=seed)
    if as_json:
        paired = [{**found.to_json(), "adjusted_p": p} for pairs in comparisons.values() for found, p in pairs]
        print_json({**table.to_json(), "episodes_at_once": at_once, **facts, "comparisons": paired})
        return
    show(table.to_rich())
    if spec.figures:
        show(f"seconds are those of an episode among {at_once} played at once")
    judged.tell(facts["unsure"], facts["attacks"], facts["judge"])
    reasons = Counter(t.failure.message for episodes in played.values() for t in episodes if t.failure is not None)
    for reason, count in reasons.most_common(MAX_SHOWN_REASONS):
        note(f"{count} failed: {reason}")
    for model, pairs in comparisons.items():
        show(f"\n{model}, paired with each of the others (reward of {model} minus theirs; p adjusted by Holm):")
        for found, adjusted in pairs:
            gained, same, lost = found.counts()
            difference = format_interval(found.difference.interval if found.difference else None, sign=True)
            p_value = "–" if adjusted is None else f"{adjusted:.3f}"
            show(f"  {found.before:<20} {difference}  p {p_value}  better {gained}, same {same}, worse {lost}")
