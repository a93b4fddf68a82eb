"""From what was typed to tasks and agents: shared by eval, play and redteam."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mailgym.cli.options import DEFAULT_RUNS
from mailgym.cli.output import note, progress_bars, show
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from mailgym.core.protocols import Agent
    from mailgym.envs.base import TaskSet
    from mailgym.envs.registry import EnvSpec
    from mailgym.llm.remote import Price

MAX_TOKENS_ONE_TURN, MAX_TOKENS_FULL = 72, 256
THE_MODEL, BASE = "model", "base"
TOOL_CALLS = ("auto", "native", "text")


@dataclass(frozen=True, slots=True)
class How:
    """How language models are opened and sampled.

    Attributes:
        max_tokens: Of one turn; None takes a run's own, or what suits the number of turns.
        runs: Where ``run:NAME`` is looked up.
        device: For a local model; None takes the GPU if there is one.
        threads: For a local model; None leaves torch's own choice.
        tool_calls: ``native`` (the endpoint's own form), ``text`` (JSON in what the model writes), or ``auto``: native
            where both model and environment have it.
        price: What a remote model charges.
    """

    temperature: float = 0.0
    max_tokens: int | None = None
    runs: Path = DEFAULT_RUNS
    device: str | None = None
    threads: int | None = None
    tool_calls: str = "auto"
    price: "Price | None" = None


def find_store(spec: "EnvSpec", mailbox: Path | None, store: Path | None, owner: str | None = None) -> Path:
    """Return the store that the tasks of an environment come from, making it when it is not there yet.

    A mailbox wins over nothing, a store is taken as it is, and with neither it is the simulated company of the size
    that the environment asks for. An environment that brings its own tasks has no store.

    Raises:
        UserError: Both were given, an owner without a mailbox, or either for an environment that needs no mail.
        SourceError: The mailbox cannot be read, or is too small for questions.
    """
    from mailgym.corpora.sources import mailbox_store, simulated_store
    from mailgym.envs.drawn import OWN_TASKS
    from mailgym.train.config import DataConfig

    if not spec.needs_mail:
        if mailbox is not None or store is not None or owner is not None:
            raise UserError(f"{spec.id} brings its own tasks: leave --mailbox, --store and --owner out")
        return OWN_TASKS
    if mailbox is not None and store is not None:
        raise UserError("--mailbox and --store both say where the questions come from: give one of them")
    if owner is not None and mailbox is None:
        raise UserError("--owner says whose mail a --mailbox is: give both")
    if store is not None:
        return store
    data = DataConfig()
    with progress_bars() as report:
        if mailbox is not None:
            return mailbox_store(mailbox, data.seed, owner=owner, progress=report)
        return simulated_store(
            data.seed, spec.simulated_size, lambda _, done, total: report("writing mailboxes", done, total)
        )


def source_facts(spec: "EnvSpec", mailbox: Path | None, store: Path | None) -> dict[str, Any]:
    """Return where the questions come from, as a run's ``[data]`` records it; a given store may hold anything."""
    from mailgym.train.config import DataConfig

    if not spec.needs_mail:
        return {"source": "own tasks"}
    if mailbox is not None:
        return {"source": "mailbox", "mailbox": str(mailbox), "seed": DataConfig().seed}
    if store is not None:
        return {"store": str(store)}
    return {"source": "simulated", "size": spec.simulated_size, "seed": DataConfig().seed}


def load_tasks(spec: "EnvSpec", store: Path, split: str, n: int | None, seed: int) -> "TaskSet[Any, Any]":
    """Load the tasks of a split.

    Raises:
        UserError: There is no such split.
        SourceError: The store has no questions.
    """
    if split not in spec.splits:
        raise UserError(f"no split {split!r} of {spec.id}: choose one of {', '.join(spec.splits)}")
    tasks = spec.load_tasks(store, split, n, seed)
    if n is not None and len(tasks) < n:
        note(f"there are {len(tasks)} {split} tasks, fewer than the {n} asked for")
    return tasks


def wanted_agents(
    names: str | None,
    spec: "EnvSpec",
    tasks: "TaskSet[Any, Any]",
    turns: int | None = None,
    model: str | None = None,
) -> list[str]:
    """Return the agents that a comma-separated list names, in order; opens no language model.

    A list may name the environment's agents, language models, ``model``, which stands for the one that was named, and
    ``base``, the model below the adapter of the one ``run:NAME`` (or folder) in the list.
    Without a list: null, random, the heuristics, the oracle, and the model where one was named.

    Raises:
        UserError: An unknown player, a name given twice, ``model`` without a model, or ``base`` without one run.
    """
    from mailgym.agents.finder import find_agent

    wanted = split_names(names) if names else ["null", "random", *spec.heuristics, "oracle"]
    if model is not None and not (names and THE_MODEL in wanted):
        wanted.append(THE_MODEL)
    if THE_MODEL in wanted and model is None:
        raise UserError("the agent 'model' needs a name: add  --model NAME")
    resolved = [model if name == THE_MODEL and model is not None else name for name in wanted]
    twice = sorted({name for name in resolved if resolved.count(name) > 1})
    if twice:
        raise UserError(f"{', '.join(twice)} is named twice: rows are told apart by their names")
    if BASE in resolved:
        adapted(resolved)
    for name in resolved:
        if not is_model_name(name):
            find_agent(name, spec, tasks, turns=turns)
    return resolved


def open_agents(
    names: str | None,
    spec: "EnvSpec",
    tasks: "TaskSet[Any, Any]",
    turns: int | None = None,
    model: str | None = None,
    how: How | None = None,
) -> "list[Agent]":
    """Return the agents of a comma-separated list, ready to play; see :func:`wanted_agents`.

    Raises:
        UserError: As for :func:`wanted_agents`.
        ModelNotFound: A language model that is not there.
    """
    from mailgym.agents.finder import find_agent

    wanted, how = wanted_agents(names, spec, tasks, turns, model), how or How()
    return [
        model_agent(name, spec, spec.turns(turns), how, adapted(wanted) if name == BASE else None)
        if is_model_name(name)
        else find_agent(name, spec, tasks, turns=turns, ask=ask_person, show=show)
        for name in wanted
    ]


def adapted(names: list[str]) -> str:
    """Return the one agent of a list whose model has a base model below it.

    Raises:
        UserError: There is none, or several.
    """
    found = [name for name in names if is_model_name(name) and name not in (BASE, "local") and "openai:" not in name]
    if len(found) != 1:
        raise UserError(
            "the agent 'base' is the model below one trained one: name that too, as  --agents base,run:NAME"
        )
    return found[0]


def ask_person(question: str) -> str:
    """Ask the person at the terminal for one line."""
    return input(question)


def split_names(names: str) -> list[str]:
    """Return the names of a comma-separated list.

    Raises:
        UserError: There are none.
    """
    found = [name.strip() for name in names.split(",") if name.strip()]
    if not found:
        raise UserError("--agents names no agent: give names with commas between them, such as  null,oracle")
    return found


def is_model_name(name: str) -> bool:
    """Return whether a name is a language model's and not a player's: local, base, KIND:NAME, a path or a hub id."""
    return name in ("local", BASE) or ":" in name or "/" in name


def _tokens_of_run(name: str, runs: Path) -> int | None:
    """Return the token limit that a run was trained with, so that its model is played as it was measured there."""
    if not name.startswith("run:"):
        return None
    from mailgym.core.runs import RunFolder

    limit = RunFolder.open(runs / name.removeprefix("run:")).config.get("train", {}).get("max_tokens")
    return limit if isinstance(limit, int) else None


def model_agent(name: str, spec: "EnvSpec", turns: int, how: How, over: str | None = None) -> "Agent":
    """Return the agent that is the language model of this name, ready to play episodes of ``turns`` turns.

    Args:
        name: The model's name, which the agent bears; with ``review:`` before it the model drafts and reviews.
        spec: The environment.
        turns: Turns of an episode.
        how: How it is opened and sampled.
        over: The trained model whose base is opened in its place, to be played as that one is.

    Raises:
        ModelNotFound: There is no such model, or no base below it.
    """
    from mailgym.agents.chat import ChatAgent
    from mailgym.agents.review import PREFIX, ReviewAgent
    from mailgym.llm.base import Sampling
    from mailgym.llm.names import base_of, open_model

    bare = name.removeprefix(PREFIX)
    if bare != name:
        _calls_natively(how.tool_calls, name, takes_tools=False)
    opened = bare if over is None else base_of(over, how.runs)
    note(f"opening {name}" + (f": {opened}" if over is not None else ""))
    tokens = (
        how.max_tokens
        or _tokens_of_run(over or bare, how.runs)
        or (MAX_TOKENS_ONE_TURN if turns == 1 else MAX_TOKENS_FULL)
    )
    model = open_model(opened, runs=how.runs, device=how.device, threads=how.threads, price=how.price)
    sampling = Sampling(how.temperature, tokens)
    if name.startswith(PREFIX):
        return ReviewAgent(model, spec.prompt(turns), sampling, name)
    if spec.native_prompt is not None and _calls_natively(how.tool_calls, name, getattr(model, "takes_tools", False)):
        return ChatAgent(model, spec.native_prompt(turns), sampling, name, spec.tools(turns))
    return ChatAgent(model, spec.prompt(turns), sampling, name)


def check_tool_calls(wanted: str) -> None:
    """Check the name of a form of tool calls.

    Raises:
        UserError: It is none.
    """
    if wanted not in TOOL_CALLS:
        raise UserError(f"no form of tool calls {wanted!r}: choose one of {', '.join(TOOL_CALLS)}")


def _calls_natively(wanted: str, name: str, takes_tools: bool) -> bool:
    if wanted == "native" and not takes_tools:
        raise UserError(f"{name} has no tool calls of its own: leave  --tool-calls native  out")
    return takes_tools and wanted != "text"


def read_price(price_in: float | None, price_out: float | None) -> "Price | None":
    """Return the price that two options give together, in US dollars for a million tokens; None for neither.

    Raises:
        UserError: One of them alone.
    """
    from mailgym.llm.remote import Price

    if price_in is None and price_out is None:
        return None
    if price_in is None or price_out is None:
        raise UserError("--price-in and --price-out make a price together: give both")
    return Price(price_in, price_out)
