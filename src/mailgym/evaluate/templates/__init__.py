"""Templates: players that understand nothing and write by rote, and an optimiser that finds the best paid one.

A template says which tool is called in which turn, a constant for every label, and for every text a recipe of fixed
phrases, copied pieces of the mail and keywords. It never chooses by what a mail says. What such a player earns, a
policy may learn to earn without reading a word.
"""

from mailgym.evaluate.templates.search import DEFAULT_TRIALS, MIN_TRIALS, search_templates

__all__ = ["DEFAULT_TRIALS", "MIN_TRIALS", "search_templates"]
