"""Plain data, errors, seeds and records on disk. Knows nothing of mail or models."""
