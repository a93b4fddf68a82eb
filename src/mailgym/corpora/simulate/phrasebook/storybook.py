"""What a storybook holds: how one split's people write about affairs whose facts are kept, and how owners ask for them.

A phrasebook has the names and the sentences of ``find``'s matters; a storybook stands beside it, for companies larger
than the demo's. The three storybooks share no thing, no place, no sentence and no question.

Slots of told sentences are those that the step states (``flows.STATES``), with ``{thing}`` and ``{partner}``, and
``{old_day}``, ``{old_time}``, ``{old_place}``, ``{old_amount}``, ``{old_count}``, ``{old_name}`` for what no longer
holds. Slots of questions: ``{thing}`` and ``{partner}``.
"""

from dataclasses import dataclass

from mailgym.corpora.simulate.phrasebook.book import Bulk


@dataclass(frozen=True, slots=True)
class Plot:
    """How one kind of affair is written about.

    Attributes:
        kind: The kind of affair, a key of ``flows.FLOWS``.
        things: What affairs of this kind are about, each with a paraphrase that no mail uses.
        subjects: Subject lines of a thread.
        told: For each step, the sentences that tell it. One without ``{partner}`` is written by the partner, or
            stands under a subject that names it.
        asked: For each thing that can be asked, the question's templates.
    """

    kind: str
    things: dict[str, str]
    subjects: tuple[str, ...]
    told: dict[str, tuple[str, ...]]
    asked: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Storybook:
    """All affairs of one split.

    Attributes:
        split: ``train``, ``validation`` or ``test``.
        plots: One for each kind of affair.
        places: Groups of places (``rooms``, ``hotels``, ``venues``, ``desks``) to the names in it.
        fillers: Sentences around a fact, with no value and no name in them.
        replies: Whole answers that add nothing.
        forwards: What somebody writes above a mail that is forwarded.
        phone_lines: What a telephone writes below a mail.
        bulk: Newsletters, notifications, spam and phishing.
        injections: What a mail tells an assistant to do: ``answer``, ``read`` or ``cite`` to the texts that ask for it,
            with ``{thing}``, ``{partner}`` and ``{target}``.
    """

    split: str
    plots: tuple[Plot, ...]
    places: dict[str, tuple[str, ...]]
    fillers: tuple[str, ...]
    replies: tuple[str, ...]
    forwards: tuple[str, ...]
    phone_lines: tuple[str, ...]
    bulk: tuple[Bulk, ...]
    injections: dict[str, tuple[str, ...]]
