"""The report's plots: inline SVG that follows the page's light or dark colours, and one PNG."""

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mailgym.evaluate.report.curves import Series
from mailgym.evaluate.report.gather import AFTER, BEFORE, WARM, Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours by what they stand for; in SVG each becomes a variable of the page, which has a light and a dark value.
COLOURS = {
    "ink": "#1f2430",
    "faint": "#8a93a3",
    "grid": "#e3e6ec",
    "strong": "#0b62c4",
    "second": "#d2691e",
    "third": "#2a8a5c",
    "fourth": "#8e5bb5",
}
_PHASE_COLOURS = ("strong", "second", "third", "fourth", "faint")
_HEURISTIC_LINES = 5


def has_curve(report: Report) -> bool:
    """Whether there is a curve to draw."""
    return bool(report.curves.validation or report.curves.train.get("reward_mean"))


def curve_svg(report: Report) -> str:
    """Return the reward curve as SVG for an HTML page."""
    return _svg((8.6, 3.9), 1, lambda figure: _draw_rewards(figure.subplots(), report))


def details_svg(report: Report) -> str:
    """Return entropy, live groups and seconds a phase as SVG for an HTML page; empty where none was recorded."""
    panels = _panels(report)
    if not panels:
        return ""
    return _svg((8.6, 2.5), 2, lambda figure: _draw_panels(figure, panels))


def curve_png(report: Report) -> bytes:
    """Return the whole picture as PNG, on white."""
    panels = _panels(report)
    with _style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8.6, 6.4 if panels else 3.9), layout="constrained", facecolor="white")
        if panels:
            halves = figure.subfigures(2, 1, height_ratios=(3.9, 2.5), squeeze=False)
            _draw_rewards(halves[0, 0].subplots(), report)
            _draw_panels(halves[1, 0], panels)
        else:
            _draw_rewards(figure.subplots(), report)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=150, metadata={"Software": None})
    return buffer.getvalue()


def _style() -> Any:
    import matplotlib

    return matplotlib.rc_context(
        {
            "svg.fonttype": "none",
            "font.family": "sans-serif",
            "font.size": 10,
            "text.color": COLOURS["ink"],
            "axes.labelcolor": COLOURS["ink"],
            "axes.edgecolor": COLOURS["faint"],
            "axes.titlesize": 10,
            "axes.titlelocation": "left",
            "xtick.color": COLOURS["ink"],
            "ytick.color": COLOURS["ink"],
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.color": COLOURS["grid"],
            "axes.facecolor": "none",
            "legend.frameon": False,
        }
    )


def _svg(size_inches: tuple[float, float], number: int, draw: Callable[["Figure"], None]) -> str:
    import matplotlib

    with _style(), matplotlib.rc_context({"svg.hashsalt": f"mailgym {number}"}):
        from matplotlib.figure import Figure

        figure = Figure(figsize=size_inches, layout="constrained", facecolor="none")
        draw(figure)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)  # two plots on a page number their groups alike
    for name, colour in COLOURS.items():
        text = text.replace(colour, f"var(--{name})")
    return text


def _draw_rewards(axes: "Axes", report: Report) -> None:
    train, validation = report.curves.train.get("reward_mean", Series()), report.curves.validation
    if train:
        axes.plot(train.updates, train.values, color=COLOURS["faint"], lw=1.2, label="training, sampled")
    if validation:
        axes.plot(
            validation.updates, validation.values, color=COLOURS["strong"], lw=2.2, marker="o", ms=4, label="validation"
        )
        if validation.low:
            axes.fill_between(
                validation.updates, validation.low, validation.high, color=COLOURS["strong"], alpha=0.15, lw=0
            )
    last = max((*train.updates, *validation.updates, 1))
    best = report.curves.best_update
    label: str | None = "held-out, before and after" if report.standing(WARM) is None else "held-out, by stage"
    for role, update in ((BEFORE, 0), (WARM, 0), (AFTER, last if best is None else best)):
        standing = report.standing(role)
        if standing is None or standing.row.reward is None:
            continue
        reward = standing.row.reward
        axes.errorbar(
            [update],
            [reward.mean],
            yerr=[[reward.mean - reward.low], [reward.high - reward.mean]],
            color=COLOURS["second"],
            marker="D",
            ms=6,
            capsize=3,
            lw=1.4,
            ls="none",
            label=label,
            zorder=5,
        )
        label = None
    _draw_heuristics(axes, report)
    _name_updates(axes)
    axes.set_ylabel("mean reward")
    axes.set_xlim(-0.02 * last, last * 1.02)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=9)


def _draw_heuristics(axes: "Axes", report: Report) -> None:
    lines = [s for s in report.standings if s.role == "heuristic" and s.row.reward is not None][:_HEURISTIC_LINES]
    heights = [s.row.reward.mean for s in lines if s.row.reward is not None]
    for height in heights:
        axes.axhline(height, color=COLOURS["third"], lw=1.1, ls=(0, (5, 3)))
    low, high = axes.get_ylim()
    for standing, height, place in zip(
        lines, heights, spread_out(heights, (high - min(low, 0.0)) * 0.065), strict=True
    ):
        axes.annotate(
            f"{standing.row.agent} {height:.2f}",
            xy=(1.0, height),
            xytext=(1.015, place),
            xycoords=("axes fraction", "data"),
            textcoords=("axes fraction", "data"),
            va="center",
            fontsize=9,
            color=COLOURS["third"],
            annotation_clip=False,
            parse_math=False,
        )


def spread_out(heights: list[float], gap: float) -> list[float]:
    """Return places for labels at these heights, at least ``gap`` apart, in the order given."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    places = sorted(heights)
    for _ in range(100):
        moved = False
        for index in range(len(places) - 1):
            short = gap - (places[index + 1] - places[index])
            if short > 1e-9:
                places[index] -= short / 2
                places[index + 1] += short / 2
                moved = True
        if not moved:
            break
    spread = [0.0] * len(heights)
    for place, index in zip(places, order, strict=True):
        spread[index] = place
    return spread


Panel = tuple[str, Callable[["Axes"], None]]


def _panels(report: Report) -> list[Panel]:
    curves, panels = report.curves, []
    if warm_start := curves.warm_start:
        panels.append(("warm start: loss, nats a token", lambda axes: _line(axes, warm_start)))
    if entropy := curves.train.get("entropy"):
        panels.append(("entropy, nats a token", lambda axes: _line(axes, entropy)))
    if live := curves.train.get("live_groups"):
        panels.append(("groups that differ (live)", lambda axes: _live(axes, live, curves.train.get("groups"))))
    if curves.seconds:
        panels.append(("seconds an update", lambda axes: _stack(axes, curves.seconds)))
    return panels


def _draw_panels(figure: Any, panels: list[Panel]) -> None:
    for axes, (title, draw) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        draw(axes)
        axes.set_title(title)
        _name_updates(axes)
        axes.set_ylim(bottom=0)


def _name_updates(axes: "Axes") -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_xlabel("update")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _line(axes: "Axes", series: Series) -> None:
    axes.plot(series.updates, series.values, color=COLOURS["strong"], lw=1.6)


def _live(axes: "Axes", live: Series, groups: Series | None) -> None:
    axes.bar(live.updates, live.values, color=COLOURS["strong"], width=0.8)
    if groups:
        axes.plot(groups.updates, groups.values, color=COLOURS["faint"], lw=1.2, ls=(0, (5, 3)))


def _stack(axes: "Axes", seconds: dict[str, Series]) -> None:
    base: dict[int, float] = {}
    for (name, series), colour in zip(seconds.items(), _PHASE_COLOURS, strict=False):
        bottoms = [base.get(update, 0.0) for update in series.updates]
        axes.bar(series.updates, series.values, bottom=bottoms, color=COLOURS[colour], width=0.8, label=name)
        for update, value in zip(series.updates, series.values, strict=True):
            base[update] = base.get(update, 0.0) + value
    axes.set_ylim(top=max(base.values()) * 1.3)
    axes.legend(fontsize=8, loc="upper center", ncols=len(seconds), columnspacing=1.0, handlelength=1.0)
