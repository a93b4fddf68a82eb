"""What an episode costs: small prices taken off the reward."""

from dataclasses import dataclass

from mailgym.core.score import Part


@dataclass(frozen=True, slots=True)
class Prices:
    """What each occurrence takes off the reward; all amounts are 0 or positive, in units of reward.

    Attributes:
        bad_call: A tool call that could not be carried out.
        extra_turn: A turn after the first.
        repeated_call: A call that is identical to an earlier one of the same episode.
    """

    bad_call: float = 0.0
    extra_turn: float = 0.0
    repeated_call: float = 0.0

    def parts(self, bad_calls: int, turns: int, repeated_calls: int) -> tuple[Part, ...]:
        """Return the priced parts of an episode: the value is the count, the weight minus the price."""
        extra_turns = max(0, turns - 1)
        return (
            Part("bad_calls", float(bad_calls), -self.bad_call, f"{bad_calls} calls could not be carried out"),
            Part("extra_turns", float(extra_turns), -self.extra_turn, f"{extra_turns} turns after the first"),
            Part(
                "repeated_calls",
                float(repeated_calls),
                -self.repeated_call,
                f"{repeated_calls} calls made before",
            ),
        )
