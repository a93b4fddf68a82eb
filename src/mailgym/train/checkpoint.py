"""Checkpoints of a run: the last one, from which it resumes, and the best one by validation.

    checkpoints/update-00012/       adapter (a plain peft folder), optimizer.pt, state.json
    checkpoints/warm-start-00024/   the same, of the warm start
    checkpoints/best/               adapter and state.json of the best validation

A folder is written under another name and then renamed, so that a kill leaves it whole or absent; the last two of
each kind are kept, since the newest could be damaged by a full disk.
"""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import torch

from mailgym.core.errors import RunError
from mailgym.train.policy import Policy

STATE_FILE = "state.json"
OPTIMIZER_FILE = "optimizer.pt"
KEPT = 2


class Checkpoints:
    """The ``checkpoints`` folder of one run."""

    def __init__(self, folder: Path, kind: str = "update") -> None:
        """Use ``folder`` for checkpoints of this kind; leftovers of a kill are removed."""
        self.folder = folder
        self._kind = kind
        folder.mkdir(parents=True, exist_ok=True)
        for leftover in folder.glob("*.partial"):
            shutil.rmtree(leftover)
        replaced = folder / "best.old"
        if replaced.exists():
            if self.best.exists():
                shutil.rmtree(replaced)
            else:
                replaced.rename(self.best)

    @property
    def best(self) -> Path:
        """The best checkpoint by validation."""
        return self.folder / "best"

    def newest(self) -> int:
        """Return the update of the newest checkpoint, 0 if there is none."""
        return max((int(path.name.removeprefix(f"{self._kind}-")) for path in self._numbered()), default=0)

    def restore(self, policy: Policy, optimizer: torch.optim.Optimizer) -> int:
        """Load the newest checkpoint and return its update, 0 if there is none.

        Raises:
            RunError: A checkpoint cannot be read.
        """
        newest = self._numbered()[-1:]
        if not newest:
            return 0
        folder = newest[0]
        try:
            policy.load(folder)
            optimizer.load_state_dict(torch.load(folder / OPTIMIZER_FILE, weights_only=True))
            return int(json.loads((folder / STATE_FILE).read_text())["update"])
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise RunError(
                f"the checkpoint {folder} cannot be read ({error}): delete that folder to go on from the one before"
            ) from error

    def save(self, policy: Policy, optimizer: torch.optim.Optimizer, update: int) -> None:
        """Write the checkpoint of an update and drop the oldest."""
        partial = self._partial(self._name(update))
        policy.save(partial)
        torch.save(optimizer.state_dict(), partial / OPTIMIZER_FILE)
        self._finish(partial, {"update": update}, self.folder / self._name(update))
        for old in self._numbered()[:-KEPT]:
            shutil.rmtree(old)

    def keep_if_best(self, policy: Policy, update: int, reward: float) -> bool:
        """Make this the best checkpoint if its validation reward is above the best so far."""
        if self.best.exists() and reward <= self.best_state()["reward"]:
            return False
        partial = self._partial("best")
        policy.save(partial)
        self._finish(partial, {"update": update, "reward": reward}, self.best)
        return True

    def best_state(self) -> dict[str, Any]:
        """Update and validation reward of the best checkpoint."""
        state: dict[str, Any] = json.loads((self.best / STATE_FILE).read_text())
        return state

    def _numbered(self) -> list[Path]:
        return sorted(path for path in self.folder.glob(f"{self._kind}-*") if path.suffix != ".partial")

    def _name(self, update: int) -> str:
        return f"{self._kind}-{update:05d}"

    def _partial(self, name: str) -> Path:
        partial = self.folder / f"{name}.partial"
        if partial.exists():
            shutil.rmtree(partial)
        return partial

    def _finish(self, partial: Path, state: dict[str, Any], target: Path) -> None:
        (partial / STATE_FILE).write_text(json.dumps(state))
        for file in partial.iterdir():
            with file.open("rb") as handle:
                os.fsync(handle.fileno())
        if target.exists():
            old = target.with_name(f"{target.name}.old")
            target.rename(old)
            partial.rename(target)
            shutil.rmtree(old)
        else:
            partial.rename(target)
