import html.parser
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mailgym.core.episode import Decision, Failure, Step, StepResult, Trajectory
from mailgym.core.runs import RunFolder
from mailgym.evaluate.compare import EpisodePair
from mailgym.evaluate.report import gather, write_report
from mailgym.evaluate.report.episodes import MAX_TEXT_CHARS, play_story, tell
from mailgym.evaluate.report.plots import has_curve, spread_out
from mailgym.evaluate.report.write import _code_block, escape_markdown, render_html, render_markdown

Make = Callable[..., Trajectory]
MakeRun = Callable[..., RunFolder]
SECRET = "zanzibar"
ATTACK = "<script>alert(1)</script>"


class _Page(html.parser.HTMLParser):
    """Collects what a browser would load or run, and whether tags are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.outside: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in ("meta", "br", "link", "img", "input"):
            self.open.append(tag)
        for name, value in attrs:
            is_link = name in ("src", "href", "action", "data", "xlink:href", "style")
            if is_link and value and re.search(r"(https?:)?//|javascript:", value):
                self.outside.append(value)
            if name.startswith("on"):
                self.outside.append(f"{name}={value}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def texts(make_run_in: MakeRun, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    paths = write_report(make_run_in(tmp_path_factory.mktemp("report") / "run"))
    assert paths.curve is not None
    assert paths.curve.read_bytes().startswith(b"\x89PNG")
    return paths.html.read_text(encoding="utf-8"), paths.markdown.read_text(encoding="utf-8")


def test_a_report_says_what_was_gained_and_how_far_the_best_heuristic_is(texts: tuple[str, str]) -> None:
    for text in texts:
        plain = text.replace("\\", "")
        assert re.search(
            r"Held-out reward rose from 0\.\d{3} to 0\.\d{3}: \+0\.\d{3} \[\+0\.\d{3}, \+0\.\d{3}\], p ", plain
        )
        assert re.search(r"The best heuristic is content_words with 0\.\d{3}\. The trained agent is 0\.\d{3} ", plain)
        assert "after Holm" in plain
        assert re.search(r"Better on \d+ questions, the same on \d+, worse on \d+\.", plain)
        for agent in ("null", "all_words", "content_words", "newest", "oracle", "trained", "model"):
            assert agent in plain
        for kind in ("person", "superseded", "many", "date"):
            assert kind in plain
        assert "clustered by template and mailbox (12 × 5 clusters)" in plain
        assert "mailgym train find --seed 3" in plain
        assert "20 of 20, each 4 questions × 8 episodes" in plain
        assert "308 (generate 128, train 160, validate 20)" in plain
        assert "python" in plain


def test_the_figures_are_those_of_the_episodes(make_run: MakeRun) -> None:
    run = make_run()
    report = gather(run)
    rewards = {
        phase: {r.trajectory.task_id: r.trajectory.reward or 0.0 for r in run.episodes(phase)}
        for phase in ("before", "after")
    }
    differences = [rewards["after"][task] - rewards["before"][task] for task in rewards["before"]]
    assert report.gain is not None
    assert report.gain.difference is not None
    assert report.gain.difference.interval.mean == pytest.approx(sum(differences) / len(differences))
    assert report.best_heuristic == "content_words"
    assert [s.role for s in report.standings] == ["after", "before", *["heuristic"] * 3, "null", "oracle"]
    assert len(report.improved) == len(report.worsened) == 3
    assert all(story.difference > 0 for story in report.improved)
    assert all(story.difference < 0 for story in report.worsened)
    assert report.kinds[-1].kind == "all"
    assert report.kinds[-1].before == pytest.approx(sum(rewards["before"].values()) / 60)
    assert sum(line.questions for line in report.kinds[:-1]) == report.kinds[-1].questions == 60
    figures = report.to_json()
    assert figures["trained_against"]["content_words"]["adjusted_p"] is not None
    assert "question" not in str(figures)


def test_the_page_needs_nothing_and_runs_nothing(texts: tuple[str, str]) -> None:
    page = _Page(texts[0])
    assert page.open == []
    assert page.outside == []
    assert "script" not in page.tags
    assert "default-src 'none'" in texts[0]
    assert "prefers-color-scheme: dark" in texts[0]
    assert "@media print" in texts[0]
    assert texts[0].count("<svg") == 2
    assert "var(--strong)" in texts[0]
    assert "✓ the right mail" in texts[0]
    assert "The right mail is not among these." in texts[0]
    assert "<b>no." not in texts[0]
    assert "&lt;b&gt;no." in texts[0]


def outside_code(markdown: str) -> list[str]:
    """Return the lines that stand in no fenced block (CommonMark 4.5)."""
    lines, fence = [], ""
    for line in markdown.splitlines():
        if fence:
            fence = "" if re.fullmatch(fence + "`*", line) else fence
        elif line.startswith("```"):
            fence = line
        else:
            lines.append(line)
    assert not fence
    return lines


def test_hostile_text_is_shown_as_text(make_run: MakeRun) -> None:
    report = gather(make_run(secret=ATTACK, updates=0))
    page = render_html(report)
    assert ATTACK not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "script" not in _Page(page).tags
    markdown = render_markdown(report)
    shown = outside_code(markdown)
    assert not any(ATTACK in line for line in shown)


def test_hostile_agent_names_are_drawn_as_text(make_run: MakeRun, make_trajectory: Make) -> None:
    run = make_run(tasks=12, updates=5)
    with RunFolder.resume(run.path) as writer:
        for task in range(12):
            writer.append_episode(make_trajectory(task, "$x^{<script>", 1), "baseline")
    page = _Page(render_html(gather(run)))
    assert "script" not in page.tags
    assert page.open == []


def test_real_mail_is_left_out_unless_asked_for(make_run: MakeRun) -> None:
    run = make_run(secret=SECRET, source="mailbox", updates=0)
    hidden = write_report(run)
    for path in (hidden.html, hidden.markdown):
        text = path.read_text(encoding="utf-8")
        for private in (SECRET, "Harbour", "Priya", "early March", "owner@", "q0"):
            assert private not in text, private
        assert "with-mail" in text
        assert "the right mail" in text  # its place in the list is no secret
        assert "real mailbox dana" in text
    shown = write_report(run, run.path / "elsewhere", with_mail=True)
    assert shown.html.parent == run.path / "elsewhere"
    for path in (shown.html, shown.markdown):
        assert SECRET in path.read_text(encoding="utf-8")
    assert "is left out" not in shown.html.read_text(encoding="utf-8")


def test_a_source_that_is_not_known_counts_as_real(make_run: MakeRun) -> None:
    assert gather(make_run(secret=SECRET, source="unheard-of")).private


def test_simulated_mail_is_shown_without_asking(make_run: MakeRun) -> None:
    report = gather(make_run(secret=SECRET))
    assert not report.private
    assert SECRET in str(report.improved)


def test_a_run_that_has_just_begun_has_a_report(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", {"run": {"env": "find"}, "data": {"source": "simulated"}})
    paths = write_report(run)
    assert paths.curve is None
    text = paths.html.read_text(encoding="utf-8")
    assert "No held-out episodes have been played yet" in text
    assert "No heuristic was played" in text
    assert _Page(text).open == []


def test_a_run_that_still_trains_states_no_gain(make_run: MakeRun) -> None:
    run = make_run(after=False)
    report = gather(run)
    assert report.gain is None
    assert (report.improved, report.worsened) == ((), ())
    text = render_markdown(report)
    assert "no gain can be stated" in text
    assert "The trained agent has not been played" in text


def test_an_evaluation_without_training_has_a_table_and_no_curve(tmp_path: Path, make_trajectory: Make) -> None:
    run = RunFolder.create(tmp_path / "run", {"eval": {"env": "find", "turns": 1, "seed": 4, "store": "mine"}})
    for agent, rank in (("null", 0), ("rules", 2), ("model", 1)):
        for task in range(6):
            run.append_episode(make_trajectory(task, agent, rank), "eval")
    report = gather(run)
    assert [(s.role, s.row.agent) for s in report.standings] == [
        ("model", "model"),
        ("heuristic", "rules"),
        ("null", "null"),
    ]
    assert report.best_heuristic == "rules"
    assert not has_curve(report)
    text = render_markdown(report).replace("\\", "")
    assert "# 3 agents on 6 questions: model has the highest mean reward, 1.000 [1.000, 1.000]." in text
    assert "The best heuristic" not in text
    assert "find (1 turn)" in text
    assert "store mine" in text
    assert "seeds: run 4" in text


def test_an_evaluation_in_which_all_failed_says_so(tmp_path: Path, make_trajectory: Make) -> None:
    run = RunFolder.create(tmp_path / "run", {"eval": {"env": "find"}})
    run.append_episode(make_trajectory(0, "model", 1, failure=Failure("model", "down")), "eval")
    text = render_markdown(gather(run))
    assert "1 agent on 1 question: every episode failed." in text
    assert "not recorded" in text


def test_after_training_is_the_checkpoint_of_the_best_validation(make_run: MakeRun) -> None:
    run = make_run(tasks=12)
    with RunFolder.resume(run.path) as writer:
        writer.append_metrics({"phase": "validation", "update": 12, "reward_mean": 0.9, "seconds": {"validate": 7.0}})
    report = gather(run)
    assert report.curves.best_update == 12
    assert report.curves.seconds["validate"].updates.count(12) == 2
    assert "(update 12)" in render_markdown(report).replace("\\", "")


def test_one_agent_name_before_and_after_is_told_apart(tmp_path: Path, make_trajectory: Make) -> None:
    run = RunFolder.create(tmp_path / "run", {"run": {"env": "find"}, "data": {"source": "simulated"}})
    for task in range(12):
        run.append_episode(make_trajectory(task, "model", 2), "before")
        run.append_episode(make_trajectory(task, "model", 4), "after")
    report = gather(run)
    assert [s.row.agent for s in report.standings] == ["model (after)", "model (before)"]
    markdown = render_markdown(report).replace("\\", "")
    assert "Held-out reward fell from 0.500 to 0.250" in markdown


def test_no_measurable_change_is_called_none(tmp_path: Path, make_trajectory: Make) -> None:
    run = RunFolder.create(tmp_path / "run", {"run": {"env": "find"}})
    for task in range(24):
        run.append_episode(make_trajectory(task, "model", 1 + (task // 2) % 2), "before")
        run.append_episode(make_trajectory(task, "trained", 1 + (task // 2 + task // 12) % 2), "after")
    assert "The interval holds zero: no change is shown." in render_markdown(gather(run))


def test_an_agent_that_plays_as_the_best_heuristic_is_called_no_better(make_trajectory: Make, tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", {"run": {"env": "find"}})
    for task in range(12):
        run.append_episode(make_trajectory(task, "model", 0), "before")
        run.append_episode(make_trajectory(task, "rules", 1 + task % 2), "baseline")
        run.append_episode(make_trajectory(task, "trained", 1 + task % 2), "after")
    assert "does exactly as well on every draw" in render_markdown(gather(run))


@pytest.mark.parametrize(
    ("heuristic_rank", "words"), [(10, "0.900 ahead of it (+0.900 ["), (0, "1.000 ahead of it"), (-1, "behind it (-")]
)
def test_the_gap_to_the_best_heuristic_is_stated_either_way(
    make_trajectory: Make, tmp_path: Path, heuristic_rank: int, words: str
) -> None:
    run = RunFolder.create(tmp_path / "run", {"run": {"env": "find"}})
    trained, rules = (1, heuristic_rank) if heuristic_rank >= 0 else (5, 1)
    for task in range(12):
        run.append_episode(make_trajectory(task, "model", 0), "before")
        run.append_episode(make_trajectory(task, "rules", rules), "baseline")
        run.append_episode(make_trajectory(task, "trained", trained), "after")
    assert words in render_markdown(gather(run)).replace("\\", "")


def test_few_clusters_are_called_few(make_trajectory: Make, tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", {"run": {"env": "find"}})
    for task in range(4):
        run.append_episode(make_trajectory(task, "model", 0), "before")
        run.append_episode(make_trajectory(task, "trained", 1), "after")
    assert "With so few clusters no p-value below 0.12 is possible" in render_markdown(gather(run))


def test_failures_are_counted_in_the_report(make_run: MakeRun, make_trajectory: Make) -> None:
    run = make_run()
    failure = Failure("model", f"no answer about {SECRET}")
    with RunFolder.resume(run.path) as writer:
        writer.append_episode(replace(make_trajectory(0, "trained", 1, failure=failure), attempt=1), "after")
        writer.append_episode(replace(make_trajectory(1, "all_words", 1, failure=failure), attempt=1), "baseline")
    text = render_markdown(gather(run)).replace("\\", "")
    assert "1 of 60 (1 model)" in text
    assert "Some episodes of trained, all_words failed" in text
    assert "Left out of the pairs: 1 question on which" in text


def test_a_failed_episode_tells_why_but_not_in_private(make_trajectory: Make) -> None:
    failed = make_trajectory(0, "model", 1, failure=Failure("model", SECRET))
    assert SECRET in play_story(failed, "model", private=False).ended
    assert play_story(failed, "model", private=True).ended == "failed (model)"


def test_any_environments_episode_can_be_told(make_trajectory: Make) -> None:
    step = Step(
        {"kind": "mail", "subject": "Offer", "labels": ["a", "b"]},
        Decision({"label": "sales"}),
        StepResult({"kind": "error", "error": "no such label", "hints": [{"label": "sale"}]}, -0.1, truncated=True),
    )
    long = replace(step, decision=Decision(None, "x" * (MAX_TEXT_CHARS + 10)), result=None)
    empty = replace(step, result=StepResult({"kind": "results", "results": []}, 0.0))
    played = replace(make_trajectory(0, "model", 0), steps=(step, long, empty), key={"label": "sales"})
    story = tell(EpisodePair(played, played, 0.0), None, private=False)
    assert story.question == (("subject", "Offer"), ("labels", '["a", "b"]'))
    first, second, third = story.plays[0].turns
    assert first.wrote == '{"label": "sales"}'
    assert first.answer == "error: no such label"
    assert first.results[0].cells == ('{"label": "sale"}',)
    assert second.wrote.endswith("(10 more characters)")
    assert (third.results, third.empty) == ((), True)
    hidden = tell(EpisodePair(played, played, 0.0), played, private=True).plays[0].turns
    assert (hidden[0].answer, hidden[0].results[0].cells) == ("error", ("a mail",))


def test_metrics_are_read_leniently(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", {"run": {"env": "find"}})
    run.append_metrics({"phase": "train", "update": 2, "reward_mean": 0.2, "seconds": "slow", "note": "text"})
    run.append_metrics({"phase": "train", "update": 1, "reward_mean": 0.1, "kl": None, "ok": True})
    run.append_metrics({"phase": "train", "reward_mean": float("nan")})
    run.append_metrics({"phase": "validation", "update": 1, "reward_mean": 0.3, "low": 0.2, "high": 0.4})
    run.append_metrics({"phase": "validation", "update": 2, "reward_mean": 0.3})
    run.append_metrics({"phase": "validation", "update": 3})
    curves = gather(run).curves
    assert set(curves.train) == {"reward_mean"}
    assert curves.train["reward_mean"].updates == (1, 2)
    assert (curves.validation.updates, curves.validation.low) == ((1, 2), ())
    assert curves.seconds == {}
    assert has_curve(gather(run))


def test_labels_keep_their_distance_and_their_order() -> None:
    places = spread_out([0.5, 0.1, 0.51, 0.52], 0.05)
    assert places[1] == 0.1
    assert places[0] < places[2] < places[3]
    assert min(b - a for a, b in zip(sorted(places), sorted(places)[1:], strict=False)) == pytest.approx(0.05, abs=1e-6)
    assert spread_out([], 0.1) == []


def test_markdown_shows_what_was_written() -> None:
    assert escape_markdown("a | b\n# *c* <d> [e](f) `g`") == r"a \| b \# \*c\* \<d\> \[e\](f) \`g\`"


def test_a_code_block_ends_where_its_text_ends() -> None:
    assert _code_block("a\n# b") == "```\na\n# b\n```"
    assert _code_block("```\n<b>\n````") == "`````\n```\n<b>\n````\n`````"
