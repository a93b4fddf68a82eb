"""Parse arguments, call one function."""
