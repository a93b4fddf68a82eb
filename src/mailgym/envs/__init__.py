"""Environments: base, registry, checker; then one folder per environment."""
