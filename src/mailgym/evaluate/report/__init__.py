"""The report of a run: HTML with plots, Markdown and a PNG of the curve, from what is on disk alone."""

from mailgym.evaluate.report.gather import Report, gather
from mailgym.evaluate.report.write import ReportPaths, write_report

__all__ = ["Report", "ReportPaths", "gather", "write_report"]
