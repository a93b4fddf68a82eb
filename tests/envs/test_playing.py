"""What hand-made players are made of."""

import pytest

from mailgym.core.episode import AnswerKey, Decision, Step, Turn
from mailgym.envs.playing import FunctionPlayer, KeyedPlayer, Player, call, opening_of

FIRST, SECOND = {"task_id": "a", "kind": "mail"}, {"kind": "end"}


def test_the_opening_is_the_first_observation() -> None:
    begun = Turn("e", FIRST, (), 0)
    later = Turn("e", SECOND, (Step(FIRST, call("skip", {}), None),), 0)
    assert opening_of(begun) == opening_of(later) == FIRST


def test_a_call_is_plain_data_with_its_text_and_costs_nothing() -> None:
    decision = call("label", {"label": "spåm"})
    assert decision.action == {"name": "label", "arguments": {"label": "spåm"}}
    assert decision.text == '{"name": "label", "arguments": {"label": "spåm"}}'
    assert decision.usage["completion_tokens"] == 0.0


def test_each_turn_is_decided_by_itself_in_order() -> None:
    player = FunctionPlayer("echo", lambda turn: Decision({"name": turn.episode_key}))
    decided = player.act([Turn("one", FIRST, (), 0), Turn("two", FIRST, (), 0)])
    assert player.name == "echo"
    assert [decision.action for decision in decided] == [{"name": "one"}, {"name": "two"}]


def test_a_keyed_player_knows_the_key_of_the_episode() -> None:
    class Knows(KeyedPlayer[AnswerKey]):
        def decide(self, turn: Turn) -> Decision:
            return call("say", {"kind": self.key_of(turn).kind})

    player = Knows({"a": AnswerKey("a", "template", "box", "easy")})
    assert player.name == "oracle"
    (decision,) = player.act([Turn("e", FIRST, (), 0)])
    assert decision.action == {"name": "say", "arguments": {"kind": "easy"}}
    with pytest.raises(TypeError, match="abstract"):
        Player()  # type: ignore[abstract]
