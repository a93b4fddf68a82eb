"""Improve a policy from groups of trajectories."""
