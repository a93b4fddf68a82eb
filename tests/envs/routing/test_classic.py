"""The document's reward, each figure worked out by hand."""

import pytest

from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.routing import make
from mailgym.envs.routing.rubric.classic import worth_of
from mailgym.envs.routing.schema import LEVELS, Triage
from mailgym.envs.routing.tasks import load_tasks

EASY, MEDIUM, HARD = LEVELS
BANK = load_tasks(OWN_TASKS, "bank")
FIRST = BANK.keys["email-classification:bank-00"].right
"""A prize swindle (spam), an API with errors (urgent, engineering), a card charged eleven times (urgent, billing)."""
REPLY = "We have escalated this to our engineers immediately. We sincerely apologise."


def decide(label: str, summary: str = "", reply: str = "", department: str = "none") -> Triage:
    return Triage.model_validate({"label": label, "summary": summary, "reply": reply, "department": department})


def test_the_documents_example_earns_what_it_says_there() -> None:
    """0.01 + 0.50 label + 0.20 summary + 0.20 for three of three keywords; the department counts on hard alone."""
    said = decide("urgent", "Production server is down.", REPLY, "engineering")
    assert worth_of(said, MEDIUM, FIRST[1]).reward == pytest.approx(0.91)


@pytest.mark.parametrize(
    ("said", "reward"),
    [
        (decide("urgent"), 0.51),  # 0.01 + 0.50
        (decide("work"), 0.11),  # work for urgent: 0.01 + 0.10
        (decide("personal"), 0.01),  # wrong
        (decide("spam"), 0.01),
        (decide("urgent", "0123456789"), 0.51),  # ten characters are no summary
        (decide("urgent", "01234567890"), 0.71),  # eleven are
        (decide("urgent", reply="We escalated it."), 0.51 + 0.20 / 3),  # one of three keywords
        (decide("urgent", reply="ENGINEERS, SORRY"), 0.51 + 0.40 / 3),  # two, in any case of letters
        (decide("urgent", reply="Noted."), 0.51),  # keywords are given, so that any reply earns nothing
        (decide("work", "A long summary", REPLY), 0.51),  # 0.01 + 0.10 + 0.20 + 0.20
    ],
)
def test_a_mail_of_the_medium_task(said: Triage, reward: float) -> None:
    assert worth_of(said, MEDIUM, FIRST[1]).reward == pytest.approx(reward)


@pytest.mark.parametrize(
    ("said", "reward"),
    [
        (decide("urgent", department="billing"), 0.61),  # 0.01 + 0.50 + 0.10
        (decide("urgent", department="support"), 0.51),
        (decide("work", department="billing"), 0.21),  # 0.01 + 0.10 + 0.10: the department counts whatever the label
        (
            decide("urgent", "Charged eleven times", "We apologise and refund the charges to your bank.", "billing"),
            0.99,
        ),
    ],
)
def test_a_mail_of_the_hard_task(said: Triage, reward: float) -> None:
    """The last one adds up to 0.01 + 0.50 + 0.20 + 0.20 + 0.10 = 1.01, which the document calls 0.99: it is clipped."""
    assert worth_of(said, HARD, FIRST[2]).reward == pytest.approx(reward)


@pytest.mark.parametrize(
    ("said", "reward"),
    [
        (decide("spam"), 0.51),
        (decide("spam", "Prize fraud."), 0.71),  # unasked for, and paid all the same
        (decide("spam", "Prize fraud.", "No."), 0.81),  # no keywords are given: any reply earns 0.10
        (decide("spam", department="none"), 0.51),  # no department in the easy task
        (decide("work", "Prize fraud.", "No."), 0.31),
    ],
)
def test_a_mail_of_the_easy_task_pays_for_a_summary_and_any_reply(said: Triage, reward: float) -> None:
    assert worth_of(said, EASY, FIRST[0]).reward == pytest.approx(reward)


def test_a_reply_to_spam_is_paid_for_on_hard_as_well() -> None:
    spam = BANK.keys["spam-filtering:bank-01"].right[0]
    assert spam.label == "spam"
    assert worth_of(decide("spam", reply="Yes please."), HARD, spam).reward == pytest.approx(0.71)  # + 0.10 + 0.10


def test_an_episode_is_worth_the_mean_of_its_mails() -> None:
    environment = make(BANK, profile="classic")
    environment.reset("email-classification:bank-00")
    calls = [
        {"label": "spam", "summary": "Prize fraud.", "reply": "No."},  # 0.81
        {"label": "work", "summary": "API is down", "reply": REPLY},  # 0.01 + 0.10 + 0.20 + 0.20 = 0.51
        {"label": "urgent", "reply": "We will refund you.", "department": "billing"},  # 0.61 + 0.20 / 3
    ]
    rewards = [environment.step({"name": "triage", "arguments": call}).reward for call in calls]
    assert rewards == pytest.approx([0.81 / 3, 0.51 / 3, (0.61 + 0.20 / 3) / 3])
    score = environment.owner_view().score
    assert score.reward == pytest.approx((0.81 + 0.51 + 0.61 + 0.20 / 3) / 3)
    assert score.values["urgency_detection"] == pytest.approx(0.51)
    assert score.values["label"] == pytest.approx(2 / 3)
    assert score.values["reply"] == pytest.approx((1 + 1 + 1 / 3) / 3)


def test_a_skipped_mail_and_a_wrong_action_earn_the_floor() -> None:
    environment = make(BANK, profile="classic")
    environment.reset("urgency-detection:bank-00")
    skipped = environment.step({"name": "skip", "arguments": {}})
    wrong = environment.step({"name": "triage", "arguments": {"label": ["urgent"]}})
    assert (skipped.reward, wrong.reward) == (pytest.approx(0.01 / 2), pytest.approx(0.01 / 2))
    assert wrong.terminated
    assert environment.owner_view().score.values["bad_calls"] == 1.0
