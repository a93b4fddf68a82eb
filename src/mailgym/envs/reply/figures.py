"""The columns of the table of `reply`: the document's components, by its names."""

from mailgym.envs.figures import Figure

COMPONENTS = (
    "classification",
    "reply_total",
    "reply_format",
    "reply_relevance",
    "reply_length",
    "tone_matching",
    "reply_clarity",
    "episode_total",
)
REPLY_FIGURES = (
    Figure("reward [interval]", ("reward",), "interval", digits=3),
    *(Figure(name, (name,)) for name in COMPONENTS),
)
