"""What this machine is, and what of mailgym will run on it: the facts behind ``mailgym doctor``.

It knows nothing of mail or models; whether a model is fetched is told to it.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from platformdirs import user_cache_dir

from mailgym.core.provenance import describe_machine, library_versions

MIN_PYTHON = (3, 11)
EXTRAS: dict[str, tuple[str, ...]] = {
    "train": ("torch", "transformers", "peft", "safetensors", "gguf"),
    "trl": ("trl",),
}
"""Extra → the libraries it brings, as they are imported."""

CGROUP = Path("/sys/fs/cgroup")
GIB = 2**30


def cache_root() -> Path:
    """Return the folder mailgym keeps fetched things in: ``$MAILGYM_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("MAILGYM_CACHE")
    return Path(chosen).expanduser() if chosen else Path(user_cache_dir("mailgym"))


@dataclass(frozen=True, slots=True)
class Machine:
    """Facts about this machine, as this process sees it.

    Attributes:
        description: Processor, cores, memory and system, as a run records them.
        memory_free_gib: Memory that can be used now, container limits included.
        cores: Cores this process may use, container limits included.
        cache: Where fetched things are kept.
        cache_free_gib: Free disk there.
        versions: Installed libraries that can change a figure.
        missing: Extra → libraries of it that are not installed.
        gpus: Graphics processors that torch can use, with their memory.
        torch_problem: Why torch cannot be used although it is installed, None when it can or is not.
    """

    description: dict[str, Any]
    memory_free_gib: float
    cores: int
    cache: Path
    cache_free_gib: float
    versions: dict[str, str]
    missing: dict[str, tuple[str, ...]]
    gpus: tuple[str, ...] = ()
    torch_problem: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {**asdict(self), "cache": str(self.cache)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether one thing will run here.

    Attributes:
        name: What would be run.
        needs: What it needs, in words.
        problems: What stands against it, each with how to mend it; none when it will run.
    """

    name: str
    needs: str
    problems: tuple[str, ...] = field(default=())

    @property
    def runs(self) -> bool:
        """Whether it will run."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Needs:
    """What one thing needs of a machine."""

    name: str
    memory_gib: float = 0.0
    cores: int = 1
    gpu: bool = False
    model: bool = False
    extras: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [f"{self.memory_gib:g} GiB of free memory"] if self.memory_gib else []
        parts += [f"{self.cores} cores"] if self.cores > 1 else []
        parts += ["a CUDA graphics processor"] if self.gpu else []
        parts += ["the embedded model"] if self.model else []
        parts += [f"the extra {extra}" for extra in self.extras]
        return ", ".join(parts) or "nothing more"


WORK = (
    Needs("simulate, import, play, heuristics, red team", memory_gib=0.5),
    Needs("the demo", memory_gib=6, cores=2, model=True, extras=("train",)),
    Needs("training with --preset cpu", memory_gib=6, cores=2, model=True, extras=("train",)),
    Needs("training on a graphics processor", memory_gib=8, gpu=True, extras=("train",)),
)
"""What people run, and what it needs; the demo's figure is its limit of peak memory."""


def inspect_machine() -> Machine:
    """Look at this machine. Imports torch where it is installed, since only that shows whether it works."""
    missing = {extra: missing_libraries(extra) for extra in EXTRAS}
    gpus, torch_problem = _look_at_torch() if "torch" not in missing["train"] else ((), None)
    cache = cache_root()
    return Machine(
        description=describe_machine(),
        memory_free_gib=round(free_memory_bytes() / GIB, 1),
        cores=usable_cores(),
        cache=cache,
        cache_free_gib=round(shutil.disk_usage(_existing(cache)).free / GIB, 1),
        versions=library_versions(),
        missing={extra: libraries for extra, libraries in missing.items() if libraries},
        gpus=gpus,
        torch_problem=torch_problem,
    )


def judge(machine: Machine, model_problem: str | None, work: tuple[Needs, ...] = WORK) -> list[Verdict]:
    """Say what will run on a machine.

    Args:
        machine: Its facts.
        model_problem: Why the embedded model cannot be used, None when it can.
        work: What to judge.
    """
    return [Verdict(needs.name, str(needs), tuple(_problems(machine, needs, model_problem))) for needs in work]


def _problems(machine: Machine, needs: Needs, model_problem: str | None) -> list[str]:
    problems = []
    if sys.version_info < MIN_PYTHON:
        problems.append(f"Python {sys.version.split()[0]} is too old: install Python 3.11 or later")
    for extra in needs.extras:
        if libraries := machine.missing.get(extra):
            problems.append(f"{', '.join(libraries)} not installed: run  pip install 'mailgym[{extra}]'")
    if needs.extras and machine.torch_problem:
        problems.append(f"torch is installed and does not load ({machine.torch_problem}): install it again")
    if needs.gpu and not machine.gpus:
        problems.append("torch sees no graphics processor: check the driver, and that torch is a CUDA build")
    if machine.memory_free_gib < needs.memory_gib:
        problems.append(
            f"{machine.memory_free_gib:g} GiB of memory are free of {needs.memory_gib:g} needed: close other programs"
        )
    if machine.cores < needs.cores:
        problems.append(f"{machine.cores} core of {needs.cores} needed: it would run, and take much longer")
    if needs.model and model_problem:
        problems.append(f"the embedded model cannot be used, {model_problem}: run  mailgym model fetch")
    return problems


def missing_libraries(extra: str) -> tuple[str, ...]:
    """Return the libraries of an extra that are not installed; imports none."""
    return tuple(name for name in EXTRAS[extra] if find_spec(name) is None)


def usable_cores(cgroup: Path = CGROUP) -> int:
    """Return how many cores this process may use: its affinity, and its container's share rounded up."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    share = _read(cgroup / "cpu.max").split()
    if len(share) == 2 and share[0].isdigit():
        cores = min(cores, max(1, -(-int(share[0]) // int(share[1]))))
    return cores


def free_memory_bytes(cgroup: Path = CGROUP) -> int:
    """Return the memory that can be used now: the machine's, or what is left of the container's limit."""
    import psutil

    free = int(psutil.virtual_memory().available)
    limit, used = _read(cgroup / "memory.max").strip(), _read(cgroup / "memory.current").strip()
    if limit.isdigit() and used.isdigit():
        cached = _cgroup_statistics(cgroup).get("inactive_file", 0)
        free = min(free, max(0, int(limit) - int(used) + cached))
    return free


def _cgroup_statistics(cgroup: Path) -> Mapping[str, int]:
    lines = (line.split() for line in _read(cgroup / "memory.stat").splitlines())
    return {line[0]: int(line[1]) for line in lines if len(line) == 2 and line[1].isdigit()}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


def _existing(folder: Path) -> Path:
    """Return the nearest folder above that exists: where a folder not yet made would lie."""
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def _look_at_torch() -> tuple[tuple[str, ...], str | None]:
    try:
        import torch
    except (ImportError, OSError) as error:
        return (), str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    gpus = []
    for index in range(torch.cuda.device_count()) if torch.cuda.is_available() else ():
        facts = torch.cuda.get_device_properties(index)
        gpus.append(f"{facts.name} ({facts.total_memory / GIB:.0f} GiB)")
    return tuple(gpus), None
