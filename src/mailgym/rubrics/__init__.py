"""Criteria and their composition into a score. Scores, never acts."""
