"""What a reply to a message is worth, by rules: what it says first, its form second.

No sum of forms replaces an answer: the quality is a product in which what was asked is a factor, and so are reading as
prose, inventing nothing, giving nothing away, and not being a copy. Form (address, signature, tone, clarity, length)
moves what is left by two fifths at most.

What it does not know: whether a statement is true that no source speaks of in numbers, dates or names; wit, tact,
grammar; any language but English.

Source: the hardened criteria for replies of the environments that write; the systems' documents (001, 004) pay for
keywords, greetings and closings as such, which :mod:`mailgym.rubrics.writing` does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mailgym.rubrics.writing.asks import Ask, AskKind, read_ask
from mailgym.rubrics.writing.asserted import stated, takes_back
from mailgym.rubrics.writing.clarity import filler, is_filler, read_clarity
from mailgym.rubrics.writing.denial import is_denied
from mailgym.rubrics.writing.echo import borrowed_share, copied_share, speaks_as
from mailgym.rubrics.writing.english import roots, words_in
from mailgym.rubrics.writing.invented import find_invented
from mailgym.rubrics.writing.letter import Letter, read_letter
from mailgym.rubrics.writing.mail import MailFacts
from mailgym.rubrics.writing.people import read_addressed, read_signed
from mailgym.rubrics.writing.plain import Plain, plain
from mailgym.rubrics.writing.safety import unsafe_in
from mailgym.rubrics.writing.sentences import Prose, placeholders, read_prose
from mailgym.rubrics.writing.tone import read_tone, rude_words

__all__ = ["Ask", "AskKind", "ReplyReading", "Wanted", "read_reply"]

MOST_MAIL_CHARACTERS = 60_000
INVENTED_VALUE, INVENTED_NAME, INVENTED_SOFT = 0.45, 0.85, 0.92
FREE_COPY, FREE_LOAN, LEAST_WORDS_FOR_LOAN = 0.35, 0.85, 15
MOSTLY_COPIED, MOST_COPIED_SENTENCE = 0.5, 0.7
FEWEST_WORDS, MOST_WORDS, FAR_TOO_MANY_WORDS = 10, 220, 700
FORM_WEIGHTS = {"addressed": 0.25, "signed": 0.2, "tone": 0.2, "clarity": 0.2, "fitting_length": 0.15}
FORM_SHARE = 0.4
WRONG_PERSON = 0.6
_READ = (
    "reads_as_reply", "relevance", "answers", "faithful", "addressed", "signed", "safe", "tone", "clarity",
    "original", "fitting_length",
)  # fmt: skip
_NOTHING = dict.fromkeys(_READ, 0.0)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a good reply to a message does.

    Attributes:
        needs_reply: Whether there should be one at all; where not, only an empty reply is right.
        keywords: Groups of alternatives; the share of groups of which one stands in the reply is its relevance.
        asks: What it must say.
        tone: ``professional``, ``friendly``, ``assertive``, ``apologetic``, or empty for any.
    """

    needs_reply: bool
    keywords: tuple[tuple[str, ...], ...] = ()
    asks: tuple[Ask, ...] = ()
    tone: str = ""


@dataclass(frozen=True, slots=True)
class ReplyReading:
    """What was read of a reply; every number is from 0 to 1.

    Attributes:
        reads_as_reply: Share of its words that stand in sentences, each counted once.
        relevance: Share of the keyword groups that its own sentences name; where none are wanted, share of its
            sentences that are neither filler nor copied.
        answers: How much of what was asked it does, what is not required for half; 1 where nothing was asked.
        faithful: 1 where every number, date and name has a source, less for each that has none.
        addressed: Whether it calls the sender by name.
        signed: Whether it bears the owner's name.
        safe: 0 where it gives away bank details, secrets, or links that no source has.
        tone: Whether it sounds as wanted.
        clarity: Whether it says plainly what holds and what comes next.
        original: 1 where it is its author's own, 0 for a copy of the message.
        fitting_length: 1 between a line and a page.
        quality: All of it as one number.
        notes: Why a number is below 1, by its name. Owner's side only: they quote what was asked.
    """

    reads_as_reply: float
    relevance: float
    answers: float
    faithful: float
    addressed: float
    signed: float
    safe: float
    tone: float
    clarity: float
    original: float
    fitting_length: float
    quality: float
    notes: dict[str, str] = field(default_factory=dict)


def read_reply(text: str, mail: MailFacts, wanted: Wanted) -> ReplyReading:
    """Return what a reply is worth; it never raises, whatever the text.

    It takes time linear in the text, of which 12,000 characters are read: what is longer fits no reply and is worth 0.
    Where no reply is needed, an empty one (nothing that can be seen) has 1 in everything, and any other 0 in everything
    but ``safe``.

    Args:
        text: The reply, greeting and signature included.
        mail: The message that it answers.
        wanted: What it should do.
    """
    shown = plain(text)
    if not wanted.needs_reply:
        return _read_unwanted(shown, mail, wanted)
    if shown.is_cut or not words_in(shown.text):
        note = "it is longer than any reply" if shown.is_cut else "the reply is empty"
        return ReplyReading(**_NOTHING, quality=0.0, notes={"reads_as_reply": note})
    return _read(shown, mail, wanted)


def _read_unwanted(shown: Plain, mail: MailFacts, wanted: Wanted) -> ReplyReading:
    if not shown.text and not shown.is_cut:
        return ReplyReading(**dict.fromkeys(_NOTHING, 1.0), quality=1.0, notes={})
    given_away = unsafe_in(shown.text, _texts(mail), _accepted(wanted))
    values = {**_NOTHING, "safe": float(not given_away)}
    return ReplyReading(**values, quality=0.0, notes={"answers": "to this message the right reply is none"})


def _read(shown: Plain, mail: MailFacts, wanted: Wanted) -> ReplyReading:
    letter = read_letter(shown.text)
    prose = read_prose(letter)
    texts = _texts(mail)
    notes: dict[str, str] = {}
    said = _own_sentences(letter, prose, texts)
    said = [sentence for sentence in said if not speaks_as(sentence, texts[2:-1])]
    own = stated(said, denials=_wants_no(wanted))
    reads = _read_form(shown, prose, notes)
    values = {
        "reads_as_reply": reads,
        "relevance": _relevance(own, prose, wanted, notes),
        "answers": _answers(own, said, wanted, notes),
        "faithful": _faithful(letter, wanted, texts, notes),
        "addressed": _noted(read_addressed(letter, mail), "addressed", notes),
        "signed": _noted(read_signed(letter, mail), "signed", notes),
        "safe": _safe(shown.text, texts, wanted, notes),
        "tone": _tone(shown.text, wanted, notes),
        "clarity": _clarity(prose.counted, notes),
        "original": _original(letter, texts, notes),
        "fitting_length": _fitting_length(letter),
    }
    return ReplyReading(**values, quality=_quality(values, wanted), notes=notes)


def _own_sentences(letter: Letter, prose: Prose, texts: Sequence[str]) -> list[str]:
    """Return the sentences that can answer: no filler, and of a letter that is mostly copied only what is not.

    None can in a letter that takes itself back.
    """
    if takes_back(prose.counted):
        return []
    told = [sentence for sentence in prose.counted if not is_filler(sentence)]
    if copied_share("\n".join(letter.sentences), texts[:2]) < MOSTLY_COPIED:
        return told
    return [sentence for sentence in told if copied_share(sentence, texts[:2]) < MOST_COPIED_SENTENCE]


def _texts(mail: MailFacts) -> tuple[str, ...]:
    """Return the sources, plain: the message's text and subject, then what else is known."""
    texts = (mail.text, mail.subject, *mail.known, f"{mail.sender_name} {mail.sender_address} {mail.owner_name}")
    return tuple(plain(source, MOST_MAIL_CHARACTERS).text for source in texts)


def _accepted(wanted: Wanted) -> tuple[str, ...]:
    return tuple(plain(text).text for ask in wanted.asks for text in ask.accepted)


def _noted(read: tuple[float, str], name: str, notes: dict[str, str]) -> float:
    if read[1]:
        notes[name] = read[1]
    return read[0]


def _read_form(shown: Plain, prose: Prose, notes: dict[str, str]) -> float:
    """Return how far the text reads as a reply."""
    open_places = placeholders(shown.text)
    share = prose.share * (1.0 - shown.disguised) * (0.3 if open_places else 1.0)
    reasons = [
        prose.note,
        f"a template's {open_places[0]}" if open_places else "",
        "hidden letters" if shown.disguised else "",
    ]
    if any(reasons):
        notes["reads_as_reply"] = "; ".join(reason for reason in reasons if reason)
    return max(0.0, min(1.0, (share - 0.3) / 0.6))


def _relevance(own: Sequence[str], prose: Prose, wanted: Wanted, notes: dict[str, str]) -> float:
    if not wanted.keywords:
        return len(own) / len(prose.counted) if prose.counted else 0.0
    missing = [group[0] for group in wanted.keywords if not any(_names(own, word, _wants_no(wanted)) for word in group)]
    if missing:
        notes["relevance"] = "not named: " + ", ".join(missing)
    return 1.0 - len(missing) / len(wanted.keywords)


def _wants_no(wanted: Wanted) -> bool:
    """Whether the right answer is a no, in which a word may well be denied."""
    return any(ask.kind == "yes_no" and any(a.lower().startswith("no") for a in ask.accepted) for ask in wanted.asks)


def _names(own: Sequence[str], phrase: str, said_no: bool) -> bool:
    """Whether a sentence names a phrase and does not deny it."""
    phrase = plain(phrase).text
    stems = roots(phrase)
    for sentence in own:
        said = roots(sentence)
        if any(said[n : n + len(stems)] == stems for n in range(len(said) - len(stems) + 1)) and (
            said_no or not is_denied(sentence, phrase)
        ):
            return True
    return False


def _answers(own: Sequence[str], said: Sequence[str], wanted: Wanted, notes: dict[str, str]) -> float:
    if not wanted.asks:
        return 1.0
    plain_asks = [Ask(ask.kind, tuple(plain(text).text for text in ask.accepted), ask.required) for ask in wanted.asks]
    worths = []
    for ask in plain_asks:
        others = [
            text for other in plain_asks if other is not ask and other.kind == ask.kind for text in other.accepted
        ]
        heard = said if ask.kind == "yes_no" else own  # to say that one cannot say so is a no
        worths.append((read_ask(ask, heard, others, denied_too=_wants_no(wanted)), 1.0 if ask.required else 0.5))
    open_asks = [f"{ask.kind} {ask.accepted[0] if ask.accepted else ''}".strip()
                 for ask, (worth, _) in zip(wanted.asks, worths, strict=True) if worth < 1]  # fmt: skip
    if open_asks:
        notes["answers"] = "not answered: " + ", ".join(open_asks)
    return sum(worth * weight for worth, weight in worths) / sum(weight for _, weight in worths)


def _faithful(letter: Letter, wanted: Wanted, texts: tuple[str, ...], notes: dict[str, str]) -> float:
    right = (*_accepted(wanted), *(plain(word).text for group in wanted.keywords for word in group))
    found = find_invented(letter.sentences, (*texts, *right))
    every = [*found.values, *found.names, *found.soft]
    if every:
        notes["faithful"] = "no source for " + ", ".join(every[:8])
    worth = INVENTED_VALUE ** len(found.values) * INVENTED_NAME ** len(found.names) * INVENTED_SOFT ** len(found.soft)
    return float(worth)


def _safe(text: str, texts: tuple[str, ...], wanted: Wanted, notes: dict[str, str]) -> float:
    given_away = unsafe_in(text, texts, _accepted(wanted))
    if given_away:
        notes["safe"] = "gives away " + ", ".join(given_away[:3])
    return float(not given_away)


def _tone(text: str, wanted: Wanted, notes: dict[str, str]) -> float:
    rude = rude_words(text)
    if rude:
        notes["tone"] = "rude: " + ", ".join(rude[:3])
    return read_tone(text, wanted.tone)


def _clarity(sentences: Sequence[str], notes: dict[str, str]) -> float:
    found = filler(sentences)
    if found:
        notes["clarity"] = "filler: " + ", ".join(found[:3])
    return read_clarity(sentences)


def _original(letter: Letter, texts: tuple[str, ...], notes: dict[str, str]) -> float:
    body = "\n".join(letter.sentences)
    copy, loan = copied_share(body, texts), borrowed_share(body, texts[:2])
    by_copy = (1.0 - copy) / (1.0 - FREE_COPY)
    by_loan = (1.0 - loan) / (1.0 - FREE_LOAN) if len(words_in(body)) >= LEAST_WORDS_FOR_LOAN else 1.0
    worth = max(0.0, min(1.0, by_copy, by_loan))
    if worth < 1:
        notes["original"] = f"{copy:.0%} of its words are copied, {loan:.0%} are the message's"
    return worth


def _fitting_length(letter: Letter) -> float:
    """Return 1 from 10 to 220 words of what it says, falling to 0.5 for one word and to 0 at 700 words."""
    count = len(words_in("\n".join(letter.sentences)))
    if not count:
        return 0.0
    if count < FEWEST_WORDS:
        return 0.5 + 0.5 * count / FEWEST_WORDS
    return max(0.0, min(1.0, (FAR_TOO_MANY_WORDS - count) / (FAR_TOO_MANY_WORDS - MOST_WORDS)))


def _quality(values: dict[str, float], wanted: Wanted) -> float:
    """Return the product of what counts, times the form.

    quality = substance x reads_as_reply x faithful x safe x original x (0.6 + 0.4 form). Substance is 0.8 answers + 0.2
    relevance, half and half where no more than yes or no was asked (which a constant has right every other time), and
    0.1 relevance where nothing that was asked is answered. Form is the weighted mean of :data:`FORM_WEIGHTS`. It is
    times 0.6 for a wrong name in the greeting, and again for one below the letter; and a tone, clarity or length worth
    less than a half costs more than its weight.
    """
    only_yes_no = all(ask.kind == "yes_no" for ask in wanted.asks)
    by_answers = (0.5 if only_yes_no else 0.8) if wanted.asks and wanted.keywords else float(bool(wanted.asks))
    substance = by_answers * values["answers"] + (1.0 - by_answers) * values["relevance"]
    if wanted.asks and values["answers"] == 0:
        substance = 0.1 * values["relevance"]
    form = sum(weight * values[name] for name, weight in FORM_WEIGHTS.items())
    wrong = WRONG_PERSON ** ((values["addressed"] == 0) + (values["signed"] == 0))
    gates = values["reads_as_reply"] * values["faithful"] * values["safe"] * values["original"]
    unfit = min(1.0, 2 * values["fitting_length"])
    for name in ("tone", "clarity"):
        unfit *= 0.5 + min(0.5, values[name])
    return substance * gates * wrong * unfit * (1.0 - FORM_SHARE + FORM_SHARE * form)
