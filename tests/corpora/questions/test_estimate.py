from pathlib import Path

import pytest
from tests.corpora.questions.shop import write_box

from mailgym.corpora.questions.estimate import CHARS_PER_TOKEN, estimate
from mailgym.corpora.questions.options import Options
from mailgym.corpora.questions.prompt import questions_prompt
from mailgym.corpora.questions.survey import survey
from mailgym.corpora.questions.write import owner_line
from mailgym.llm.remote import Price


def test_mails_and_first_calls_are_counted_and_the_rest_is_estimated(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 60)
    options = Options()
    with survey(tmp_path, options) as found:
        expected = estimate(found, options, frozenset(), price=Price(2.0, 8.0))
        mailbox = found.mailboxes["maya.mailbox"]
        prompts = [
            questions_prompt(owner_line(mailbox), [mailbox.read(one) for one in batch.message_ids], options.max_chars)
            for batch in found.batches
        ]
    first = sum(len(chat.content) for prompt in prompts for chat in prompt) // CHARS_PER_TOKEN
    assert (expected.mailboxes, expected.mails, expected.batches) == (1, 60, 3)
    assert expected.calls == 3 + 12 + 1, "one a batch, four checks a batch, one of ten judged"
    assert expected.prompt_tokens == first + 12 * (250 + first // 60) + 400
    assert expected.completion_tokens == 12 * (70 + 15) + 40
    assert expected.cost_usd == pytest.approx((2 * expected.prompt_tokens + 8 * expected.completion_tokens) / 1e6)
    assert expected.to_json()["mails"] == 60


def test_what_is_made_is_left_out_and_a_limit_needs_fewer_batches(tmp_path: Path) -> None:
    write_box(tmp_path, "maya", 60)
    options = Options(batch=3)
    with survey(tmp_path, options) as found:
        done = frozenset(batch.key for batch in found.batches[:5])
        assert estimate(found, options, done).batches == 15
        assert estimate(found, options, frozenset(), limit=10).batches == 4
        assert estimate(found, options, frozenset(), limit=1000).batches == 20
        everything = frozenset(batch.key for batch in found.batches)
        nothing = estimate(found, options, everything)
    assert (nothing.batches, nothing.calls, nothing.prompt_tokens, nothing.cost_usd) == (0, 0, 0, None)
