"""The tools take what the document takes, and nothing that only looks like it."""

import pytest
from pydantic import ValidationError

from mailgym.envs.inbox.schema import MAX_INPUT_CHARS, Decide, LookUp, Skip

CURL = {
    "category": "billing",
    "priority": "high",
    "department": "finance",
    "action": "reply",
    "use_tool": "check_payment",
    "tool_input": {"account_id": "acct_123"},
}


def test_the_documents_own_step_is_a_decision() -> None:
    assert Decide.model_validate(CURL).model_dump() == CURL
    assert Decide.model_validate({"category": "spam"}).priority is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"category": ["billing"]},
        {"category": "Billing"},
        {"category": "billing, support"},
        {"priority": "urgent"},
        {"department": "spam"},
        {"action": 1},
        {"use_tool": "delete_order"},
        {"tool_input": "acct_123"},
        {"tool_input": {"a": ["x"]}},
        {"tool_input": {"a": True}},
        {"tool_input": {"a": "x" * (MAX_INPUT_CHARS + 1)}},
        {"tool_input": {"a": "1", "b": "2", "c": "3", "d": "4"}},
        {"confidence": 0.9},
    ],
)
def test_lists_unknown_labels_and_unknown_fields_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Decide.model_validate({**CURL, **wrong})


def test_a_look_up_needs_a_tool_and_may_lack_its_input() -> None:
    assert LookUp.model_validate({"tool": "lookup_order"}).tool_input is None
    assert LookUp.model_validate({"tool": "lookup_order", "tool_input": {"order_id": 88412}}).tool_input
    with pytest.raises(ValidationError):
        LookUp.model_validate({"tool_input": {"order_id": "88412"}})
    with pytest.raises(ValidationError):
        Skip.model_validate({"why": "no idea"})
