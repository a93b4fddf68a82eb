"""What ``mailgym eval --out`` adds: two agents compared in every component, for people and as JSON."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mailgym.cli.output import note, show
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from mailgym.core.episode import Trajectory
    from mailgym.envs.registry import EnvSpec


def check(out: Path | None, names: Sequence[str]) -> None:
    """Check, before anything is played, that two agents are compared and that the file can be written.

    Raises:
        UserError: There are not two agents, or the file cannot be one.
    """
    if out is None:
        return
    if len(names) != 2:
        raise UserError(
            f"--out compares two agents, the baseline first, and {len(names)} are named: give  --agents base,run:NAME"
        )
    if out.is_dir() or not out.parent.is_dir():
        raise UserError(f"--out {out}: name a file in a folder that is there")


def write(
    spec: "EnvSpec",
    played: "Mapping[str, Sequence[Trajectory]]",
    seed: int,
    asked: Mapping[str, Any],
    out: Path | None,
    as_json: bool,
) -> None:
    """Compare the two agents' episodes, write the comparison to ``out`` (if any), and show it unless ``as_json``."""
    from mailgym.evaluate.noninferior import before_after

    if out is None:
        return
    first, second = played
    found = before_after(spec.id, spec.figures, played[first], played[second], names=(first, second), seed=seed)
    data = {**found.to_json(), "asked": dict(asked)}
    out.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    if not as_json:
        show(found.to_rich())
        show(found.verdict)
    note(f"written to {out}")
