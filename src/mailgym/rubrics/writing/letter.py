"""Takes a letter apart: greeting, what it says, sign-off, signature."""

import re
from dataclasses import dataclass
from functools import lru_cache

from mailgym.mail.quotes import split_quotes
from mailgym.mail.sentence import split_sentences
from mailgym.rubrics.writing.english import words_in

MOST_SENTENCES = 200
_NAME = r"(?:[^\W\d_][\w.'-]*)"
_GREETING_WORD = (
    r"(?:hi|hello|hey|hiya|dear|greetings|good (?:morning|afternoon|evening|day)|morning|afternoon|evening"
    r"|to whom it may concern|salutations|howdy)"
)
_GREETING = re.compile(
    rf"\s*{_GREETING_WORD}\b(?P<name>(?:\s+(?:{_NAME}|&)){{0,6}}?)\s*(?:[,!:;.]+|\s-+(?=\s)|\Z)\s*", re.IGNORECASE
)
_NAME_FIRST = re.compile(rf"\s*(?P<name>{_NAME}(?:\s{_NAME}){{0,2}})\s*(?:,|!|:|\s-+(?=\s))\s*")
_SIGN_OFF_WORDS = (
    r"(?:(?:with |my |many |very )*(?:best|kind(?:est)?|warm(?:est)?|all the best|regards|wishes|sincere(?:ly)?|cheers"
    r"|thanks|thank you|thx|ta|yours|love|hugs|xx?x?|take care|talk soon|speak soon|see you|see you (?:there|then|soon)"
    r"|respectfully|cordially|faithfully|truly|in sympathy|with sympathy|gratefully|apologies|sorry|greetings|bye|ciao"
    r"|very best|bw|br|kr|looking forward)"
    r"(?: (?:again|so much|very much|a lot|in advance|regards|wishes|best|and|&|kind|warm|many|truly|sincerely"
    r"|faithfully|yours|thanks|to you|to you both|to all|all|for now|then|soon|there|from|of us|everyone|love|xx?x?))*)"
)
_SIGN_OFF = re.compile(rf"\s*{_SIGN_OFF_WORDS}\s*(?:[,.!-]+\s*|\Z|\n)(?P<rest>.*)\Z", re.IGNORECASE | re.DOTALL)
_NO_NAMES = frozenset(
    "yes no yep nope sure ok okay thanks great perfect sorry confirmed agreed done noted congratulations absolutely"
    " certainly unfortunately thursday friday monday tuesday wednesday saturday sunday however please well so also"
    " first second finally meanwhile understood of right good fine personally honestly sadly tomorrow today".split()
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter, taken apart.

    Attributes:
        greetings: What it calls its reader, a name each: "Dear Ms Pugh," gives "Ms Pugh"; empty for "Hi,".
        sentences: What it says, in order.
        sign_offs: How it ends: "Kind regards".
        signature: The lines below, one text.
    """

    greetings: tuple[str, ...]
    sentences: tuple[str, ...]
    sign_offs: tuple[str, ...]
    signature: str


@lru_cache(maxsize=512)
def read_letter(text: str) -> Letter:
    """Take a plain text apart as a letter; what it quotes of the message it answers is left out."""
    own = split_quotes(text).new_text or ("" if text.lstrip().startswith(">") else text)
    greetings: list[str] = []
    sentences: list[str] = []
    for number, piece in enumerate(split_sentences(own)[:MOST_SENTENCES]):
        rest = piece
        while found := _GREETING.match(rest):
            greetings.append(found["name"].strip())
            rest = rest[found.end() :]
            if not rest:
                break
        if number == 0 and rest == piece and (found := _NAME_FIRST.match(rest)) and _names(found["name"]):
            greetings.append(found["name"].strip())
            rest = rest[found.end() :]
        if rest.strip(" ,.!-"):
            sentences.append(rest.strip())
    body, sign_offs, signature = _without_end(sentences)
    return Letter(tuple(greetings), tuple(body), tuple(sign_offs), "\n".join(signature))


def _names(words: str) -> bool:
    return words[:1].isupper() and words.split()[0].lower() not in _NO_NAMES


def _without_end(sentences: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Part sign-offs and signature from what is said: the last short pieces, and every sign-off before them."""
    body = list(sentences)
    sign_offs: list[str] = []
    signature: list[str] = []
    end = len(body)
    for number in range(len(body) - 1, max(-1, len(body) - 9), -1):
        found = _SIGN_OFF.fullmatch(body[number])
        rest = found["rest"] if found else ""
        if found and len(words_in(rest)) <= 5:
            sign_offs.insert(0, body[number][: found.start("rest")].strip(" ,.!-"))
            signature = [rest, *body[number + 1 : end], *signature] if rest else [*body[number + 1 : end], *signature]
            end = number
        elif len(words_in(body[number])) > 8 or number < len(body) - 7:
            break
    body = body[:end]
    if not sign_offs:
        while len(body) > 1 and _is_signature(body[-1]) and len(signature) < 4:
            signature.insert(0, body.pop())
    return body, sign_offs, signature


def _is_signature(piece: str) -> bool:
    words = re.findall(r"[^\W\d_][\w'.-]*", piece)
    titled = sum(word[0].isupper() for word in words)
    few = 0 < len(words) <= 5
    return (
        few
        and titled == len(words)
        and not piece.rstrip().endswith((".", "!", "?"))
        and words[0].lower() not in _NO_NAMES
    )
