"""Whom a reply addresses, and whose name it bears."""

import re
from collections.abc import Iterable

from mailgym.rubrics.values.names import TITLES, read_name, relate_names
from mailgym.rubrics.writing.english import FUNCTION_WORDS, words_in
from mailgym.rubrics.writing.letter import Letter, own_text, read_letter
from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.phrases import word_set
from mailgym.rubrics.writing.plain import plain
from mailgym.rubrics.writing.sentences import placeholders

_ANYBODY = word_set(
    """
    there all team everyone everybody both folks friends friend sir madam colleague colleagues customer service
    support sirs ladies gentlemen again mum mom mother mama dad father daddy grandma grandpa granny love darling
    dear neighbours neighbour auntie aunt uncle you two guys it may concern whom to and or the office hr committee
    board
    """
)
_NAME = re.compile(r"[^\W\d_]+(?:['.-][^\W\d_]+)*")
UNNAMED = 0.6
UNSIGNED = 0.5


def read_addressed(letter: Letter, mail: MailFacts) -> tuple[float, str]:
    """Return whether a letter calls its reader by name, and why: 1, 0.6 where it names nobody, 0 for somebody else.

    The reader's names are the sender's and those under the message. A greeting to nobody in particular ("Hi there") is
    worth what no greeting is.
    """
    if not mail.sender_name.strip():
        return 1.0, ""
    written = own_text(plain(mail.text).text)
    ends = [read_letter(written).signature, *written.split("\n")[-3:]]
    wanted = _parts([mail.sender_name, mail.sender_address.partition("@")[0], *(end[-60:] for end in ends)])
    named = [name for name in letter.greetings if set(words_in(name)) - _ANYBODY - TITLES]
    if named:
        if any(_shares_part(name, wanted) for name in named):
            others = [name for name in named if not _shares_part(name, wanted)]
            return (1.0, "") if not others else (UNNAMED, f"it addresses {others[0]} as well")
        return 0.0, f"it addresses {named[0]}"
    opening = " ".join(letter.sentences[:2])[:200]
    if any(part in words_in(opening) for part in wanted if len(part) > 2):
        return 1.0, ""
    return UNNAMED, "it addresses nobody by name"


def read_signed(letter: Letter, mail: MailFacts) -> tuple[float, str]:
    """Return whether a letter bears its owner's name, and why: 1, 0.5 where it bears none, 0 for another's."""
    if placeholders(letter.signature):
        return 0.0, "its signature is a template's"
    if not mail.owner_name.strip():
        return 1.0, ""
    wanted = _parts([mail.owner_name])
    ends = [letter.signature, *letter.sentences[-1:]]
    if any(_shares_part(end[-200:], wanted) for end in ends if end):
        return 1.0, ""
    initials = "".join(part[0] for part in read_name(mail.owner_name).parts)
    if initials in words_in(letter.signature) or initials[:1] in words_in(letter.signature):
        return 1.0, ""
    first = letter.signature.split("\n")[0] if letter.signature else ""
    if first and first[:1].isupper() and len(first.split()) <= 4:
        return 0.0, f"it is signed {first}"
    return UNSIGNED, "it is not signed"


def _parts(names: Iterable[str]) -> set[str]:
    return {
        part
        for name in names
        for word in _NAME.findall(name)
        for part in read_name(word).parts
        if len(part) > 1 and part not in FUNCTION_WORDS
    }


def _shares_part(name: str, wanted: Iterable[str]) -> bool:
    parts = words_in(name)
    return any(
        part == want or (len(part) > 2 and relate_names(read_name(want), read_name(part)) == "same")
        for part in parts
        for want in wanted
    )
