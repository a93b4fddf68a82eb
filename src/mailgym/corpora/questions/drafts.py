"""Reads the questions that a model wrote: a strict schema, and what is said of what does not fit it."""

import json
import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

MAX_QUESTION_CHARS = 400
MAX_ANSWER_CHARS = 400
MAX_MAILS = 10
MAX_REPLY_CHARS = 100_000
MAX_COMPLAINTS = 5
_END_OF_THOUGHT = "</think>"
_LIST_START = re.compile(r"\[\s*[{\]]")


def one_line(value: Any) -> Any:
    """Return a text on one line, without what UTF-8 cannot hold; anything else as it is."""
    return " ".join(value.encode("utf-8", "replace").decode().split()) if isinstance(value, str) else value


Line = Annotated[str, Field(min_length=1), BeforeValidator(one_line)]


class Draft(BaseModel):
    """One question as the model wrote it: no other fields, no conversion between types.

    Attributes:
        question: The question.
        answer: Its answer.
        message_ids: Short ids of the mails that it stands on.
        how_realistic: From 0 to 1, how likely the owner is to ask it.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    question: Annotated[Line, Field(max_length=MAX_QUESTION_CHARS)]
    answer: Annotated[Line, Field(max_length=MAX_ANSWER_CHARS)]
    message_ids: Annotated[list[Line], Field(min_length=1, max_length=MAX_MAILS)]
    how_realistic: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Drafts(BaseModel):
    """What could be read of one answer of the model.

    Attributes:
        drafts: The items that fit the schema, as written.
        malformed: Items that do not; the whole answer counts as one where no list can be read.
        error: What is wrong, for the model to mend; empty where nothing is.
    """

    model_config = ConfigDict(frozen=True)

    drafts: list[Draft]
    malformed: int = 0
    error: str = ""


def read_drafts(text: str) -> Drafts:
    """Read the first JSON list of objects in what a model wrote; text around it and fences are ignored."""
    body = text.rpartition(_END_OF_THOUGHT)[2][:MAX_REPLY_CHARS]
    start = _LIST_START.search(body)
    if start is None:
        return Drafts(drafts=[], malformed=1, error="there is no JSON list in it")
    try:
        items, _ = _DECODER.raw_decode(body, start.start())
    except (ValueError, RecursionError) as error:
        return Drafts(drafts=[], malformed=1, error=f"its JSON list is not valid or not complete ({error})")
    drafts, complaints = [], []
    for number, item in enumerate(items, 1):
        try:
            drafts.append(Draft.model_validate(item))
        except ValidationError as error:
            complaints.append(f"item {number}: {_say(error)}")
    return Drafts(drafts=drafts, malformed=len(complaints), error="; ".join(complaints[:MAX_COMPLAINTS]))


def _say(error: ValidationError) -> str:
    details = error.errors(include_url=False, include_input=False)[:MAX_COMPLAINTS]
    return ", ".join(f"{'.'.join(str(step) for step in one['loc']) or 'item'}: {one['msg']}" for one in details)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
