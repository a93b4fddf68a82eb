"""What an agent of `routing` may do with one mail, as strict pydantic models, and what each of its three tasks asks."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from mailgym.envs.calls import ToolArguments

Label = Literal["spam", "personal", "work", "urgent"]
Department = Literal["engineering", "billing", "security", "sales", "legal", "hr", "support", "management", "none"]
LABELS: tuple[Label, ...] = ("spam", "personal", "work", "urgent")
DEPARTMENTS: tuple[Department, ...] = (
    "engineering",
    "billing",
    "security",
    "sales",
    "legal",
    "hr",
    "support",
    "management",
    "none",
)
UNROUTED: tuple[Label, ...] = ("spam", "personal")
"""Labels of mail that goes to no department."""
MAX_SUMMARY_CHARS = 1_000
MAX_REPLY_CHARS = 4_000


class Triage(ToolArguments):
    """Decide about the mail that is shown."""

    label: Label = Field(description="What the mail is.")
    summary: str = Field(default="", max_length=MAX_SUMMARY_CHARS, description="The mail in one short sentence.")
    reply: str = Field(default="", max_length=MAX_REPLY_CHARS, description="The answer to its sender; spam gets none.")
    department: Department = Field(default="none", description="Who should handle it.")


class Skip(ToolArguments):
    """Leave the mail undecided and go on to the next one."""


TOOLS: dict[str, type[ToolArguments]] = {"triage": Triage, "skip": Skip}


@dataclass(frozen=True, slots=True)
class Level:
    """One of the three tasks.

    Attributes:
        task_id: Its name in the document.
        difficulty: ``easy``, ``medium`` or ``hard``.
        instruction: What the agent is told to do with the mail.
        writes: Whether a summary and a reply are asked for.
        routes: Whether a department is asked for.
    """

    task_id: str
    difficulty: str
    instruction: str
    writes: bool
    routes: bool

    @property
    def part(self) -> str:
        """The name under which scores carry it."""
        return self.task_id.replace("-", "_")


LEVELS: tuple[Level, ...] = (
    Level("email-classification", "easy", "Classify this email with a label.", writes=False, routes=False),
    Level(
        "urgency-detection",
        "medium",
        "Classify this email with a label, write a summary, and draft a reply.",
        writes=True,
        routes=False,
    ),
    Level(
        "spam-filtering",
        "hard",
        "Classify this email with a label, name the department that should handle it, write a summary, and draft a "
        "reply.",
        writes=True,
        routes=True,
    ),
)
"""In the order in which they are played."""
STARTS: tuple[str, ...] = tuple(level.task_id for level in LEVELS)


def levels_from(start: str) -> tuple[Level, ...]:
    """Return the tasks of an episode that starts with the one called ``start``: three, two or one."""
    return LEVELS[STARTS.index(start) :]
