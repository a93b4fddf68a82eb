import io

import pytest
from rich.console import Console

from mailgym.train.display import Dashboard, Display, plain_line, sparkline

TRAIN = {
    "phase": "train",
    "update": 1,
    "reward_mean": 0.25,
    "entropy": 1.5,
    "live_groups": 3,
    "groups": 4,
    "dead_best": 0,
    "dead_zero": 1,
    "dead_tied": 0,
    "completion_tokens": 31.4,
    "seconds": {"generate": 6.0, "train": 4.0},
}
VALIDATION = {
    "phase": "validation",
    "update": 0,
    "reward_mean": 0.2,
    "low": 0.1,
    "high": 0.3,
    "n": 64,
    "seconds": {"validate": 9.0},
}


class Clock:
    def __init__(self):
        self.now_s = 0.0

    def __call__(self):
        self.now_s += 1.0
        return self.now_s


def shown(display_to, terminal=True):
    console = Console(file=io.StringIO(), force_terminal=terminal, width=120)
    display_to(Display(console, Clock()))
    return console.file.getvalue()


def test_the_dashboard_shows_curves_entropy_live_groups_seconds_and_time_left():
    dashboard = Dashboard(11, [VALIDATION])
    assert dashboard.seconds_left() is None
    dashboard.record(TRAIN)
    dashboard.record({**TRAIN, "update": 2, "reward_mean": 0.5})
    dashboard.record({**VALIDATION, "update": 2, "reward_mean": 0.4})
    # 9 updates left of 10 s each, and 9 s of validation every 2 updates
    assert dashboard.seconds_left() == pytest.approx(9 * 10 + 9 * 9 / 2)
    console = Console(file=io.StringIO(), width=120)
    console.print(dashboard.render())
    text = console.file.getvalue()
    for part in (
        "2 of 11",
        "0.250 → 0.500",
        "0.200 → 0.400",
        "3 of 4 (1 all at 0 or below)",
        "generate 6.0 s",
        "2 min",
    ):
        assert part in text


def test_a_record_that_is_played_again_after_a_resume_replaces_the_earlier_one():
    dashboard = Dashboard(5, [TRAIN])
    dashboard.record({**TRAIN, "reward_mean": 0.9})
    assert [record["reward_mean"] for record in dashboard.train] == [0.9]


def test_without_a_terminal_every_record_is_a_line():
    def run(display):
        with display.training(4, []) as dashboard:
            dashboard.begin("generate", 1)
            dashboard.record(TRAIN)
            dashboard.record(VALIDATION)

    lines = shown(run, terminal=False).splitlines()
    assert lines == [plain_line(TRAIN, 4), plain_line(VALIDATION, 4)]
    assert "live groups 3 of 4" in lines[0]
    assert "0.200 [0.100, 0.300] on 64" in lines[1]


def test_in_a_terminal_the_dashboard_is_live():
    def run(display):
        with display.training(4, []) as dashboard:
            dashboard.record(TRAIN)

    assert "1 of 4" in shown(run)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_phase_says_how_long_it_took(terminal):
    def run(display):
        with display.phase("before: untrained", 4) as progress:
            progress.advance(2)
            progress.say("second half", 4, 4)

    assert "before: untrained: 1.0 s" in shown(run, terminal)


def test_a_phase_with_nothing_to_do_says_nothing():
    def run(display):
        with display.phase("before", 0) as progress:
            progress.advance(1)

    assert shown(run) == ""


def test_what_looks_like_markup_is_shown_as_it_is():
    assert "my[/b].mbox [red]" in shown(lambda display: display.note("my[/b].mbox [red]"))

    def run(display):
        with display.phase("import", 2) as progress:
            progress.say("my[/b].mbox", 1, 2)

    assert "import: 1.0 s" in shown(run)


def test_sparklines():
    assert sparkline([]) == ""
    assert sparkline([0.0, 0.5, 1.0]) == "▁▅█"
    assert sparkline([0.3, 0.3]) == "▁▁"
