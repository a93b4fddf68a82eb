"""``mailgym ask``: a question about a mailbox, answered with the mails that say so."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mailgym.cli import choose
from mailgym.cli.mail import plain
from mailgym.cli.mail.places import DEFAULT_STORE, OneMailbox, StoreFolder, find_mailbox, mailbox_paths, name_some
from mailgym.cli.options import DEFAULT_RUNS, AsJson, Device, ModelName, RunsFolder, Threads, Turns
from mailgym.cli.output import console, note, print_json
from mailgym.core.episode import MalformedAction
from mailgym.core.errors import UserError

if TYPE_CHECKING:
    from mailgym.core.episode import Step
    from mailgym.core.protocols import Agent
    from mailgym.rollout.ask import Reply

ENV_ID = "search"
MAX_SHOWN_CHARS = 300


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(ask)


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know, in one sentence.")],
    mailbox: OneMailbox = None,
    store: StoreFolder = DEFAULT_STORE,
    model: ModelName = None,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="DAY", help="The day it is asked, YYYY-MM-DD (UTC); today by default."),
    ] = None,
    turns: Turns = None,
    temperature: Annotated[float, typer.Option("--temperature", min=0.0, help="Of a language model; 0: greedy.")] = 0.0,
    runs: RunsFolder = DEFAULT_RUNS,
    device: Device = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Ask a question about a mailbox: the answer, and the mails that it stands on with the sentence that says so.

    Without --model the answer is found by rules alone (bm25). Of a model at an endpoint, the mail that it searches and
    reads goes there. The steps are shown as they happen. Exit code 1 if there is no answer because the model failed or
    the turns are used up; "I don't know" is an answer.
    """
    from mailgym.envs.registry import get_spec
    from mailgym.rollout.ask import ask as ask_agent

    if not question.strip():
        raise UserError('the question is empty: write one, such as  mailgym ask "When does my flight to Denver leave?"')
    path = only_mailbox(mailbox, store)
    asked_on = read_day(as_of)
    spec = get_spec(ENV_ID)
    most_turns = spec.turns(turns)
    agent: Agent
    if model is None:
        agent = spec.players(None)[spec.heuristics[0]]()
    else:
        agent = choose.model_agent(model, spec, most_turns, choose.How(temperature, None, runs, device, threads))
    reply = ask_agent(question, path, agent, asked_on=asked_on, turns=most_turns, on_step=_tell)
    if as_json:
        print_json(_facts(question, path.stem, asked_on, agent.name, reply))
    else:
        _show(reply, path.stem, most_turns)
    if reply.stop_reason != "answered":
        raise typer.Exit(1)


def only_mailbox(wanted: str | None, store: Path) -> Path:
    """Return the file of the one mailbox that is asked about.

    Raises:
        UserError: There is none, or none was named and there are several.
    """
    if wanted is not None:
        return find_mailbox(wanted, store)
    paths = mailbox_paths(store)
    if len(paths) > 1:
        names = name_some([path.stem for path in paths])
        raise UserError(f"{store} has {len(paths)} mailboxes ({names}): name one with --mailbox NAME")
    return paths[0]


def read_day(text: str | None) -> date:
    """Read the day on which a question is asked; today in UTC where none is given.

    Raises:
        UserError: It is no day.
    """
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise UserError(f"--as-of is {text!r:.80}: write a day such as 2001-05-14") from error


def _tell(step: "Step") -> None:
    """Say what was done in a step and what came of it."""
    assert step.result is not None
    action, observation = step.decision.action, step.result.observation
    is_several = isinstance(action, dict) and action.keys() == {"calls"} and observation["kind"] == "several"
    calls = action["calls"] if isinstance(action, dict) and is_several else [action]
    answers = observation["answers"] if is_several else [observation]
    for call, answer in zip(calls, answers, strict=True):
        line = _what_happened(call, answer)
        if line:
            note(plain.one_line(line))


def _what_happened(call: Any, answer: dict[str, Any]) -> str:
    if answer["kind"] == "error":
        return f"not done: {answer['error'][:MAX_SHOWN_CHARS]}"
    if answer["kind"] == "results":
        found = len(answer["results"])
        return f"search {_searched(call['arguments'])}: {found or 'no'} message{'' if found == 1 else 's'}"
    if answer["kind"] == "mail":
        day = answer["date"][:10] or "undated"
        return f"read {day}, {answer['from']}: {answer['subject'] or '(no subject)'}"[:MAX_SHOWN_CHARS]
    return ""


def _searched(arguments: dict[str, Any]) -> str:
    words = ", ".join(map(str, arguments.get("keywords") or []))
    names = {"from_addr": "from", "to_addr": "to", "sent_after": "after", "sent_before": "before"}
    filters = [f"{word} {arguments[name]}" for name, word in names.items() if arguments.get(name)]
    return "; ".join([words, *filters] if words else filters)[:MAX_SHOWN_CHARS]


def _show(reply: "Reply", name: str, turns: int) -> None:
    """Print the answer and its sources."""
    if reply.failure is not None:
        note(f"failed ({reply.failure.boundary}): {reply.failure.message}")
        return
    if reply.stop_reason != "answered":
        note(f"no answer: the {turns} turns are used up. Ask in other words, or give more with --turns")
        return
    target = console()
    if not reply.is_known:
        plain.print_text(f"I don't know: nothing that was found in {name} says so.", target=target)
    if reply.is_known or plain.one_line(reply.answer).rstrip(".").lower() not in ("", "i don't know"):
        plain.print_text(plain.visible(reply.answer), "bold" if reply.is_known else plain.QUIET_STYLE, target)
    for source in reply.sources:
        subject = plain.one_line(source.subject) or "(no subject)"
        head = f"{plain.day_words(source.date)}  {plain.person_words(source.from_)}  {subject}"
        plain.print_text(f"\n{head}", target=target)
        plain.print_text(f"  “{plain.one_line(source.sentence)}”", target=target)
        plain.print_text(f"  id {plain.visible(plain.typed_id(source.message_id))}", plain.QUIET_STYLE, target)
    if reply.is_known and not reply.sources:
        plain.print_text("\nno message was cited for it: do not rely on it", plain.WARNING_STYLE, target)
    for message_id in reply.missing_sources:
        line = f"\ncited, but not in the mailbox: {plain.one_line(message_id)[:MAX_SHOWN_CHARS]}"
        plain.print_text(line, plain.WARNING_STYLE, target)


def _facts(question: str, mailbox: str, asked_on: date, agent: str, reply: "Reply") -> dict[str, Any]:
    return {
        "question": question,
        "mailbox": mailbox,
        "asked_on": asked_on.isoformat(),
        "agent": agent,
        "answer": reply.answer,
        "is_known": reply.is_known,
        "sources": [
            {
                "message_id": source.message_id,
                "date": source.date.isoformat() if source.date else None,
                "from": {"name": source.from_.name, "address": source.from_.address},
                "subject": source.subject,
                "sentence": source.sentence,
            }
            for source in reply.sources
        ],
        "missing_sources": list(reply.missing_sources),
        "stop_reason": reply.stop_reason,
        "failure": reply.failure.message if reply.failure else None,
        "steps": [_action(step) for step in reply.steps],
    }


def _action(step: "Step") -> Any:
    action = step.decision.action
    return {"malformed": action.reason} if isinstance(action, MalformedAction) else action
