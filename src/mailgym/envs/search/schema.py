"""What a search agent may do: three tools, as strict pydantic models.

Owner and date are not among the arguments: the world fixes both, for searching and for reading, so that no
call can reach another owner's mail or mail of later days.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from mailgym.envs.calls import ToolArguments

MAX_RESULTS = 10
MAX_KEYWORDS = 50
MAX_SOURCES = 50
MAX_TEXT_CHARS = 200
MAX_ANSWER_CHARS = 4000


def _empty_is_none(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


Keyword = Annotated[str, Field(max_length=MAX_TEXT_CHARS)]
Filter = Annotated[Keyword | None, BeforeValidator(_empty_is_none)]


class SearchEmails(ToolArguments):
    """Search the mailbox. Returns up to max_results mails: id, date, sender, recipients, subject, snippet."""

    keywords: list[Keyword] = Field(
        max_length=MAX_KEYWORDS,
        description="Words or phrases to look for; may be empty when a filter is given.",
    )
    from_addr: Filter = Field(default=None, description="Sender: an address, or a name.")
    to_addr: Filter = Field(default=None, description="Recipient: an address, or a name.")
    sent_after: Filter = Field(default=None, description="First day, YYYY-MM-DD (inclusive).")
    sent_before: Filter = Field(default=None, description="Day after the last one, YYYY-MM-DD (exclusive).")
    max_results: int = Field(default=MAX_RESULTS, ge=1, le=MAX_RESULTS, description="At most this many mails.")


class ReadEmail(ToolArguments):
    """Read one mail in full."""

    message_id: str = Field(min_length=1, max_length=1000, description="The id that a search returned.")


class ReturnFinalAnswer(ToolArguments):
    """End the episode with the answer and the ids of the mails it stands on."""

    answer: str = Field(max_length=MAX_ANSWER_CHARS, description="The answer in a few words.")
    sources: list[str] = Field(max_length=MAX_SOURCES, description="Ids of the mails that hold the answer.")


TOOLS: dict[str, type[ToolArguments]] = {
    "search_emails": SearchEmails,
    "read_email": ReadEmail,
    "return_final_answer": ReturnFinalAnswer,
}


def tools(turns: int) -> dict[str, type[ToolArguments]]:
    """Return the tools of an episode of ``turns`` turns: with one turn there is nothing to read."""
    return {name: model for name, model in TOOLS.items() if turns > 1 or name != "read_email"}
