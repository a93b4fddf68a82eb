"""Writes a report's files: one HTML page that needs nothing else, Markdown, and a PNG of the curve."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mailgym.core.files import write_atomically
from mailgym.core.runs import RunFolder
from mailgym.evaluate.benchmark import COLUMNS, row_cells
from mailgym.evaluate.report import words
from mailgym.evaluate.report.gather import Report, gather
from mailgym.evaluate.report.plots import curve_png, curve_svg, details_svg, has_curve

if TYPE_CHECKING:
    from jinja2 import Environment

ROLE_WORDS = {
    "after": "after training",
    "warm_start": "after the warm start",
    "before": "before training",
    "model": "model",
    "heuristic": "heuristic",
    "random": "floor",
    "null": "floor",
    "oracle": "ceiling",
}
IMPROVED_RULE = "The largest gains; among equals, those on which the best heuristic did worst come first."
WORSENED_RULE = "The largest losses."


class ReportPaths(NamedTuple):
    """Where a report was written; no curve where no update is on record."""

    html: Path
    markdown: Path
    curve: Path | None


def write_report(run: RunFolder, out: Path | None = None, with_mail: bool = False) -> ReportPaths:
    """Write the report of a run from what is on disk.

    Args:
        run: The run; it may still be going on.
        out: Folder to write to; the run's ``report/`` by default.
        with_mail: Show the text of real mail, and of questions made from it. Simulated mail is always shown.

    Returns:
        The files written: ``report.html``, ``report.md`` and ``curve.png``.

    Raises:
        RunError: The run's records are damaged.
    """
    report = gather(run, with_mail)
    folder = run.report if out is None else Path(out)
    curve = write_atomically(folder / "curve.png", curve_png(report)) if has_curve(report) else None
    return ReportPaths(
        html=write_atomically(folder / "report.html", render_html(report)),
        markdown=write_atomically(folder / "report.md", render_markdown(report)),
        curve=curve,
    )


def render_html(report: Report) -> str:
    """Return the report as one HTML page: no scripts, no network, every text escaped."""
    from markupsafe import Markup

    curve = Markup(curve_svg(report)) if has_curve(report) else ""
    details = Markup(details_svg(report))
    return _templates(html=True).get_template("report.html.j2").render(curve=curve, details=details, **_view(report))


def render_markdown(report: Report) -> str:
    """Return the report as Markdown; the curve is the file ``curve.png`` beside it."""
    text = _templates(html=False).get_template("report.md.j2").render(has_curve=has_curve(report), **_view(report))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _view(report: Report) -> dict[str, Any]:
    rows = [
        {
            "role": standing.role,
            "what": ROLE_WORDS[standing.role],
            "cells": report.table.cells(standing.row) if report.table else row_cells(standing.row),
            "ahead": words.ahead_words(standing),
            "p": words.p_words(standing.adjusted_p) if standing.ahead is not None else "–",
        }
        for standing in report.standings
    ]
    return {
        "report": report,
        "headline": words.headline(report),
        "gap": words.gap_sentence(report),
        "stages": words.stages_sentence(report),
        "counts": words.counts_sentence(report),
        "facts": words.facts(report),
        "notes": words.method_notes(report),
        "columns": report.table.columns if report.table else COLUMNS,
        "rows": rows,
        "stories": [("got better", IMPROVED_RULE, report.improved), ("got worse", WORSENED_RULE, report.worsened)],
        "config": report.config_toml,
    }


def _templates(html: bool) -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("mailgym.evaluate.report", "templates"),
        autoescape=html,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    templates.filters["figure"] = _figure
    templates.filters["signed"] = lambda value: f"{value:+.3f}"
    templates.filters["md"] = escape_markdown
    templates.filters["code"] = _code_block
    return templates


def _figure(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def escape_markdown(text: Any) -> str:
    """Return text that Markdown shows as it is, on one line."""
    line = " ".join(str(text).split())
    return re.sub(r"([\\`*_{}\[\]<>#|!~&])", r"\\\1", line)


def _code_block(text: str) -> str:
    """Return text as a fenced code block, the fence longer than any in the text: nothing in it can end the block.

    An indented block would not do: below a list it is a paragraph of the last item, in which Markdown and HTML count.
    """
    lines = str(text).splitlines()
    longest = max((len(run) for run in re.findall(r"`+", str(text))), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *lines, fence])
