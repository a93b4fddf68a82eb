"""A stand-in for a terminal that keeps what is written to it."""

from io import StringIO


class Terminal(StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True
