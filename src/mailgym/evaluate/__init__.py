"""Benchmark, statistics, red team, report. Measures, never trains."""
