"""What a run gained, in the terminal: the table, the sentences, and the episodes that changed most, in full."""

from typing import TYPE_CHECKING

from mailgym.cli.output import show

if TYPE_CHECKING:
    from rich.table import Table

    from mailgym.evaluate.report.episodes import EpisodeStory, PlayStory
    from mailgym.evaluate.report.gather import Report

SHOWN_RESULTS = 10


def print_verdict(report: "Report") -> None:
    """Print a report's figures and episodes."""
    from mailgym.evaluate.report.words import counts_sentence, gap_sentence, headline, method_notes, stages_sentence

    for title, stories in (("got better", report.improved), ("got worse", report.worsened)):
        for number, story in enumerate(stories, 1):
            show(f"\n== {number} of {len(stories)} that {title} ({story.difference:+.2f})")
            show("\n".join(story_lines(story)))
    if report.table is not None:
        show("")
        show(standings_table(report))
    told = (counts_sentence(report), gap_sentence(report), stages_sentence(report), headline(report))
    for line in (*method_notes(report), *told):
        if line:
            show(line)


def standings_table(report: "Report") -> "Table":
    """Return every agent's figures, the trained one first, each with the trained agent's lead over it."""
    from rich.table import Table

    from mailgym.evaluate.benchmark import COLUMNS, row_cells
    from mailgym.evaluate.report.words import ahead_words

    table = Table()
    for index, column in enumerate((*(report.table.columns if report.table else COLUMNS), "trained agent's lead")):
        table.add_column(column, justify="left" if index == 0 else "right", no_wrap=index < 2)
    for standing in report.standings:
        cells = report.table.cells(standing.row) if report.table else row_cells(standing.row)
        table.add_row(*cells, ahead_words(standing))
    return table


def story_lines(story: "EpisodeStory") -> list[str]:
    """Tell one episode as it was played before and after, and by the best heuristic."""
    lines = [f"{name}: {value}" for name, value in story.question]
    for play in story.plays:
        lines += ["", *_play_lines(play)]
    return lines


def _play_lines(play: "PlayStory") -> list[str]:
    reward = "failed" if play.reward is None else f"reward {play.reward:.3f}"
    lines = [f"{play.agent}: {reward}, {play.ended}"]
    for turn in play.turns:
        lines.append(f"  wrote  {turn.wrote}")
        if turn.answer:
            lines.append(f"  got    {turn.answer}")
        for result in turn.results[:SHOWN_RESULTS]:
            mark = "→" if result.right else " "
            lines.append(f"  {mark} {result.position:>2}. {' · '.join(result.cells[:3])}")
        if turn.empty:
            lines.append("    no results")
        if turn.missed:
            lines.append("    the right mail is not among these")
    return lines
