from typing import Any

import pytest
from pydantic import ValidationError

from mailgym.envs.triage.schema import EMAIL_IDS, FORMS, SIZES, EmailAction, Submit

DECISION = {"email_id": "e1", "category": "spam", "priority": 5, "action": "delete"}


def test_the_documents_own_body_is_taken() -> None:
    submitted = Submit.model_validate({"email_actions": [DECISION]})
    assert submitted.email_actions[0] == EmailAction(email_id="e1", category="spam", priority=5, action="delete")
    assert submitted.email_actions[0].response is None
    assert not submitted.done


def test_nothing_has_to_be_submitted() -> None:
    assert Submit.model_validate({}).email_actions == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"category": "Spam"},
        {"category": ["spam", "work"]},
        {"priority": "5"},
        {"priority": 0},
        {"priority": 13},
        {"priority": True},
        {"action": "forward"},
        {"email_id": "e13"},
        {"response": ["Dear Ann"]},
        {"note": "one field too many"},
    ],
)
def test_types_and_labels_are_strict(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Submit.model_validate({"email_actions": [{**DECISION, **wrong}]})


def test_every_form_has_its_size_and_ids_for_all_mails() -> None:
    assert [SIZES[form] for form in FORMS] == [5, 8, 12]
    assert len(EMAIL_IDS) == 12
