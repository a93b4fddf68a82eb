"""What an agent that sorts an inbox may do: one tool, as a strict pydantic model."""

from typing import Literal, get_args

from pydantic import Field

from mailgym.envs.calls import ToolArguments

Category = Literal["spam", "work", "personal", "newsletter", "urgent"]
MailAction = Literal["respond", "archive", "delete", "read", "flag"]
EmailId = Literal["e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9", "e10", "e11", "e12"]
Form = Literal["email-classify", "email-prioritize", "email-triage-full"]

CATEGORIES: tuple[Category, ...] = get_args(Category)
MAIL_ACTIONS: tuple[MailAction, ...] = get_args(MailAction)
EMAIL_IDS: tuple[EmailId, ...] = get_args(EmailId)
FORMS: tuple[Form, ...] = get_args(Form)
SIZES: dict[Form, int] = {"email-classify": 5, "email-prioritize": 8, "email-triage-full": 12}
"""How many mails an inbox of each form has."""

MAX_DECISIONS = 48
MAX_RESPONSE_CHARS = 4000


class EmailAction(ToolArguments):
    """What is decided about one mail."""

    email_id: EmailId = Field(description="The mail's id in this inbox.")
    category: Category = Field(description="What sort of mail it is.")
    priority: int = Field(ge=1, le=len(EMAIL_IDS), description="1 for the mail to handle first, and so on.")
    action: MailAction = Field(description="What is done with it.")
    response: str | None = Field(
        default=None, max_length=MAX_RESPONSE_CHARS, description="Draft of the answer, for mails to respond to."
    )


class Submit(ToolArguments):
    """Send decisions for some or all mails, as often as you like: a later one replaces an earlier one."""

    email_actions: list[EmailAction] = Field(
        default_factory=list, max_length=MAX_DECISIONS, description="One entry for each mail that is decided."
    )
    done: bool = Field(default=False, description="True when nothing is to be changed any more.")


TOOLS: dict[str, type[ToolArguments]] = {"submit": Submit}
