"""What the components of the composite weigh in each form, and what was decided beside what is right."""

from collections.abc import Mapping
from dataclasses import dataclass

from mailgym.envs.triage.schema import EmailAction, Form
from mailgym.envs.triage.tasks import Label, TriageKey
from mailgym.envs.triage.world import TriageFacts

COMPONENTS = ("classification", "ranking", "action", "response")


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the components; they add up to 1.

    Source: document 003, table "Score components per task". Its description of the third task says that all four weigh
    25 %; the table says 30, 30, 20 and 20, and the table counts.
    """

    classification: float
    ranking: float
    action: float
    response: float

    def of(self, component: str) -> float:
        """Return the weight of one of :data:`COMPONENTS`."""
        return {
            "classification": self.classification,
            "ranking": self.ranking,
            "action": self.action,
            "response": self.response,
        }[component]


WEIGHTS: Mapping[Form, Weights] = {
    "email-classify": Weights(0.60, 0.20, 0.20, 0.0),
    "email-prioritize": Weights(0.25, 0.60, 0.15, 0.0),
    "email-triage-full": Weights(0.30, 0.30, 0.20, 0.20),
}


def beside(facts: TriageFacts, key: TriageKey) -> list[tuple[Label, EmailAction | None]]:
    """Return each mail's label with what was decided about it, None where nothing was."""
    return [(label, facts.decisions.get(label.email_id)) for label in key.labels]


def form_of(key: TriageKey) -> Form:
    """Return the form of the task that a key belongs to."""
    return next(form for form in WEIGHTS if form == key.kind)
