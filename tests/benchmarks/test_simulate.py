from pathlib import Path

import pytest
import simulate

from mailgym.corpora.simulate.store import write_inbox
from mailgym.mail.mailbox import Mailbox


def test_pace_and_growth_are_those_worked_out_by_hand() -> None:
    small = simulate.Pace(mails=1_000, questions=20, company_s=0.5, file_s=1.0, questions_s=0.5)
    large = simulate.Pace(mails=4_000, questions=80, company_s=2.0, file_s=6.0, questions_s=2.0)
    lines = simulate.pace_lines([small, large])
    assert lines[0] == (
        "1,000 mails: 2,000 mails/s made, 667 made and written, 20 questions in 0.5 s, 2.00 ms a mail in all"
    )
    assert lines[-1] == (
        "500 mails/s made and written (goal 333: met); a mail costs 1.25 x as much where there are 4.0 x as many "
        "(goal 1.3: met)"
    )
    slow = simulate.Pace(mails=4_000, questions=80, company_s=9.0, file_s=9.0, questions_s=9.0)
    assert simulate.pace_lines([small, slow])[-1].count("MISSED") == 2


def test_hardness_is_told_with_its_goals() -> None:
    line = simulate.hardness_line(
        "test", simulate.Hardness(50, {"all words": 0.7, "content words": 0.3}, {"single": 0.5}, 0.96, 1.25)
    )
    assert line == (
        "test, 50 questions: BM25 first 0.70 (goal 0.25 to 0.6: MISSED), by content words 0.30; single 0.50; "
        "knowing the facts 0.960 within 10 searches, 1.25 on average (goal 0.95: met)"
    )


def test_a_small_company_is_measured(tmp_path: Path) -> None:
    pace = simulate.measure_pace(tmp_path, seed=1, people=20, days=90, questions=10)
    assert pace.mails == pytest.approx(90 * simulate.MAILS_PER_DAY, rel=0.05)
    assert pace.questions == 10
    assert min(pace.company_s, pace.file_s, pace.questions_s) > 0
    company = simulate.company_of("train", 1, 20, 90)
    questions = [question for question in company.searches(company.inboxes[0]) if question.message_ids][:30]
    with Mailbox.open(write_inbox(tmp_path / "train", company.inboxes[0])) as mailbox:
        hardness = simulate.measure_hardness(mailbox, questions)
    assert hardness.questions == 30
    assert 0 < hardness.first["all words"] < 0.9
    assert hardness.knowing > 0.8
    assert 1 <= hardness.needed < 3
