"""Opens a language model by its name, the same everywhere a model can be named.

local             the embedded model (mailgym model fetch)
openai:NAME       the model NAME at an OpenAI-compatible endpoint (OPENAI_API_KEY, OPENAI_BASE_URL)
run:NAME          what a training run made: its best checkpoint over the model it started from
a folder          transformers weights, or a LoRA adapter that names its base model
OWNER/MODEL       a model of the Hugging Face hub
"""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mailgym.core.errors import ModelNotFound
from mailgym.core.machine import cache_root
from mailgym.core.runs import RunFolder
from mailgym.llm import embedded
from mailgym.llm.base import ChatModel

if TYPE_CHECKING:
    from mailgym.llm.remote import Price

RUNS_FOLDER = Path("runs")
BEST_CHECKPOINT = "best"
ADAPTER_FILE = "adapter_config.json"
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_FORMS = "local, openai:NAME, run:NAME, a folder with weights, or a hub id such as HuggingFaceTB/SmolLM2-135M-Instruct"


def open_model(
    name: str,
    *,
    runs: Path = RUNS_FOLDER,
    threads: int | None = None,
    device: str | None = None,
    timeout_s: float = 60.0,
    concurrency: int = 8,
    use_cache: bool = True,
    price: "Price | None" = None,
) -> ChatModel:
    """Open a model, ready to answer.

    Args:
        name: See the module's list.
        runs: The folder that ``run:NAME`` is looked up in.
        threads: Threads for a local model; None leaves torch's own choice.
        device: Device for a local model; None takes the GPU if there is one.
        timeout_s: Longest wait for one reply of a remote model.
        concurrency: Most requests in flight at once to a remote model.
        use_cache: Keep a remote model's replies on disk, so that no call is paid for twice.
        price: What a remote model charges, for the cost in its replies; None leaves the cost out.

    Raises:
        ModelNotFound: No model has this name, or its files are missing or damaged.
        RunError: There is no such run.
        ConfigError: A remote model has no key.
        MissingExtra: torch, transformers or peft is not installed.
    """
    if name.startswith("openai:"):
        return _open_remote(name.removeprefix("openai:"), timeout_s, concurrency, use_cache, price)
    base, adapter = find_weights(name, runs)
    from mailgym.llm.local import LocalModel

    return LocalModel.load(base, adapter=adapter, threads=threads, device=device, name=name)


def find_weights(name: str, runs: Path = RUNS_FOLDER) -> tuple[str, Path | None]:
    """Return where a local model's weights lie: a folder or hub id, and the adapter over it or None.

    Raises:
        ModelNotFound: No local model has this name, or its files are missing or damaged.
        RunError: There is no such run.
    """
    if name == "local":
        return str(embedded.require()), None
    if name.startswith("run:"):
        return _of_run(name.removeprefix("run:"), runs)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return _of_folder(folder)
    if _HUB_ID.fullmatch(name):
        return name, None
    raise ModelNotFound(f"no model {name!r}: name {_FORMS}")


def base_of(name: str, runs: Path = RUNS_FOLDER) -> str:
    """Return the name of the model below an adapter, as :func:`open_model` takes it.

    Args:
        name: ``run:NAME``, or a folder with an adapter.
        runs: The folder that ``run:NAME`` is looked up in.

    Raises:
        ModelNotFound: It is no adapter, or its files are missing or damaged.
        RunError: There is no such run.
    """
    base, adapter = find_weights(name, runs)
    if adapter is None:
        raise ModelNotFound(
            f"{name} is a whole model, with no base below it: name run:NAME, or a folder with an adapter"
        )
    return base


def _open_remote(model: str, timeout_s: float, concurrency: int, use_cache: bool, price: "Price | None") -> ChatModel:
    from mailgym.llm.cache import CallCache
    from mailgym.llm.remote import RemoteModel

    if not model:
        raise ModelNotFound("openai: needs a model's name, such as  --model openai:gpt-4.1-mini")
    cache = CallCache(cache_root() / "calls.sqlite") if use_cache else None
    try:
        return RemoteModel(model, timeout_s=timeout_s, concurrency=concurrency, cache=cache, price=price)
    except BaseException:
        if cache is not None:
            cache.close()
        raise


def _of_run(run_name: str, runs: Path) -> tuple[str, Path | None]:
    run = RunFolder.open(runs / run_name)
    adapter = run.checkpoints / BEST_CHECKPOINT
    if not (adapter / ADAPTER_FILE).exists():
        raise ModelNotFound(
            f"the run {run.path} has no best checkpoint yet: let it train past its first validation"
            f" (continue it with --resume), or choose another run with  mailgym runs list"
        )
    trained_from = run.config.get("run", {}).get("model")
    if not isinstance(trained_from, str) or trained_from == f"run:{run_name}":
        raise ModelNotFound(f"{run.path}/config.toml does not say which model was trained ([run] model)")
    base, below = find_weights(trained_from, runs)
    if below is not None:
        raise ModelNotFound(f"{run.path} was trained over another adapter ({below}): train from its base model instead")
    return base, adapter


def _of_folder(folder: Path) -> tuple[str, Path | None]:
    if (folder / "config.json").exists():
        return str(folder), None
    config_path = folder / ADAPTER_FILE
    if not config_path.exists():
        raise ModelNotFound(f"{folder} holds neither weights (config.json) nor an adapter ({ADAPTER_FILE})")
    try:
        base = json.loads(config_path.read_text(encoding="utf-8"))["base_model_name_or_path"]
    except (ValueError, KeyError) as error:
        raise ModelNotFound(f"{config_path} does not name its base model: write the adapter again") from error
    return str(base), folder
