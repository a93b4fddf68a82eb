"""Mail search as a world: three tools over one owner's mailbox as it was on the day of the question.

An action is one call, ``{"name": tool, "arguments": {...}}``, or several of one reply, ``{"calls": [...]}``: where the
rules allow that, they are carried out in their order, each is answered, and together they are one turn.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from mailgym.core.episode import Action
from mailgym.core.errors import QueryError, StoreError, UnknownMessage
from mailgym.envs.base import Outcome, World
from mailgym.envs.calls import BadCall, ToolArguments, read_call
from mailgym.envs.search.rubric import Call, Result, SearchFacts
from mailgym.envs.search.schema import (
    TOOLS,
    ReadEmail,
    ReturnFinalAnswer,
    SearchEmails,
)
from mailgym.envs.search.tasks import SearchTask, bare_id
from mailgym.mail.mailbox import Mailbox
from mailgym.mail.message import Address, Message
from mailgym.mail.stored import Hit

OPEN_MAILBOXES = 128
MAX_READ_CHARS = 20_000
ARGUMENT_OF_FILTER = {"from": "from_addr", "to": "to_addr", "after": "sent_after", "before": "sent_before"}
MAX_CALLS_A_TURN = 5
"""More calls in one reply are refused whole: a turn is to stay a turn."""
NOT_CARRIED_OUT = "Not carried out: of several calls in one reply only the first is."
EXAMPLE_CALL = 'write one JSON object: {"name": "search_emails", "arguments": {"keywords": ["word", "word"]}}'


@dataclass(frozen=True, slots=True)
class Rules:
    """What differs between profiles and forms.

    Attributes:
        turns: Most turns of an episode; with 1 the results of the search are the answer.
        match: Whether a mail must have any or all of the keywords.
        sort: Best match first, or newest first.
        bad_call_ends: Whether a call that cannot be carried out ends the episode.
        leave_out_strangers: Whether a person that no mail so far is from (or to) is left out of the search, which the
            observation then says, or finds nothing.
        search_answers: Whether the results of a search are the answer, and end the episode.
        unknown_id_ends: Whether reading an unknown id is a bad call that ends the episode, where bad calls do.
        several_calls: What several calls in one reply are: ``refused`` as no call at all, ``first`` (the first is
            carried out, the others are answered by saying so), or ``all``.
    """

    turns: int
    match: Literal["any", "all"] = "any"
    sort: Literal["rank", "date"] = "rank"
    bad_call_ends: bool = False
    leave_out_strangers: bool = True
    search_answers: bool = False
    unknown_id_ends: bool = True
    several_calls: Literal["refused", "first", "all"] = "refused"


def rules_for(profile: str, turns: int) -> Rules:
    """Return the rules of ``find``: ``classic`` searches as ART·E does, ``hardened`` by the defaults of :class:`Rules`.

    With one turn the results of the search are the answer.
    """
    if profile == "classic":
        return Rules(
            turns,
            match="all",
            sort="date",
            bad_call_ends=True,
            leave_out_strangers=False,
            search_answers=turns == 1,
        )
    return Rules(turns, search_answers=turns == 1)


def answer_rules_for(profile: str, turns: int) -> Rules:
    """Return the rules of ``search``.

    ``classic`` is ART·E: all keywords, newest first, a bad call ends the episode, an unknown id is answered and does
    not, and of several calls in one reply the first alone is carried out. ``hardened`` takes any keyword, best match
    first; a bad call is answered and can be mended, and all calls of a reply are carried out.
    """
    if profile == "classic":
        classic = replace(rules_for(profile, turns), search_answers=False)
        return replace(classic, unknown_id_ends=False, several_calls="first")
    return Rules(turns, several_calls="all")


class _BadCallError(Exception):
    """A call that cannot be carried out; answered by an error observation, it never leaves the world."""

    def __init__(self, tool: str, result: Result, text: str) -> None:
        super().__init__(text)
        self.tool = tool
        self.result: Result = result
        self.text = text


class SearchWorld(World[SearchTask, SearchFacts]):
    """One mailbox, one question, three tools. It knows no answer."""

    def __init__(self, folder: Path, rules: Rules, tools: Mapping[str, type[ToolArguments]] = TOOLS) -> None:
        """Play by ``rules`` on the mailboxes in ``folder``, with these tools."""
        self._folder = folder
        self._rules = rules
        self._tools = tools
        self._facts = SearchFacts()
        self._mailbox: Mailbox | None = None

    @property
    def facts(self) -> SearchFacts:
        """What happened so far."""
        return self._facts

    def opening(self, task: SearchTask, seed: int) -> dict[str, Any]:  # noqa: ARG002 (nothing here is random)
        """Open the owner's mailbox as of the day of the question.

        Raises:
            StoreError: The mailbox is missing or damaged.
        """
        self._mailbox = open_mailbox(self._folder / task.mailbox, task.asked_on)
        self._facts = SearchFacts()
        return {
            "kind": "question",
            "task_id": task.id,
            "question": task.question,
            "owner": task.owner,
            "owner_name": task.owner_name,
            "today": task.asked_on.isoformat(),
            "tools": list(self._tools),
            "turns_left": self._rules.turns,
        }

    def play(self, action: Action) -> Outcome:
        """Play one reply: a call, or several."""
        actions = self._several(action)
        if actions is None:
            call, observation = self._carry_out(action)
            self._facts.calls.append(call)
            return self._outcome([call], observation)
        calls: list[Call] = []
        answers: list[dict[str, Any]] = []
        for single in actions:
            if self._rules.several_calls == "first" and calls:
                answers.append({"kind": "error", "error": NOT_CARRIED_OUT})
                continue
            if calls and _is_final(calls[-1]):
                answers.append({"kind": "error", "error": "Not carried out: the answer before it ended the episode."})
                continue
            call, observation = self._carry_out(single)
            calls.append(replace(call, same_turn=bool(calls)))
            self._facts.calls.append(calls[-1])
            answers.append(observation)
        return self._outcome(calls, {"kind": "several", "answers": answers})

    def _several(self, action: Action) -> list[Any] | None:
        """Return the calls of a reply that has several; None for any other action, which is read as one call."""
        if self._rules.several_calls == "refused" or not isinstance(action, dict) or action.keys() != {"calls"}:
            return None
        calls = action["calls"]
        return calls if isinstance(calls, list) and 1 <= len(calls) <= MAX_CALLS_A_TURN else None

    def public_state(self) -> dict[str, Any]:
        """Return the turns that are left."""
        return {"turns_left": self._turns_left}

    @property
    def _turns_left(self) -> int:
        return self._rules.turns - self._facts.turns

    def _carry_out(self, action: Action) -> tuple[Call, dict[str, Any]]:
        try:
            name, arguments = self._read(action)
            return self._call(name, arguments)
        except _BadCallError as bad:
            return Call(bad.tool, {}, bad.result), {"kind": "error", "error": bad.text}

    def _read(self, action: Action) -> tuple[str, ToolArguments]:
        """Read an action as a tool and its valid arguments."""
        if isinstance(action, dict) and action.keys() == {"calls"} and self._rules.several_calls != "refused":
            raise _BadCallError("", "unparsable", f"No tool call could be read: give 1 to {MAX_CALLS_A_TURN} calls.")
        read = read_call(action, self._tools, EXAMPLE_CALL)
        if isinstance(read, BadCall):
            raise _BadCallError(read.tool, read.result, read.error)
        return read.tool, read.arguments

    def _call(self, name: str, arguments: ToolArguments) -> tuple[Call, dict[str, Any]]:
        plain = arguments.model_dump(mode="json")
        repeated = any(
            call.result == "ok" and call.tool == name and call.arguments == plain for call in self._facts.calls
        )
        if isinstance(arguments, SearchEmails):
            hits, strangers = self._search(arguments)
            call = Call(name, plain, "ok", tuple(hit.message_id for hit in hits), repeated)
            shown = {"kind": "results", "results": [show_hit(hit) for hit in hits]}
            return call, {**shown, "left_out": strangers} if strangers else shown
        if isinstance(arguments, ReadEmail):
            message = self._read_message(arguments)
            return Call(name, plain, "ok", (message.message_id,), repeated), show_message(message)
        assert isinstance(arguments, ReturnFinalAnswer)
        self._facts.sources = tuple(bare_id(source) for source in arguments.sources)
        self._facts.answer = arguments.answer
        return Call(name, plain, "ok"), {"kind": "end"}

    def _search(self, arguments: SearchEmails) -> tuple[list[Hit], list[str]]:
        """Search; return the hits, and the arguments that were left out."""
        filters = (arguments.from_addr, arguments.to_addr, arguments.sent_after, arguments.sent_before)
        if not any(filters) and not any(keyword.strip() for keyword in arguments.keywords):
            text = f"The search is empty: give keywords, or a filter ({', '.join(ARGUMENT_OF_FILTER.values())})."
            raise _BadCallError("search_emails", "bad_arguments", text)
        try:
            strangers = self._strangers(arguments) if self._rules.leave_out_strangers else []
            hits = self._opened().search(
                list(arguments.keywords),
                from_=None if "from_addr" in strangers else arguments.from_addr,
                to=None if "to_addr" in strangers else arguments.to_addr,
                after=arguments.sent_after,
                before=arguments.sent_before,
                limit=arguments.max_results,
                match=self._rules.match,
                sort=self._rules.sort,
            )
            return hits, strangers
        except QueryError as error:
            name, is_, rest = str(error).partition(" is ")
            text = f"search_emails was not called: {ARGUMENT_OF_FILTER.get(name, name)}{is_}{rest}"
            raise _BadCallError("search_emails", "bad_arguments", text) from error

    def _strangers(self, arguments: SearchEmails) -> list[str]:
        """Return which people filters name nobody; none where the search would hold nothing but them."""
        mailbox, found = self._opened(), []
        if arguments.from_addr and not mailbox.search(from_=arguments.from_addr, limit=1):
            found.append("from_addr")
        if arguments.to_addr and not mailbox.search(to=arguments.to_addr, limit=1):
            found.append("to_addr")
        rest = [arguments.sent_after, arguments.sent_before, *arguments.keywords]
        rest += [
            value for name in ("from_addr", "to_addr") if name not in found for value in [getattr(arguments, name)]
        ]
        return found if any(value and value.strip() for value in rest) else []

    def _read_message(self, arguments: ReadEmail) -> Message:
        try:
            return self._opened().read(arguments.message_id)
        except UnknownMessage as error:
            text = "There is no mail of this id in the mailbox: read only ids that a search returned."
            raise _BadCallError("read_email", "unknown_message", text) from error

    def _opened(self) -> Mailbox:
        assert self._mailbox is not None, "play before opening"
        return self._mailbox

    def _outcome(self, calls: list[Call], observation: dict[str, Any]) -> Outcome:
        """Decide whether the episode goes on after the calls of one turn."""
        observation = {**observation, "turns_left": self._turns_left}
        rules = self._rules
        ends = rules.search_answers or rules.bad_call_ends
        if ends and any(call.result != "ok" and self._may_end(call) for call in calls):
            return Outcome(observation, terminated=True, stop_reason="bad_call")
        if any(_is_final(call) or (rules.search_answers and call.result == "ok") for call in calls):
            self._facts.answered = True
            return Outcome(observation, terminated=True, stop_reason="answered")
        if self._turns_left == 0:
            self._facts.out_of_turns = True
            return Outcome(observation, truncated=True, stop_reason="out_of_turns")
        return Outcome(observation)

    def _may_end(self, call: Call) -> bool:
        return self._rules.unknown_id_ends or call.result != "unknown_message"


def _is_final(call: Call) -> bool:
    return call.result == "ok" and call.tool == "return_final_answer"


def show_hit(hit: Hit) -> dict[str, Any]:
    """Return a search result as plain data."""
    return {
        "message_id": hit.message_id,
        "date": hit.date.date().isoformat() if hit.date else "",
        "from": str(hit.from_),
        "to": _people(hit.to),
        "subject": hit.subject,
        "snippet": hit.snippet,
    }


def show_message(message: Message) -> dict[str, Any]:
    """Return a mail as plain data; text beyond 20,000 characters is cut, and the cut is said."""
    text = message.text
    return {
        "kind": "mail",
        "message_id": message.message_id,
        "date": message.date.isoformat() if message.date else "",
        "from": str(message.from_),
        "to": _people(message.to),
        "cc": _people(message.cc),
        "subject": message.subject,
        "text": text[:MAX_READ_CHARS],
        "cut_chars": max(0, len(text) - MAX_READ_CHARS),
        "attachments": [attachment.file_name for attachment in message.attachments],
    }


def _people(people: tuple[Address, ...]) -> str:
    return ", ".join(str(person) for person in people)


def open_mailbox(path: Path, as_of: date) -> Mailbox:
    """Return the mailbox as it was at the end of a day; the last 128 stay open and are shared by all episodes.

    Raises:
        StoreError: The file is missing or damaged.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise StoreError(f"{path} cannot be opened ({error.strerror}): make the store again") from error
    return _open(path, as_of, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=OPEN_MAILBOXES)
def _open(path: Path, as_of: date, changed_ns: int, size_bytes: int) -> Mailbox:  # noqa: ARG001 (key of the cache)
    return Mailbox.open(path, as_of=as_of)
