"""What the tools over a mailbox take: arguments checked strictly, and bounded, with words for whoever calls them."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MAX_HITS, DEFAULT_HITS = 50, 10
MAX_QUERY_CHARS, MAX_FILTER_CHARS, MAX_ID_CHARS = 2_000, 200, 2_000
MAX_READ_CHARS = 20_000
MAX_THREAD_MESSAGES = 50
MAX_COMPLAINTS, MAX_SHOWN_CHARS = 3, 80


def _null_is_empty(value: Any) -> Any:
    return "" if value is None else value


Filter = Annotated[str, Field(max_length=MAX_FILTER_CHARS), BeforeValidator(_null_is_empty)]
Offset = Annotated[int, Field(ge=0)]
MessageId = Annotated[str, Field(min_length=1, max_length=MAX_ID_CHARS)]


class Arguments(BaseModel):
    """Arguments of a tool: no unknown names, no conversion between types. Its docstring is what the client is told."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Search(Arguments):
    """Search mail by words and filters; the best match comes first, without words the newest.

    Words match in any form ("invoices" finds "invoice") in subject, people, text and attachment names; a message needs
    any of them, the more the better. "Words in double quotes" are a phrase. Give a query, or at least one filter.
    """

    query: Annotated[str, Field(max_length=MAX_QUERY_CHARS), BeforeValidator(_null_is_empty)] = Field(
        default="", description="Words to look for; may be empty when a filter is given."
    )
    from_: Filter = Field(default="", alias="from", description="Author: an address, or words of a name or address.")
    to: Filter = Field(default="", description="Recipient (to, cc or bcc), in the same way.")
    after: Filter = Field(default="", description="First day, YYYY-MM-DD (UTC, included), or a time by RFC 3339.")
    before: Filter = Field(default="", description="Day or time that ends the search, not included.")
    folder: Filter = Field(default="", description="The whole name of a folder, in any case; stats lists them.")
    has_attachment: bool | None = Field(default=None, description="Only messages with, or without, attachments.")
    limit: int = Field(default=DEFAULT_HITS, ge=1, le=MAX_HITS, description="Most messages to return.")


class Read(Arguments):
    """Read one message: who, when, subject, attachment names and the text, quoted text included.

    A long text comes in pieces of 20,000 characters; the answer says how to get the next piece.
    """

    message_id: MessageId = Field(description="The id that search or thread returned.")
    offset: Offset = Field(default=0, description="At which character of the text to begin.")


class ReadThread(Arguments):
    """List the conversation that a message belongs to, in reading order, with how each message begins.

    A long conversation comes in pieces of 50 messages; the answer says how to get the next piece.
    """

    message_id: MessageId = Field(description="The id of any message of the conversation.")
    offset: Offset = Field(default=0, description="How many messages to leave out first.")


class Stats(Arguments):
    """Say whose mail this is, how many messages there are, from when to when, and in which folders."""


TOOLS: dict[str, tuple[str, type[Arguments]]] = {
    "search": ("Search mail", Search),
    "read": ("Read a message", Read),
    "thread": ("Show a conversation", ReadThread),
    "stats": ("What the mailbox holds", Stats),
}
"""Name, title and arguments of each tool."""


def schema_of(arguments: type[Arguments]) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments, without the titles that pydantic makes up."""
    schema = arguments.model_json_schema(by_alias=True)
    properties = {name: _untitled(about) for name, about in schema.get("properties", {}).items()}
    required = {"required": schema["required"]} if "required" in schema else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def _untitled(about: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in about.items() if key != "title"}


def describe(arguments: type[Arguments]) -> str:
    """Return what a client is told of a tool: its docstring, each paragraph on one line."""
    paragraphs = (arguments.__doc__ or "").split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
