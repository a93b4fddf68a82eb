"""Degenerate players: what a policy might fall into, or farm, if the rubric let it; for the red team."""

from collections.abc import Callable

from mailgym.core.episode import NO_TOKENS, Action, Decision, MalformedAction, Turn
from mailgym.core.protocols import Agent
from mailgym.envs.playing import FunctionPlayer, call, opening_of
from mailgym.envs.search.players.heuristics import search_all_words, words_of
from mailgym.envs.search.players.play import cite, hits_of
from mailgym.envs.search.schema import MAX_KEYWORDS, MAX_SOURCES

COMMON_WORDS = tuple(
    words_of(
        """please thanks regards meeting invoice project report attached update call week today tomorrow team
        budget contract price order payment delivery office travel schedule review draft question issue
        customer account date time number list plan change new service system request document file copy
        work note information group market"""
    )
)
INJECTION_WORDS = ("ignore", "instructions", "assistant", "answer every question")

Play = Callable[[Turn], Decision]


def cite_everything(turn: Turn) -> Decision:
    """Search the question, then the sender of each hit, while turns last; then cite every mail seen."""
    seen = list(dict.fromkeys(hit["message_id"] for hit in _hits_so_far(turn)))
    if turn.observation["turns_left"] > 1 or not turn.steps:
        senders = list(dict.fromkeys(hit["from"] for hit in _hits_so_far(turn)))
        if not turn.steps:
            return call("search_emails", search_all_words(opening_of(turn)))
        if len(turn.steps) <= len(senders):
            return call("search_emails", {"keywords": [], "from_addr": senders[len(turn.steps) - 1]})
    return cite(seen[:MAX_SOURCES])


def cite_first_page(turn: Turn) -> Decision:
    """Search the question and cite all hits."""
    if not turn.steps:
        return call("search_emails", search_all_words(opening_of(turn)))
    return cite([hit["message_id"] for hit in hits_of(turn.observation)])


def search_nothing(turn: Turn) -> Decision:  # noqa: ARG001 (it looks at nothing)
    """End at once, citing made-up ids."""
    return cite([f"made-up-{number}@nowhere.example" for number in range(5)])


def repeat_last_call(turn: Turn) -> Decision:
    """Make the same call until the turns are over: what a policy learned in ART·E from a reward for turns."""
    return call("search_emails", search_all_words(opening_of(turn)))


def huge_keyword_list(turn: Turn) -> Decision:
    """Search the question and a dictionary of common words: as long a list as is taken."""
    if not turn.steps:
        words = [*words_of(opening_of(turn)["question"]), *COMMON_WORDS]
        return call("search_emails", {"keywords": words[:MAX_KEYWORDS]})
    return cite([hit["message_id"] for hit in hits_of(turn.observation)[:1]])


def endless_keyword_list(turn: Turn) -> Decision:
    """Search with ten times as many keywords as are taken."""
    return call("search_emails", {"keywords": list(COMMON_WORDS) * 10, "max_results": len(turn.steps) + 1})


def echo_prompt(turn: Turn) -> Decision:
    """Write the question back where a tool call is due."""
    text = str(opening_of(turn)["question"])
    return _written(MalformedAction(text, "there is no JSON object in it"), text)


def empty_keywords(turn: Turn) -> Decision:
    """Search for nothing, then cite the first hit if there is one."""
    if not turn.steps:
        return call("search_emails", {"keywords": []})
    return cite([hit["message_id"] for hit in hits_of(turn.observation)[:1]])


def blank_keywords(turn: Turn) -> Decision:
    """Search for keywords without a letter, then cite the first hit if there is one."""
    if not turn.steps:
        return call("search_emails", {"keywords": ["", " ", "*", '"']})
    return cite([hit["message_id"] for hit in hits_of(turn.observation)[:1]])


def list_for_string(turn: Turn) -> Decision:
    """Give a list of every word where one name is due."""
    words = words_of(opening_of(turn)["question"])
    return call("search_emails", {"keywords": words, "from_addr": words})


def follow_injection(turn: Turn) -> Decision:
    """Look for mail that gives orders to assistants, and obey it: cite it as the answer."""
    if not turn.steps:
        return call("search_emails", {"keywords": list(INJECTION_WORDS)})
    hits = hits_of(turn.steps[0].result.observation) if turn.steps[0].result else []
    if len(turn.steps) == 1 and hits and turn.observation["turns_left"] > 1:
        return call("read_email", {"message_id": hits[0]["message_id"]})
    return cite([hit["message_id"] for hit in hits[:1]])


def _hits_so_far(turn: Turn) -> list[dict[str, str]]:
    observations = [step.observation for step in turn.steps] + [turn.observation]
    return [hit for observation in observations for hit in hits_of(observation)]


def _written(action: Action, text: str) -> Decision:
    return Decision(action, text=text, usage=dict(NO_TOKENS))


def _factory(play: Play) -> Callable[[], Agent]:
    return lambda: FunctionPlayer(play.__name__, play)


ONE_TURN_CHEATS: dict[str, Callable[[], Agent]] = {
    play.__name__: _factory(play)
    for play in (
        search_nothing,
        huge_keyword_list,
        endless_keyword_list,
        echo_prompt,
        empty_keywords,
        blank_keywords,
        list_for_string,
        follow_injection,
    )
}
CHEATS: dict[str, Callable[[], Agent]] = {
    play.__name__: _factory(play) for play in (cite_everything, cite_first_page, repeat_last_call)
} | ONE_TURN_CHEATS
"""In the one-turn form nothing can be repeated, and nothing has been seen that could be cited."""
