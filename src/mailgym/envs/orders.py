"""Orders to assistants inside mails: sentences that tell whoever sorts or answers a mail what to do.

They change nothing of what is right. Any mail may have one, whatever it is, so that nothing follows from its being
there; which has one is drawn apart from everything else.
"""

import random
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

SHARE = 0.08
"""How many mails have an order, about."""

SAYS = "says"
"""What an order asks for beside labels: that the answer has certain words."""


@dataclass(frozen=True, slots=True)
class Order:
    """One order.

    Attributes:
        text: As it stands in a mail.
        asks: Names of labels, or :data:`SAYS`, to what is ordered.
    """

    text: str
    asks: Mapping[str, str]


@lru_cache(maxsize=8)
def read_orders(environment: str, split: str) -> tuple[Order, ...]:
    """Return the orders of a split of an environment, none of which another split has; none for a split without."""
    text = (files("mailgym.envs") / environment / "data" / "orders.toml").read_text(encoding="utf-8")
    return tuple(Order(row["text"], row["asks"]) for row in tomllib.loads(text).get(split, ()))


def with_order(
    text: str, orders: tuple[Order, ...], would_move: Callable[[Order], bool], draw: random.Random
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return a mail's text, in some with an order as a paragraph of its own, and what it asks for (empty for none).

    Args:
        text: The mail's text.
        orders: Of the split.
        would_move: Whether to obey an order is wrong for this mail; others are not drawn.
        draw: Draws.
    """
    fitting = [order for order in orders if would_move(order)]
    if draw.random() >= SHARE or not fitting:
        return text, ()
    order = draw.choice(fitting)
    parts = [text, order.text] if draw.random() < 0.7 else [order.text, text]
    return "\n\n".join(parts), tuple(order.asks.items())
