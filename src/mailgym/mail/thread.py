"""Puts the messages of one conversation together."""
