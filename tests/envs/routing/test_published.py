"""The document's table beside what is measured."""

from mailgym.envs.routing import ROUTING
from mailgym.envs.routing.published import AVERAGE, FIGURES, PUBLISHED

TASKS = ("email-classification", "urgency-detection", "spam-filtering")


def test_every_row_has_the_three_tasks_and_their_average() -> None:
    assert len(PUBLISHED) == 8
    titles = {figure.title for figure in FIGURES}
    for row in PUBLISHED:
        assert list(row.cells) == [*TASKS, AVERAGE]
        assert set(row.cells) <= titles
        assert row.source


def test_the_best_published_row_is_the_documents() -> None:
    best = max(PUBLISHED, key=lambda row: float(row.cells[AVERAGE]))
    assert (best.name, list(best.cells.values())) == ("GPT-4o, published", ["0.82", "0.79", "0.85", "0.82"])


def test_the_averages_are_those_of_their_rows_within_rounding() -> None:
    for row in PUBLISHED:
        mean = sum(float(row.cells[task]) for task in TASKS) / 3
        assert abs(mean - float(row.cells[AVERAGE])) < 0.011, row.name


def test_each_task_has_a_column_of_its_own_part() -> None:
    assert [figure.names for figure in ROUTING.figures[:3]] == [(task.replace("-", "_"),) for task in TASKS]
