"""Readers of mail as programs and providers keep it: each a stream of raw messages, none of it unpacked to disk."""
