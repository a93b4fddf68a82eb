"""What the benchmarks of mail share: the mails, and the loaders and indexers that are measured beside this project."""
