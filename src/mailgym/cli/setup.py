"""``mailgym envs`` and ``mailgym doctor``: what there is, and what will run here."""

import typer

from mailgym.cli.options import AsJson
from mailgym.cli.output import print_json, show


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(envs)
    app.command()(doctor)


def envs(as_json: AsJson = False) -> None:
    """List the environments."""
    from rich.table import Table

    from mailgym.agents.finder import agent_names
    from mailgym.envs.registry import all_specs

    specs = all_specs()
    if as_json:
        facts = [{"id": s.id, "title": s.title, "system": s.system, "turns": list(s.turn_forms)} for s in specs]
        print_json(facts)
        return
    table = Table("id", "one episode", "implements", "turns", "agents")
    for spec in specs:
        turns = " or ".join(str(turns) for turns in spec.turn_forms)
        table.add_row(spec.id, spec.title, spec.system, turns, ", ".join(agent_names(spec)))
    show(table)


def doctor(as_json: AsJson = False) -> None:
    """Check this machine, and say what will run on it; exit code 1 when the demo will not."""
    from mailgym.core.machine import inspect_machine, judge
    from mailgym.llm import embedded

    machine = inspect_machine()
    problem = embedded.damage(hashes=True)
    verdicts = judge(machine, problem)
    if as_json:
        found = [{"name": v.name, "needs": v.needs, "runs": v.runs, "problems": list(v.problems)} for v in verdicts]
        print_json({"machine": machine.to_json(), "embedded_model": problem or "whole", "verdicts": found})
    else:
        about = machine.description
        show(f"{about['processor']}, {machine.cores} cores usable, {about['system']}")
        show(f"memory    {machine.memory_free_gib:g} GiB free of {about['memory_gib']:g}")
        show(f"disk      {machine.cache_free_gib:g} GiB free for {machine.cache}")
        show(f"versions  {', '.join(f'{name} {number}' for name, number in machine.versions.items())}")
        show(f"GPU       {', '.join(machine.gpus) or 'none that torch can use'}")
        show(f"model     {problem or f'whole, in {embedded.model_dir()}'}")
        for verdict in verdicts:
            show(f"{'will run    ' if verdict.runs else 'will not run'}  {verdict.name} (needs {verdict.needs})")
            for line in verdict.problems:
                show(f"              - {line}")
    if not all(verdict.runs for verdict in verdicts if verdict.name == "the demo"):
        raise typer.Exit(1)
