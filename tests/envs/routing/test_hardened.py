"""The hardened reward, each figure worked out by hand from the weights; the readings of texts are given ones there."""

from dataclasses import dataclass

import pytest

from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.routing import make
from mailgym.envs.routing.rubric import HardenedRubric, hardened
from mailgym.envs.routing.rubric.hardened import WEIGHTS, confusion_cost, label_worth, worth_of
from mailgym.envs.routing.schema import LABELS, LEVELS, Triage, levels_from
from mailgym.envs.routing.tasks import load_tasks
from mailgym.envs.routing.world import Handled, RoutingFacts

EASY, MEDIUM, HARD = LEVELS
BANK = load_tasks(OWN_TASKS, "bank")
FIRST = BANK.keys["email-classification:bank-00"].right
SPAM = BANK.keys["spam-filtering:bank-01"].right[0]
PERSONAL = BANK.keys["spam-filtering:bank-05"].right[0]


@dataclass(frozen=True)
class Reading:
    """What the criteria make of a text: as much as its length in percent, in letters."""

    quality: float
    notes: dict[str, str]


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A summary is worth 0.5 and a reply 0.8 where there is one; what right answers earn is tested with the players."""
    monkeypatch.setattr(hardened, "_summary", lambda text, mail, facts: Reading(0.5 * bool(text), {}))

    def reply(text: str, mail: object, wanted: object) -> Reading:
        right_is_none = not wanted.needs_reply  # type: ignore[attr-defined]
        return Reading(float(not text) if right_is_none else 0.8 * bool(text), {"answers": "so and so"})

    monkeypatch.setattr(hardened, "_reply", reply)


def decide(label: str, summary: str = "", reply: str = "", department: str = "none") -> Triage:
    return Triage.model_validate({"label": label, "summary": summary, "reply": reply, "department": department})


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("said", LABELS)
def test_a_label_stands_to_lose_in_all_what_it_stands_to_earn(level, said) -> None:
    weights = WEIGHTS[level.difficulty]
    costs = [confusion_cost(said, right, weights) for right in LABELS if right != said]
    assert sum(costs) == pytest.approx(label_worth(said, weights))


def test_what_labels_are_worth() -> None:
    """Spam carries the weights of reply and department, personal mail that of the department."""
    assert {label: label_worth(label, WEIGHTS["easy"]) for label in LABELS} == dict.fromkeys(LABELS, 1.0)
    assert [label_worth(label, WEIGHTS["medium"]) for label in LABELS] == pytest.approx([0.8, 0.5, 0.5, 0.5])
    assert [label_worth(label, WEIGHTS["hard"]) for label in LABELS] == pytest.approx([0.8, 0.55, 0.4, 0.4])


@pytest.mark.parametrize(
    ("said", "reward"),
    [
        ("spam", 1.0),
        ("personal", -1 / 3),
        ("work", -0.4),  # far from work
        ("urgent", -0.4),
    ],
)
def test_the_easy_task_is_its_label(said, reward) -> None:
    assert worth_of(decide(said), EASY, FIRST[0]).reward == pytest.approx(reward)
    chatty = decide(said, "A summary that nobody asked for", "Dear all, a reply.", "legal")
    assert worth_of(chatty, EASY, FIRST[0]).reward == pytest.approx(reward)


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize(
    ("said", "reward"),
    [
        (decide("urgent"), 0.5),
        (decide("urgent", "s"), 0.5 + 0.2 * 0.5),
        (decide("urgent", "s", "r"), 0.5 + 0.2 * 0.5 + 0.3 * 0.8),
        (decide("work", "s", "r"), -0.2 * 0.5),  # near: a fifth of 0.5, and the texts count nothing
        (decide("personal", "s", "r"), -0.5 / 3),
        (decide("spam", "s", "r"), -0.8 / 3),  # a real mail thrown away costs most
    ],
)
def test_a_mail_of_the_medium_task(said, reward) -> None:
    assert FIRST[1].label == "urgent"
    assert worth_of(said, MEDIUM, FIRST[1]).reward == pytest.approx(reward)


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize(
    ("right", "said", "reward"),
    [
        (FIRST[2], decide("urgent", "s", "r", "billing"), 0.4 + 0.15 + 0.2 * 0.5 + 0.25 * 0.8),
        (FIRST[2], decide("urgent", "s", "r", "sales"), 0.4 + 0.2 * 0.5 + 0.25 * 0.8),
        (FIRST[2], decide("work", department="billing"), -0.2 * 0.4),
        (SPAM, decide("spam", "s"), 0.8 + 0.2 * 0.5),
        (SPAM, decide("spam", "s", "r"), 0.8 + 0.2 * 0.5 - 0.25),  # a reply to spam takes its weight back
        (SPAM, decide("spam", "s", "", "security"), 0.8 + 0.2 * 0.5 - 0.15),
        (SPAM, decide("work", "s"), -0.4 * 0.4),
        (PERSONAL, decide("personal", "s", "r"), 0.55 + 0.2 * 0.5 + 0.25 * 0.8),
        (PERSONAL, decide("personal", "s", "r", "hr"), 0.55 - 0.15 + 0.2 * 0.5 + 0.25 * 0.8),
        (PERSONAL, decide("spam", "s"), -0.8 / 3),
        (PERSONAL, decide("urgent", "s"), -0.4 * 0.4),
    ],
)
def test_a_mail_of_the_hard_task(right, said, reward) -> None:
    assert worth_of(said, HARD, right).reward == pytest.approx(reward)


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_every_constant_label_is_worth_exactly_nothing_in_a_whole_split(split) -> None:
    tasks = load_tasks(OWN_TASKS, split)
    for label in LABELS:
        rewards: dict[str, list[float]] = {level.part: [] for level in LEVELS}
        for key in tasks.keys.values():
            levels = levels_from(key.kind)
            facts = RoutingFacts(levels, [Handled(decide(label)) for _ in levels])
            score = HardenedRubric().score(facts, key)
            for level in levels:
                rewards[level.part].append(score.values[level.part])
        assert {name: abs(sum(values)) < 1e-9 for name, values in rewards.items()} == dict.fromkeys(rewards, True)


@pytest.mark.usefixtures("measured")
def test_an_episode_is_the_mean_of_its_mails_less_bad_calls() -> None:
    environment = make(BANK)
    environment.reset("urgency-detection:bank-00")
    wrong = environment.step({"name": "triage", "arguments": {"label": "important"}})
    assert wrong.reward == pytest.approx(-0.05)
    first = environment.step({"name": "triage", "arguments": {"label": "urgent", "summary": "s"}})
    assert first.reward == pytest.approx((0.5 + 0.1) / 2)
    skipped = environment.step({"name": "skip", "arguments": {}})
    assert (skipped.reward, skipped.terminated) == (0.0, True)
    score = environment.owner_view().score
    assert score.reward == pytest.approx(0.3 - 0.05)
    assert score.values["urgency_detection"] == pytest.approx(0.6)
    assert score.values["spam_filtering"] == 0.0
    assert score.values["label"] == 0.5
    assert score.values["department"] == 0.0


def test_the_notes_say_why_on_the_owners_side() -> None:
    worth = worth_of(decide("work", "Hm.", "Hi.", "sales"), HARD, FIRST[2])
    assert worth.notes["label"] == "said work, is urgent"
    assert worth.notes["department"] == "said sales, is billing"
    assert "lacks" in worth.notes["summary"]
    assert "not answered" in worth.notes["reply"]
    assert worth_of(None, HARD, FIRST[2]).notes["label"] == "said nothing, is urgent"
