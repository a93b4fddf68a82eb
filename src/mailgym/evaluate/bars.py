"""Draws a benchmark's table: one bar an agent, its main figure with the interval."""

from pathlib import Path
from typing import TYPE_CHECKING

from mailgym.core.errors import UserError
from mailgym.evaluate.statistics import Interval

if TYPE_CHECKING:
    from mailgym.evaluate.benchmark import BenchmarkRow, BenchmarkTable

FORMS = (".png", ".svg")
BAR, PUBLISHED_BAR = "#0b62c4", "#c3c9d4"
INCHES_A_BAR, INCHES_WIDE = 0.45, 8.6


def check_path(path: Path) -> None:
    """Check the name of a picture.

    Raises:
        UserError: It does not end with .png or .svg.
    """
    if path.suffix.lower() not in FORMS:
        raise UserError(f"{path} is no picture's name: let it end with .png or .svg")


def draw_table(table: "BenchmarkTable", path: Path) -> None:
    """Draw a table into a file: the first figure that has an interval, or the reward, for every agent.

    Rows of others' figures are drawn in grey, without an interval.

    Raises:
        UserError: The file's name does not end with .png or .svg, or it cannot be written.
    """
    check_path(path)
    title, bars = main_figure(table)
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.fonttype": "none", "font.size": 10, "axes.spines.top": False}):
        figure = Figure((INCHES_WIDE, 1.2 + INCHES_A_BAR * max(len(bars), 1)), layout="constrained", facecolor="white")
        axes = figure.subplots()
        axes.spines["right"].set_visible(False)
        for place, (_, low, value, high, published) in enumerate(reversed(bars)):
            axes.barh(place, value, color=PUBLISHED_BAR if published else BAR, height=0.6)
            if not published:
                axes.plot([low, high], [place, place], color="#1f2430", linewidth=1.5)
            axes.annotate(
                f"{value:.3f}", (max(high, value, 0.0), place), (4, 0), textcoords="offset points", va="center"
            )
        axes.set_yticks(range(len(bars)), [name for name, *_ in reversed(bars)])
        axes.margins(x=0.12)
        axes.set_title(f"{table.env}: {title}, {table.tasks} tasks", loc="left")
        try:
            figure.savefig(
                path, dpi=150, metadata={"Software": None} if path.suffix.lower() == ".png" else {"Date": None}
            )
        except OSError as error:
            raise UserError(f"{path} cannot be written ({error.strerror}): choose another place") from error


Bar = tuple[str, float, float, float, bool]
"""Name, lower end, value, upper end, and whether it is a published row."""


def main_figure(table: "BenchmarkTable") -> tuple[str, list[Bar]]:
    """Return the heading of a table's main figure, and its bars; agents without it have none."""
    main = next((figure for figure in table.figures if figure.statistic == "interval"), None)
    title = "reward" if main is None else main.title.partition(" [")[0]
    bars: list[Bar] = []
    for row in table.rows:
        interval = _interval(row, None if main is None else main.title)
        if interval is not None:
            bars.append((row.agent, interval.low, interval.mean, interval.high, False))
    for published in table.published:
        cell = published.cells.get(title if main is None else main.title)
        if cell is not None:
            bars.append((published.name, float(cell), float(cell), float(cell), True))
    return title, bars


def _interval(row: "BenchmarkRow", title: str | None) -> Interval | None:
    value = row.reward if title is None else row.figures[title]
    return value if isinstance(value, Interval) else None
