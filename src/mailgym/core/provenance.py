"""What ran where: the machine and the versions, for a figure to be read beside them. Imports no library."""

import os
import platform
import shlex
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

LIBRARIES = ("mailgym", "torch", "transformers", "peft", "trl", "numpy", "openai", "pydantic")


def library_versions() -> dict[str, str]:
    """Return the installed version of every library that can change a figure, Python's own first."""
    versions = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def describe_machine() -> dict[str, Any]:
    """Return the processor, the cores this process may use, memory in GiB, and the operating system."""
    import psutil

    return {
        "processor": _processor_name(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _processor_name() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def command_line() -> str:
    """Return the command that started this process, without the folder of the program."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def provenance(command: str) -> dict[str, Any]:
    """Return one record of who opens a run: time (UTC), process, command, machine and versions."""
    return {
        "opened_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "process": os.getpid(),
        "command": command,
        "machine": describe_machine(),
        "versions": library_versions(),
    }
