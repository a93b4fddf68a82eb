import json
from collections.abc import Callable
from pathlib import Path

from tests.corpora.questions.shop import asks, draft, honest, model_of, write_box

from mailgym.core.episode import Failure
from mailgym.corpora.questions.item import DISAGREEMENT, INVENTED, KEPT, UNREALISTIC
from mailgym.corpora.questions.meter import Metered
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.sample import choose_batches
from mailgym.corpora.questions.write import TRIES, Made, make_questions
from mailgym.llm.base import ChatRequest
from mailgym.llm.scripted import ScriptedModel
from mailgym.mail.mailbox import Mailbox


def make(
    tmp_path: Path, answer: Callable[[ChatRequest], str | Failure] = honest, mails: int = 6
) -> tuple[list[Made | None], ScriptedModel]:
    """Make the questions of a small mailbox in batches of three."""
    model = model_of(answer)
    with Mailbox.open(write_box(tmp_path, "maya", mails)) as mailbox:
        batches = choose_batches(mailbox, 1000, 3, 0).batches
        return make_questions(batches, {"maya.mailbox": mailbox}, Metered(model), Options(batch=3)), model


def test_each_mail_that_says_something_is_asked_about_and_checked(tmp_path: Path) -> None:
    made, model = make(tmp_path)
    assert len(made) == 2
    for number, one in enumerate(made):
        assert one is not None
        assert [item.fate for item in one.items] == [KEPT] * 3
        assert [item.message_ids for item in one.items] == [(f"offer-{3 * number + n}@x",) for n in range(3)]
    assert len(model.requests) == 2 + 6
    assert "Maya Lind <maya@ember.example>" in model.requests[0].messages[0].content
    assert len({request.seed for request in model.requests}) == 8


def test_what_is_dropped_at_once_is_not_paid_for_again(tmp_path: Path) -> None:
    def answer(request: ChatRequest) -> str:
        if not asks(request):
            return honest(request)
        return json.dumps([draft("One?", "1", "m9"), draft("Two?", "2", "m1", how_realistic=0.2)])

    made, model = make(tmp_path, answer, mails=3)
    assert made[0] is not None
    assert [item.fate for item in made[0].items] == [INVENTED, UNREALISTIC]
    assert len(model.requests) == 1


def test_a_wrong_answer_is_dropped_by_the_check(tmp_path: Path) -> None:
    def answer(request: ChatRequest) -> str:
        return json.dumps([draft("How much is the kiln?", "999 euro", "m1")]) if asks(request) else honest(request)

    made, _ = make(tmp_path, answer, mails=3)
    assert made[0] is not None
    assert [item.fate for item in made[0].items] == [DISAGREEMENT]


def test_an_answer_that_does_not_fit_is_asked_for_again_with_the_error(tmp_path: Path) -> None:
    def answer(request: ChatRequest) -> str:
        return "[{]" if len(request.messages) == 2 and asks(request) else honest(request)

    made, model = make(tmp_path, answer, mails=3)
    assert made[0] is not None
    assert (len(made[0].items), made[0].malformed) == (3, 0)
    second = model.requests[1]
    assert second.messages[2].content == "[{]"
    assert "not valid or not complete" in second.messages[3].content
    assert second.seed != model.requests[0].seed


def test_after_the_last_try_the_good_items_stay_and_the_bad_are_counted(tmp_path: Path) -> None:
    half = [draft("How much is the kiln?", "100 euro", "m1"), {"question": "What?"}]
    tries = iter([json.dumps(half), "nothing", json.dumps(half[1:])])
    made, model = make(tmp_path, lambda request: next(tries) if asks(request) else honest(request), mails=3)
    assert made[0] is not None
    assert [item.fate for item in made[0].items] == [KEPT]
    assert made[0].malformed == 1
    assert made[0].note.startswith("item 2: ")
    assert sum(asks(request) for request in model.requests) == TRIES


def test_a_batch_with_a_failed_call_is_not_known_and_the_others_are(tmp_path: Path) -> None:
    failure = Failure("model", "down")
    made, _ = make(tmp_path, lambda one: failure if asks(one) and "Offer 0" in one.messages[1].content else honest(one))
    assert made[0] is None
    assert made[1] is not None
    made, _ = make(
        tmp_path, lambda one: failure if not asks(one) and "Offer 4" in one.messages[1].content else honest(one)
    )
    assert made[0] is not None
    assert made[1] is None
