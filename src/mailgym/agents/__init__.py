"""Choose the next action in any environment."""
