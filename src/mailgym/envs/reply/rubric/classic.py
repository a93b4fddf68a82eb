"""The reward of `reply` as PersonalMail-RL has it: seven independent functions in two steps."""

import re
from dataclasses import dataclass

from mailgym.core.score import Part, Score
from mailgym.envs.reply.rubric import signals
from mailgym.envs.reply.rubric.facts import ReplyFacts
from mailgym.envs.reply.tasks import Labels, ReplyKey
from mailgym.rubrics.writing.reply import Wanted

STEP_1, STEP_2 = 0.30, 0.70
ACCURACY, FORMAT = 0.70, 0.30
FIELDS = {"urgency": 0.34, "category": 0.33, "requires_reply": 0.33}
REASON_BONUS, REASON_WORDS = 0.10, 5
REPLY_WEIGHTS = {
    "reply_format": 0.25,
    "reply_relevance": 0.30,
    "reply_length": 0.15,
    "tone_matching": 0.15,
    "reply_clarity": 0.15,
}
TIMED_OUT, REPEATED = -0.5, -0.1
SENTENCE_CHARS = 10
"""A sentence of more characters is substantial."""

Measured = tuple[float, str]


@dataclass(frozen=True, slots=True)
class ClassicRubric:
    """The document's reward: 0.30 × step 1 + 0.70 × step 2.

    =======================  ======  =====================================================================
    step 1 (0.30)            weight
    =======================  ======  =====================================================================
    classification_accuracy  .70     urgency .34, category .33, requires_reply .33
    classification_format    .30     fields of the right type ÷ 4, +.10 for a reason of 5 words, at most 1
    step 2 (0.70)
    reply_format             .25     greeting .30, two substantial sentences .35 (one .15), closing .35
    reply_relevance          .30     required keywords that occur ÷ required keywords
    reply_length             .15     40 to 150 words 1; 25 to 39 and 151 to 250 .7; fewer .3; more .4
    tone_matching            .15     signals ÷ max(2, .4 × signals of the tone), at most 1
    reply_clarity            .15     under 20 words .2; else .4, +.25 and +.20 for the first and second kind of
                                     actionable signal, −.25 for filler with none, +.15 for a share of different
                                     words of at least .55; within 0 to 1
    =======================  ======  =====================================================================

    An episode that the clock ends costs 0.5, and the same action again 0.1 (and is the end). A mail that needs no reply
    pays 1 in step 2 for a blank reply and 0 for any other; one that needs a reply pays 0 for a blank one.

    Source: document 001; the weights of step 2 are those of the running system. The document's percentages of the
    whole (28, 24.5 and 17.5 % for relevance, format and length) belong to an older version: with 21 and 9 % for step 1
    and 15 % each for tone and clarity they make 130 %. Where it differs, and why:

    - *Spam pays for silence.* The document promises it; its code paid nothing for a blank reply, and full marks for
      relevance, tone and clarity to any reply to spam.
    - *Fields are type-safe*: a list for a string is a field that is missing, as the document says after its model had
      learned to write lists; its code still joined lists to a reason. So are labels that do not exist.
    - *A draft that is no draft* (a list for the text, an unknown tone, no JSON) earns 0 in step 2, and is not taken for
      a blank reply to spam.
    - *The same action again* ends the episode in any step; the code's test for it could never be true.
    - A required keyword may have several forms, any of which counts. A closing is a whole word.
    - The two penalties count in the episode's own units: they are not multiplied by a step's weight.
    - Nothing is rounded; the running system rounds each function to three digits and each step to four.

    What is known to be wrong with it (``hardened`` mends these): keywords count in any order, negated or copied with
    the whole mail; tone and clarity are bought with single words; a constant classification earns most of step 1; the
    tone that a draft names is not looked at.
    """

    def score(self, facts: ReplyFacts, key: ReplyKey) -> Score:
        """Return the score so far."""
        accuracy = accuracy_of(facts, key.labels) if facts.classified else (0.0, "not classified yet")
        form = format_of(facts) if facts.classified else (0.0, "not classified yet")
        reply = reply_parts(facts, key.wanted)
        step_1 = ACCURACY * accuracy[0] + FORMAT * form[0]
        step_2 = sum(REPLY_WEIGHTS[name] * value for name, (value, _) in reply.items())
        return Score(
            (
                Part("classification_accuracy", accuracy[0], STEP_1 * ACCURACY, accuracy[1]),
                Part("classification_format", form[0], STEP_1 * FORMAT, form[1]),
                *(
                    Part(name, value, STEP_2 * REPLY_WEIGHTS[name], f"{name}: {note}")
                    for name, (value, note) in reply.items()
                ),
                Part("timed_out", float(facts.timed_out), TIMED_OUT),
                Part("repeated_action", float(facts.repeated), REPEATED),
                Part("classification", step_1),
                Part("reply_total", step_2),
                Part("episode_total", STEP_1 * step_1 + STEP_2 * step_2),
                Part("bad_calls", float(facts.bad_calls)),
            )
        )


def accuracy_of(facts: ReplyFacts, labels: Labels) -> Measured:
    """Return reward 1, the weights of the fields that are right."""
    right = {name: facts.classification.get(name) == getattr(labels, name) for name in FIELDS}
    said = ", ".join(f"{name} {facts.classification.get(name)!r} for {getattr(labels, name)!r}" for name in FIELDS)
    return sum(weight for name, weight in FIELDS.items() if right[name]), said


def format_of(facts: ReplyFacts) -> Measured:
    """Return reward 2, the share of the four fields that have a value of their type, with the bonus for a reason."""
    share = len(facts.classification) / 4
    words = len(str(facts.classification.get("reason", "")).split())
    bonus = REASON_BONUS if words >= REASON_WORDS else 0.0
    return min(1.0, share + bonus), f"{len(facts.classification)} of 4 fields, a reason of {words} words"


def reply_parts(facts: ReplyFacts, wanted: Wanted) -> dict[str, Measured]:
    """Return rewards 3 to 7 of the draft by name; all 0 before there is one."""
    if not facts.replied:
        return dict.fromkeys(REPLY_WEIGHTS, (0.0, "there is no draft"))
    text = facts.reply_text
    if not wanted.needs_reply:
        silent = not text.strip()
        return dict.fromkeys(REPLY_WEIGHTS, (float(silent), f"no reply is due, and {'none' if silent else 'one'} is"))
    if not text.strip():
        return dict.fromkeys(REPLY_WEIGHTS, (0.0, "the draft is blank, and a reply is due"))
    return {
        "reply_format": reply_format(text),
        "reply_relevance": reply_relevance(text, wanted),
        "reply_length": reply_length(text),
        "tone_matching": tone_matching(text, wanted.tone),
        "reply_clarity": reply_clarity(text),
    }


def reply_format(text: str) -> Measured:
    """Return reward 4: greeting at the start of a line, substantial sentences, a closing anywhere."""
    greeting = 0.30 if signals.GREETING.search(text) else 0.0
    sentences = sum(len(piece.strip()) > SENTENCE_CHARS for piece in re.split(r"[.!?]+", text))
    body = 0.35 if sentences >= 2 else 0.15 if sentences == 1 else 0.0
    closing = 0.35 if signals.CLOSING.search(text) else 0.0
    return greeting + body + closing, f"greeting {greeting}, {sentences} substantial sentences, closing {closing}"


def reply_relevance(text: str, wanted: Wanted) -> Measured:
    """Return reward 3: the share of required keywords that occur anywhere, case aside; 0.5 where none is required."""
    if not wanted.keywords:
        return 0.5, "no keyword is required"
    lower = text.lower()
    missed = [forms[0] for forms in wanted.keywords if not any(form.lower() in lower for form in forms)]
    return 1.0 - len(missed) / len(wanted.keywords), f"{len(missed)} of {len(wanted.keywords)} missed: {missed}"


def reply_length(text: str) -> Measured:
    """Return reward 5, by the number of words."""
    words = len(text.split())
    if words < 25:
        value = 0.3
    elif words > 250:
        value = 0.4
    else:
        value = 1.0 if 40 <= words <= 150 else 0.7
    return value, f"{words} words"


def tone_matching(text: str, tone: str) -> Measured:
    """Return reward 6: different signals of the tone over what is asked of it; *professional* where none is."""
    patterns = signals.TONE_SIGNALS.get(tone, signals.TONE_SIGNALS["professional"])
    found = sum(bool(pattern.search(text)) for pattern in patterns)
    return min(1.0, found / max(2.0, 0.4 * len(patterns))), f"{found} of {len(patterns)} signals of {tone}"


def reply_clarity(text: str) -> Measured:
    """Return reward 7: concrete, not filled, not repetitive."""
    words = text.split()
    if len(words) < 20:
        return 0.2, f"{len(words)} words are too few to be clear"
    kinds = sum(bool(pattern.search(text)) for pattern in signals.ACTIONS)
    filler = bool(signals.FILLER.search(text))
    different = len({word.lower().strip(".,!?") for word in words}) / len(words)
    value = 0.4 + (0.25 if kinds >= 1 else 0.0) + (0.20 if kinds >= 2 else 0.0)
    value -= 0.25 if filler and not kinds else 0.0
    value += 0.15 if different >= 0.55 else 0.0
    return max(0.0, min(1.0, value)), f"{kinds} kinds of action, filler {filler}, {different:.2f} different words"
