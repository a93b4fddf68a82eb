"""What decisions are worth, worked out by hand from the documents' numbers."""

import pytest

from mailgym.core.score import Score
from mailgym.envs.inbox.rubric import ClassicRubric, Decided, HardenedRubric, InboxFacts, mail_reward
from mailgym.envs.inbox.tasks import InboxKey, Labels

BILL = Labels("billing", "high", "finance", "reply", "check_payment")
ASK = Labels("support", "low", "support_team", "reply")
SPAM = Labels("spam", "low", "ignore", "archive")
SALE = Labels("sales", "medium", "sales_team", "reply")
OURS = Labels("internal", "medium", "finance", "forward")


def said(right: Labels, **other: str) -> dict[str, str]:
    fields = {name: getattr(right, name) for name in ("category", "priority", "department", "action")}
    return {**fields, **other}


def key(level: int, *right: Labels) -> InboxKey:
    return InboxKey("t", "template", "us", f"task {level}", level, right, tuple("a/b" for _ in right))


def facts(*given: dict[str, str] | None, look_ups: int = 0, bad_calls: int = 0) -> InboxFacts:
    decided = [Decided(fields, number) for number, fields in enumerate(given, 1)]
    return InboxFacts(decided, len(given) + look_ups + bad_calls, look_ups, bad_calls)


@pytest.mark.parametrize(("level", "mails", "worth"), [(1, 3, 0.98), (2, 4, 0.975), (3, 5, 0.97)])
def test_flawless_classic_episodes(level: int, mails: int, worth: float) -> None:
    """Each mail earns 1 less 0.01 times its step: (0.99 + 0.98 + 0.97) / 3 = 0.98, and so on."""
    right = (ASK, SALE, OURS, SPAM, BILL)[:mails]
    score = ClassicRubric().score(facts(*map(said, right)), key(level, *right))
    assert score.reward == pytest.approx(worth)


@pytest.mark.parametrize(
    ("right", "given", "level", "worth"),
    [
        (BILL, said(BILL), 3, 0.99),
        # support for billing: 0.3 * 0.5 + 0.2 + 0.3 + 0.2 - 0.01
        (BILL, said(BILL, category="support"), 3, 0.84),
        # sales for internal: 0.6 * 0.35 + 0.4 - 0.01
        (OURS, said(OURS, category="sales"), 2, 0.60),
        # internal for support: 1 * 0.25 - 0.01
        (ASK, said(ASK, category="internal"), 1, 0.24),
        # internal for billing: 0.2 - 0.01; sales for support: 0.15 - 0.01
        (BILL, said(BILL, category="internal"), 1, 0.19),
        (ASK, said(ASK, category="sales"), 1, 0.14),
        # sales for billing is far: -0.2 + 0.2 + 0.3 + 0.2 - 0.01
        (BILL, said(BILL, category="sales"), 3, 0.49),
        # urgent as medium: 0.3 + 0.3 + 0.2 - 0.4 - 0.01
        (BILL, said(BILL, priority="medium"), 3, 0.39),
        # no priority at all is a wrong one: 0.6 - 0.4 - 0.01
        (BILL, {"category": "billing"}, 2, 0.19),
        # spam as sales: -0.2 + 0.2 + 0.3 + 0.2 - 0.3 - 0.01
        (SPAM, said(SPAM, category="sales"), 3, 0.19),
        # a sale as spam: -0.2 + 0.2 + 0.3 + 0.2 - 0.5 - 0.01, and not below 0
        (SALE, said(SALE, category="spam"), 3, 0.0),
        # the dangerous mistakes do not count in task 1, but the far category does: -0.2 - 0.01
        (SALE, said(SALE, category="spam"), 1, 0.0),
        # low taken for high costs only its weight: 0.6 - 0.01
        (ASK, said(ASK, priority="high"), 2, 0.59),
    ],
)
def test_one_mail_under_classic(right: Labels, given: dict[str, str], level: int, worth: float) -> None:
    assert mail_reward(Decided(given, 1), right, level) == pytest.approx(worth)


def test_the_step_number_counts_and_a_fitting_tool_pays_up_to_one() -> None:
    given = said(BILL, category="support")
    assert mail_reward(Decided(given, 4), BILL, 3) == pytest.approx(0.81)
    assert mail_reward(Decided(given, 4, "check_payment"), BILL, 3) == pytest.approx(0.86)
    assert mail_reward(Decided(given, 4, "lookup_order"), BILL, 3) == pytest.approx(0.81)
    assert mail_reward(Decided(said(BILL), 1, "check_payment"), BILL, 3) == 1.0
    assert mail_reward(Decided(said(ASK), 1, "check_payment"), ASK, 3) == pytest.approx(0.99)


def test_an_undecided_mail_is_worth_nothing_in_both() -> None:
    for rubric in (ClassicRubric(), HardenedRubric()):
        score = rubric.score(facts(None, None), key(3, BILL, SPAM))
        assert score.reward == 0.0
        assert score.values["undecided"] == 1.0


def hardened(level: int, right: Labels, given: dict[str, str]) -> Score:
    return HardenedRubric().score(facts(given), key(level, right))


@pytest.mark.parametrize(
    ("right", "given", "level", "worth"),
    [
        (BILL, said(BILL), 3, 1.0),
        # support for billing: 0.3 * -0.5 * (1 - 0.5) + 0.7
        (BILL, said(BILL, category="support"), 3, 0.625),
        # sales for billing: 0.3 * -0.5 + 0.7
        (BILL, said(BILL, category="sales"), 3, 0.55),
        # urgent as medium: 0.8 - 0.1 - 0.4
        (BILL, said(BILL, priority="medium"), 3, 0.3),
        # low as high: 0.8 - 0.1
        (ASK, said(ASK, priority="high"), 3, 0.7),
        # everything wrong, and important as spam: -0.5 - 0.5
        (BILL, {"category": "spam", "priority": "low", "department": "ignore", "action": "archive"}, 3, -1.0),
        # everything wrong, and spam as important: -0.5 - 0.3
        (SPAM, {"category": "sales", "priority": "high", "department": "finance", "action": "reply"}, 3, -0.8),
        # in task 1 as well: -0.5 - 0.5, and an urgent mail's priority is not asked for there
        (BILL, {"category": "spam"}, 1, -1.0),
        (BILL, {"category": "billing"}, 1, 1.0),
        # sales for support in task 1: -0.5 * (1 - 0.15)
        (ASK, {"category": "sales"}, 1, -0.425),
        # fields that are asked for and not given are wrong ones: 0.6 - 0.2
        (ASK, {"category": "support"}, 2, 0.4),
    ],
)
def test_one_mail_under_hardened(right: Labels, given: dict[str, str], level: int, worth: float) -> None:
    assert hardened(level, right, given).reward == pytest.approx(worth)


def test_hardened_takes_the_mean_and_its_prices() -> None:
    """(1 + 0.625 + 0) / 3 - 2 * 0.01 - 0.05 = 0.471667."""
    played = facts(said(ASK), said(BILL, category="support"), look_ups=2, bad_calls=1)
    score = HardenedRubric().score(played, key(3, ASK, BILL, SPAM))
    assert score.reward == pytest.approx(1.625 / 3 - 0.07)
    assert score.values["all_right"] == pytest.approx(1 / 3)
    assert score.values["priority_right"] == pytest.approx(2 / 3)
    assert score.values["dangerous"] == 0.0


def test_hardened_is_never_below_minus_one() -> None:
    worst = {"category": "spam", "priority": "low", "department": "ignore", "action": "archive"}
    score = HardenedRubric().score(facts(worst, look_ups=5, bad_calls=4), key(3, BILL))
    assert score.reward == pytest.approx(-1.0)
    assert score.values["floor"] == pytest.approx(0.25)


def test_mails_that_hang_on_the_back_office_are_told_apart() -> None:
    hangs = Labels("billing", "high", "finance", "reply", "check_payment", needs_tool=True)
    score = HardenedRubric().score(facts(said(hangs), said(SPAM)), key(3, hangs, SPAM))
    assert score.values["look_up_mails_right"] == 1.0
    assert "look_up_mails_right" not in HardenedRubric().score(facts(said(SPAM)), key(3, SPAM)).values
