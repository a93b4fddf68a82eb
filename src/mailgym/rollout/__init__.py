"""Run agents in environments: one episode, a group, many at once."""
