"""Takes a letter apart: greeting, what it says, sign-off, signature."""

import re
from dataclasses import dataclass
from functools import lru_cache

from mailgym.mail.quotes import split_quotes
from mailgym.mail.sentence import split_sentences
from mailgym.rubrics.writing.english import INTERJECTIONS, is_function_word, is_verb, words_in
from mailgym.rubrics.writing.phrases import word_set

MOST_SENTENCES = 200
_NAME = r"(?:[^\W\d_][\w.'-]*)"
_GREETING_WORD = (
    r"(?:hi|hello|hey|hiya|dear|greetings|good (?:morning|afternoon|evening|day)|morning|afternoon|evening"
    r"|to whom it may concern|salutations|howdy)"
)
_GREETING = re.compile(
    rf"\s*{_GREETING_WORD}\b(?P<name>(?:\s+(?:{_NAME}|&)){{0,6}}?)\s*(?:[,!:;.]+|\s-+(?=\s)|\Z)\s*", re.IGNORECASE
)
_CAPITAL = r"(?:[^\W\d_a-z][\w.'-]*)"
_NAME_FIRST = re.compile(rf"\s*(?P<name>{_CAPITAL}(?:\s{_CAPITAL}){{0,2}})\s*(?:,(?!\s*\d)|!|\s-+(?=\s)|\Z)\s*")
_NUMBERED = re.compile(r"\s*(?:\(?(?:\d{1,2}|[a-z])[.)]|[-*•])\s+")
_SMALL_START = re.compile(r"(?<=[!?])[\")]*\s+(?=[a-z])|(?<=[a-z\d)]\.)\s+(?=[a-z])")
_ABBREVIATION = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|st|ext|no|nr|approx|incl|excl|e\.g|i\.e|vs|tel|dept|approx|est|min|max|p|pos|art|sec|fig)\.\Z",
    re.IGNORECASE,
)
_SIGN_OFF_WORDS = (
    r"(?:(?:with |my |many |very )*(?:best|kind(?:est)?|warm(?:est)?|all the best|regards|wishes|sincere(?:ly)?|cheers"
    r"|thanks|thank you|thx|ta|yours|love|hugs|xx?x?|take care|talk soon|speak soon|see you|see you (?:there|then|soon)"
    r"|respectfully|cordially|faithfully|truly|in sympathy|with sympathy|gratefully|apologies|sorry|greetings|bye|ciao"
    r"|very best|bw|br|kr|looking forward)"
    r"(?: (?:again|so much|very much|a lot|in advance|regards|wishes|best|and|&|kind|warm|many|truly|sincerely"
    r"|faithfully|yours|thanks|to you|to you both|to all|all|for now|then|soon|there|from|of us|everyone|love|xx?x?))*)"
)
_SIGN_OFF = re.compile(rf"\s*{_SIGN_OFF_WORDS}\s*(?:[,.!-]+\s*|\Z|\n)(?P<rest>.*)\Z", re.IGNORECASE | re.DOTALL)
_NO_NAMES = word_set(
    """
    yes no yep nope sure ok okay thanks great perfect sorry confirmed agreed done noted congratulations absolutely
    certainly unfortunately thursday friday monday tuesday wednesday saturday sunday however please well so also
    first second finally meanwhile understood of right good fine almost exactly personally honestly sadly tomorrow
    today
    """
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
    own = own_text(text)
    greetings: list[str] = []
    sentences: list[str] = []
    for number, piece in enumerate(_pieces(own)):
        numbered = _NUMBERED.match(piece)
        rest = piece[numbered.end() :] if numbered else piece
        while found := _GREETING.match(rest):
            greetings.append(found["name"].strip())
            rest = rest[found.end() :]
            if not rest:
                break
        while number == 0 and (found := _NAME_FIRST.match(rest)) and _names(found["name"]):
            greetings[-1:] = [" and ".join([*greetings[-1:], found["name"].strip()])]  # "Hannah, Luca, yes!"
            rest = rest[found.end() :]
        if rest.strip(" ,.!-"):
            sentences.append(rest.strip())
    body, sign_offs, signature = _without_end(sentences)
    if not body and sign_offs:  # "Thank you very much." and no more
        body, sign_offs = sign_offs[:1], sign_offs[1:]
    return Letter(tuple(greetings), tuple(body), tuple(sign_offs), "\n".join(signature))


def _pieces(text: str) -> list[str]:
    """Return a text's sentences, those too that begin with a small letter; "Mr." and "ext." end none."""
    pieces: list[str] = []
    for sentence in split_sentences(text)[:MOST_SENTENCES]:
        for piece in _SMALL_START.split(sentence):
            if pieces and (_ABBREVIATION.search(pieces[-1][-12:]) or _NUMBERED.fullmatch(f"{pieces[-1]} ")):
                pieces[-1] += f" {piece}"
            else:
                pieces.append(piece)
    return pieces


def own_text(text: str) -> str:
    """Return what the author of a plain text wrote, without what it quotes or forwards."""
    return split_quotes(text).new_text or ("" if text.lstrip().startswith(">") else text)


def _names(words: str) -> bool:
    parts = [word.lower().strip(".") for word in words.split()]
    return not any(
        part in _NO_NAMES or part in INTERJECTIONS or is_function_word(part) or is_verb(part) for part in parts
    )


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
        start = len(body)
        while start > max(1, len(body) - 4) and _may_sign(body[start - 1]):
            start -= 1
        while start < len(body) and not _is_name(body[start]):
            start += 1
        body, signature = body[:start], body[start:]
    return body, sign_offs, signature


def _may_sign(piece: str) -> bool:
    words = words_in(piece)
    bound = any(is_function_word(word) for word in words)
    return (0 < len(words) <= 5 and not bound and not piece.rstrip().endswith(("!", "?", "."))) or _is_name(piece)


def _is_name(piece: str) -> bool:
    """Whether a piece is a name and nothing else: "Ewa Nowak", "P."."""
    words = re.findall(r"[^\W\d_][\w'.-]*", piece)
    plain = [word.lower().strip(".") for word in words]
    known = any(word in _NO_NAMES or word in INTERJECTIONS or is_function_word(word) for word in plain)
    ends = piece.rstrip().endswith(("!", "?")) or (
        piece.rstrip().endswith(".") and len(plain[-1:]) and len(plain[-1]) > 2
    )
    return 0 < len(words) <= 4 and all(word[0].isupper() for word in words) and not known and not ends
