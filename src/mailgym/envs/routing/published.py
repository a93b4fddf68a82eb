"""The columns of the table of `routing`, and the rows that the document's authors published."""

from mailgym.envs.figures import Figure, Published
from mailgym.envs.routing.schema import LEVELS

AVERAGE = "average [interval]"
FIGURES = (
    *(Figure(level.task_id, (level.part,)) for level in LEVELS),
    Figure(AVERAGE, ("reward",), "interval", digits=3),
    Figure("label", ("label",)),
    Figure("department", ("department",)),
    Figure("summary", ("summary",)),
    Figure("reply", ("reply",)),
    Figure("bad calls", ("bad_calls",), better="lower"),
)
"""Each task's mean counts the episodes that have it."""

_WHERE = (
    "table of the document (Email Triage OpenEnv, 2026): its 20 mails, its own keyword reward, here the profile "
    "classic, and a draft that a second pass reviews; other mails and machines than above"
)
_ROWS = (
    ("random baseline", "0.18", "0.12", "0.21", "0.17"),
    ("Llama 3 8B", "0.41", "0.33", "0.44", "0.39"),
    ("Mistral 7B", "0.48", "0.39", "0.50", "0.46"),
    ("GPT-3.5 Turbo", "0.61", "0.55", "0.63", "0.60"),
    ("Llama 3 70B", "0.67", "0.60", "0.69", "0.65"),
    ("Gemini 1.5 Flash", "0.70", "0.64", "0.72", "0.69"),
    ("Qwen2.5-72B", "0.78", "0.73", "0.81", "0.77"),
    ("GPT-4o", "0.82", "0.79", "0.85", "0.82"),
)
TITLES = (*(level.task_id for level in LEVELS), AVERAGE)
PUBLISHED = tuple(
    Published(f"{name}, published", _WHERE if not number else "the same table", dict(zip(TITLES, cells, strict=True)))
    for number, (name, *cells) in enumerate(_ROWS)
)
