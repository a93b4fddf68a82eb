"""Rubrics: pure functions from what happened and the answer key to a score. They score, they never act."""
