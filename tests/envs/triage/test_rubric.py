"""Every reward here is worked out by hand; the sums stand beside it."""

import pytest

from mailgym.envs.triage.rubric import (
    WEIGHTS,
    ClassicRubric,
    HardenedRubric,
    balanced,
    response_quality,
    spearman,
    top_weighted,
)
from mailgym.envs.triage.rubric.hardened import draft_quality
from mailgym.envs.triage.rubric.weights import COMPONENTS
from mailgym.envs.triage.schema import EmailAction
from mailgym.envs.triage.tasks import Label, Mail, TriageKey
from mailgym.envs.triage.world import TriageFacts

DRAFT = (
    "Hello Ann,\n\nyes, please restart the server now, I accept that the open carts are lost. Tell me as soon as the "
    "shop answers again.\n\nBest regards,\nMaya"
)
ASKED = "The shop does not answer any more. May I restart the server? The open carts would be lost. Yes or no?"
LABELS = (
    Label("e1", "spam", 5, "delete"),
    Label("e2", "urgent", 1, "respond", (("restart",), ("carts", "shop")), (("yes_no", ("yes", "no")),), DRAFT),
    Label("e3", "work", 2, "flag"),
    Label("e4", "work", 3, "read"),
    Label("e5", "newsletter", 4, "archive"),
)
MAILS = tuple(
    Mail(label.email_id, "Ann Berg", "ann@shop.example", "server", "2026-03-10 08:00", ASKED) for label in LABELS
)


def key(form: str = "email-classify") -> TriageKey:
    return TriageKey("t", "by-hand", "maya@shop.example", form, LABELS)


def facts(*decisions: EmailAction, ended: bool = True, bad_calls: int = 0) -> TriageFacts:
    decided = {decision.email_id: decision for decision in decisions}
    return TriageFacts(MAILS, "Maya Lind", decided, ended, ended, bad_calls, 1, 0)


def right(label: Label, response: str | None = None) -> EmailAction:
    return EmailAction.model_validate(
        {
            "email_id": label.email_id,
            "category": label.category,
            "priority": label.rank,
            "action": label.action,
            "response": response,
        }
    )


def constant(label: Label, priority: int = 3) -> EmailAction:
    return right(label).model_copy(update={"category": "work", "priority": priority, "action": "read"})


ALL_RIGHT = [right(label) for label in LABELS]
WITH_DRAFT = [right(label, DRAFT if label.needs_draft else None) for label in LABELS]


def test_the_weights_are_those_of_the_documents_table() -> None:
    table = {form: tuple(weights.of(name) for name in COMPONENTS) for form, weights in WEIGHTS.items()}
    assert table == {
        "email-classify": (0.6, 0.2, 0.2, 0.0),
        "email-prioritize": (0.25, 0.6, 0.15, 0.0),
        "email-triage-full": (0.3, 0.3, 0.2, 0.2),
    }


def test_classic_all_right_is_one_in_every_form() -> None:
    assert ClassicRubric().score(facts(*ALL_RIGHT), key("email-classify")).reward == pytest.approx(1.0)
    assert ClassicRubric().score(facts(*ALL_RIGHT), key("email-prioritize")).reward == pytest.approx(1.0)
    assert ClassicRubric().score(facts(*WITH_DRAFT), key("email-triage-full")).reward == pytest.approx(1.0)
    assert ClassicRubric().score(facts(*ALL_RIGHT), key("email-triage-full")).reward == pytest.approx(0.8)


def test_classic_the_documents_one_mail_is_worked_out() -> None:
    # One of five mails, all of it right. Ranks 5,3,3,3,3 against 5,1,2,3,4: correlation 5 / sqrt(5 * 10) = .70711,
    # mapped (1 + .70711) / 2 = .85355, times one mail of five = .17071.
    # .6 * 1/5 + .2 * .17071 + .2 * 1/5 = .12 + .03414 + .04 = .19414
    score = ClassicRubric().score(facts(ALL_RIGHT[0]), key())
    assert score.reward == pytest.approx(0.19414, abs=1e-5)
    assert score.values["ranking"] == pytest.approx(0.17071, abs=1e-5)


def test_classic_nothing_decided_is_zero() -> None:
    assert ClassicRubric().score(facts(), key()).reward == 0.0


def test_classic_two_ranks_exchanged_cost_the_same_at_the_top_and_at_the_bottom() -> None:
    # Spearman: 1 - 6 * (1 + 1) / (5 * 24) = .9 for either exchange, mapped to .95: the document's claim does not hold.
    for first, second in ((1, 2), (4, 5)):
        swapped = {first: second, second: first}
        given = [swapped.get(label.rank, label.rank) for label in LABELS]
        assert spearman(given, [label.rank for label in LABELS]) == pytest.approx(0.9)


def test_classic_all_equal_ranks_are_worth_half_of_the_ranking() -> None:
    # Two of five categories are work (.4), one of five actions read (.2), ranking (0 + 1) / 2:
    # .6 * .4 + .2 * .5 + .2 * .2 = .24 + .1 + .04 = .38
    score = ClassicRubric().score(facts(*map(constant, LABELS)), key())
    assert score.reward == pytest.approx(0.38)


def test_classic_ties_get_their_mean_rank() -> None:
    # 1,1,2,3 becomes 1.5,1.5,3,4 against 1,2,3,4: cov 4.5, variances 4.5 and 5: 4.5 / sqrt(22.5) = .94868
    assert spearman([1, 1, 2, 3], [1, 2, 3, 4]) == pytest.approx(0.94868, abs=1e-5)


def test_classic_a_reversed_order_is_worth_nothing() -> None:
    assert spearman([5, 4, 3, 2, 1], [1, 2, 3, 4, 5]) == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        (DRAFT, 1.0),
        ("", 0.0),
        ("Restart it.", 0.2),  # one keyword group of two: .4 * 1/2
        ("Dear Ann, restart it, the shop is closed. Best regards, Maya", 0.7),  # both groups .4, form .3, 11 words
        ("word " * 20, 0.3),
        ("Hello Ann", 0.0),  # a greeting alone is no letter
        ("restarting the workshop", 0.0),  # whole words only
    ],
)
def test_classic_a_draft_is_worth_length_keywords_and_form(text: str, worth: float) -> None:
    assert response_quality(text, LABELS[1].keywords) == pytest.approx(worth)


def test_classic_the_mean_is_over_the_drafts_that_are_due() -> None:
    two = (LABELS[0], LABELS[1], Label("e3", "work", 2, "respond", (("flag",),), (), "x"), *LABELS[3:])
    score = ClassicRubric().score(facts(*WITH_DRAFT), TriageKey("t", "x", "m", "email-triage-full", two))
    assert score.values["response"] == pytest.approx(0.5)  # one draft of two is missing


def test_hardened_all_right_is_one_and_nothing_is_zero() -> None:
    assert HardenedRubric().score(facts(*ALL_RIGHT), key()).reward == pytest.approx(1.0)
    assert HardenedRubric().score(facts(), key()).reward == 0.0


def test_hardened_constants_are_worth_nothing() -> None:
    # Four categories, work twice: 1/4 * 1 - 3 * 1/4 * 1/3 = 0. Five actions: 1/5 - 4 * 1/5 * 1/4 = 0. Order: constant.
    score = HardenedRubric().score(facts(*map(constant, LABELS)), key())
    assert score.reward == pytest.approx(0.0)
    assert score.values["accuracy"] == pytest.approx(0.4)


def test_hardened_labels_are_balanced_and_centred() -> None:
    pairs = [("spam", "spam"), ("work", "work"), ("work", "spam"), ("urgent", None)]
    # k = 3: spam 1/3, work 1/6, work said spam -1/2 * 1/6 = -1/12, undecided 0: .33333 + .16667 - .08333 = .41667
    assert balanced(pairs) == pytest.approx(0.416667, abs=1e-6)
    assert balanced([("spam", "work"), ("work", "spam")]) == pytest.approx(-1.0)
    assert balanced([("spam", "spam"), ("spam", "work")]) == pytest.approx(0.5)


def test_hardened_the_top_of_the_order_counts_most() -> None:
    ranks = [1, 2, 3, 4, 5, 6, 7, 8]
    top = top_weighted([2, 1, 3, 4, 5, 6, 7, 8], ranks)
    bottom = top_weighted([1, 2, 3, 4, 5, 6, 8, 7], ranks)
    # Weight of a pair: 1/i + 1/j; all pairs together 7 * (1 + 1/2 + ... + 1/8) = 19.025. Exchanging a pair turns its
    # weight round: top 1 - 2 * 1.5 / 19.025 = .8423, bottom 1 - 2 * (1/7 + 1/8) / 19.025 = .97184.
    assert top == pytest.approx(0.8423, abs=1e-4)
    assert bottom == pytest.approx(0.97184, abs=1e-4)
    assert top_weighted(ranks[::-1], ranks) == pytest.approx(-1.0)


def test_hardened_one_rank_of_five_is_worth_a_fifth_of_its_correlation() -> None:
    score = HardenedRubric().score(facts(ALL_RIGHT[1]), key())
    correlation = top_weighted([None, 1, None, None, None], [5, 1, 2, 3, 4])
    assert 0 < correlation < 1
    assert score.values["ranking"] == pytest.approx(correlation / 5)


@pytest.mark.parametrize("correlation", [spearman, top_weighted])
def test_orders_that_are_none_have_no_correlation(correlation: object) -> None:
    assert callable(correlation)
    assert correlation([3, 3, 3], [1, 2, 3]) == 0.0
    assert correlation([None, None, None], [1, 2, 3]) == 0.0
    assert correlation([None, 2, None], [1, 2, 3]) == 0.0  # the middle, like the others
    assert correlation([1, 2, 3], [1, 1, 1]) == 0.0
    assert correlation([1, 2, 2, 4], [1, 2, 2, 4]) == pytest.approx(1.0)


def test_hardened_pays_at_the_end_alone() -> None:
    score = HardenedRubric().score(facts(*ALL_RIGHT, ended=False), key())
    assert score.reward == 0.0
    assert score.values["classification"] == 0.0


def test_hardened_a_bad_call_costs_at_once() -> None:
    assert HardenedRubric().score(facts(ended=False, bad_calls=2), key()).reward == pytest.approx(-0.1)
    assert HardenedRubric().score(facts(*ALL_RIGHT, bad_calls=1), key()).reward == pytest.approx(0.95)


def test_hardened_a_draft_must_answer() -> None:
    answered = draft_quality(DRAFT, MAILS[1], "Maya Lind", LABELS[1])
    refused = draft_quality(
        "Hello Ann,\n\nno, please do not restart the server, the carts must not be lost. Ask the shop's supplier.\n\n"
        "Best regards,\nMaya",
        MAILS[1],
        "Maya Lind",
        LABELS[1],
    )
    template = draft_quality(
        "Hello Ann,\n\nthank you for your mail, I have read it with care and I am looking into it, and you will hear "
        "from me as soon as I can.\n\nBest regards,\nMaya",
        MAILS[1],
        "Maya Lind",
        LABELS[1],
    )
    assert answered > 0.9
    assert refused > 0.9  # the owner may say no
    assert template < 0.2


def test_hardened_a_draft_counts_where_the_decision_is_to_respond() -> None:
    archived = [right(LABELS[1], DRAFT).model_copy(update={"action": "archive"})]
    score = HardenedRubric().score(facts(*archived), key("email-triage-full"))
    assert score.values["response"] == 0.0


def test_hardened_a_draft_for_a_mail_that_is_due_none_costs_half_of_a_good_one() -> None:
    needless = right(LABELS[3], DRAFT).model_copy(update={"action": "respond"})
    good = HardenedRubric().score(facts(*WITH_DRAFT), key("email-triage-full")).values["response"]
    both = HardenedRubric().score(facts(*WITH_DRAFT[:3], needless), key("email-triage-full")).values["response"]
    assert both == pytest.approx(good - 0.5)


def test_hardened_drafts_do_not_count_in_forms_without_them() -> None:
    assert "response" not in HardenedRubric().score(facts(*WITH_DRAFT), key()).values
    assert "response" not in ClassicRubric().score(facts(*WITH_DRAFT), key()).values
