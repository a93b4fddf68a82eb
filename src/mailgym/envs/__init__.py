"""Environments: base, registry and checker, then one folder per environment."""
