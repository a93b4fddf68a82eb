"""What an inbox agent may do: three tools, as strict pydantic models; and the labels that a mail can be given."""

from typing import Annotated, Literal

from pydantic import Field

from mailgym.envs.calls import ToolArguments

Category = Literal["spam", "support", "billing", "sales", "internal"]
Priority = Literal["low", "medium", "high"]
Department = Literal["support_team", "sales_team", "finance", "ignore"]
MailAction = Literal["reply", "forward", "archive", "escalate"]
OfficeTool = Literal["lookup_order", "check_payment", "get_user_history"]

CATEGORIES: tuple[Category, ...] = ("spam", "support", "billing", "sales", "internal")
PRIORITIES: tuple[Priority, ...] = ("low", "medium", "high")
DEPARTMENTS: tuple[Department, ...] = ("support_team", "sales_team", "finance", "ignore")
MAIL_ACTIONS: tuple[MailAction, ...] = ("reply", "forward", "archive", "escalate")
OFFICE_TOOLS: tuple[OfficeTool, ...] = ("lookup_order", "check_payment", "get_user_history")

FIELDS_OF_LEVEL: dict[int, tuple[str, ...]] = {
    1: ("category",),
    2: ("category", "priority"),
    3: ("category", "priority", "department", "action"),
}
"""What has to be decided of every mail, by the document's task number."""

MAX_INPUT_FIELDS = 3
MAX_INPUT_CHARS = 120

InputValue = Annotated[str, Field(max_length=MAX_INPUT_CHARS)] | Annotated[int, Field(ge=0, le=10**15)]
ToolInput = Annotated[
    dict[Annotated[str, Field(max_length=MAX_INPUT_CHARS)], InputValue], Field(max_length=MAX_INPUT_FIELDS)
]


class Decide(ToolArguments):
    """Decide the current mail and go on to the next one."""

    category: Category = Field(description="What the mail's core ask is about.")
    priority: Priority | None = Field(default=None, description="By what stands still meanwhile.")
    department: Department | None = Field(default=None, description="Who has to act; ignore where nobody has to.")
    action: MailAction | None = Field(default=None, description="What is to be done with the mail.")
    use_tool: OfficeTool | None = Field(default=None, description="A look-up; its result comes with the next mail.")
    tool_input: ToolInput | None = Field(default=None, description="What to look up: an id from the mail.")


class LookUp(ToolArguments):
    """Look something up in the back office; the same mail is decided after it."""

    tool: OfficeTool = Field(description="lookup_order, check_payment or get_user_history.")
    tool_input: ToolInput | None = Field(
        default=None, description="What to look up: an id from the mail; without one, the mail's sender."
    )


class Skip(ToolArguments):
    """Leave the current mail undecided and go on to the next one."""


TOOLS: dict[str, type[ToolArguments]] = {"decide": Decide, "look_up": LookUp, "skip": Skip}
