"""Fills the templates of a split with names, days and amounts: tasks of `reply` with their keys.

A template is one matter with one or more *cases*, which differ in a clause or two and in what is right: the same words,
another label. Its texts, its people and its companies are in no other split. What is drawn depends on the template's
own name alone, so that a new template changes nothing of another task but its number.
"""

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from typing import Any

from mailgym.core.seeds import stream
from mailgym.envs.orders import SAYS, Order, read_orders, with_order
from mailgym.envs.reply.asides import with_asides
from mailgym.envs.reply.letters import dress
from mailgym.envs.reply.tasks import Labels, Pair, ReplyKey, ReplyTask
from mailgym.envs.reply.words import Scene, draw_scene
from mailgym.rubrics.writing.reply import Ask, Wanted

SEED = 20_250_301
FILLED_A_CASE = {"train": 6, "validation": 5, "test": 5, "bank": 1}
"""How many tasks each case of a template becomes."""
CASE_FIELDS = (
    *("level", "urgency", "category", "requires_reply", "tone", "keywords", "asks"),
    *("subjects", "texts", "notes", "reply", "reason", "sender", "address", "owner", "received", "plain"),
)
Record = dict[str, Any]


def fill(split: str) -> Iterator[Pair]:
    """Yield the tasks of ``train``, ``validation``, ``test`` or ``bank`` with their keys, in a fixed order."""
    number = 0
    for template in read_templates(split):
        for place, case in enumerate(cases_of(template)):
            for copy in range(FILLED_A_CASE[split]):
                yield _pair(split, number, template["id"], case, (place, copy))
                number += 1


def read_templates(split: str) -> Sequence[Record]:
    """Return the templates of a split as its file has them."""
    return _templates(split)


@lru_cache(maxsize=4)
def _templates(split: str) -> Sequence[Record]:
    folder = resources.files("mailgym.envs.reply") / "data"
    names = sorted(file.name for file in folder.iterdir() if file.name.startswith(f"{split}_"))
    found: list[Record] = []
    for name in names:
        found += tomllib.loads((folder / name).read_text(encoding="utf-8"))["template"]
    return tuple(found)


def cases_of(template: Mapping[str, Any]) -> Iterator[Record]:
    """Yield a template's cases, each with all its fields: its own, or else the template's."""
    base = {name: template[name] for name in CASE_FIELDS if name in template}
    for case in template.get("case", [{}]):
        slots = {**template.get("slots", {}), **case.get("slots", {})}
        yield {**base, **{name: value for name, value in case.items() if name != "slots"}, "slots": slots}


def _pair(split: str, number: int, template_id: str, case: Record, copy: tuple[int, int]) -> Pair:
    draw = stream(SEED, split, template_id, *copy)
    scene = draw_scene(split, draw, case)
    slots = _slots(scene, case["slots"], draw, copy[1])
    subject = _choose(case["subjects"], copy[1]).format_map(slots)
    body = _choose(case["texts"], copy[1]).strip().format_map(slots)
    briefing, private = with_asides(
        case.get("notes", "").format_map(slots), split, slots, stream(SEED, "asides", split, template_id, *copy)
    )
    task_id = f"reply-{split}-{case['level']}-{number:03d}"
    text, order = with_order(
        body if case.get("plain") else dress(body, scene, draw),
        read_orders("reply", split),
        lambda order: _would_move(order, case),
        stream(SEED, "orders", split, template_id, *copy),
    )
    task = ReplyTask(
        id=task_id,
        level=case["level"],
        owner_name=scene.owner,
        owner_address=scene.owner_address,
        sender_name=case.get("sender", "{sender}").format_map(slots),
        sender_address=case.get("address", scene.sender_address).format_map(slots),
        subject=subject,
        text=text,
        received=scene.received,
        briefing=briefing,
    )
    told = tuple((words,) for name, words in order if name == SAYS)
    return task, replace(_key(task, template_id, case, slots, (*private, *told)), order=order)


def _would_move(order: Order, case: Mapping[str, Any]) -> bool:
    """Whether to obey an order is wrong: a label is another one, or words are asked for."""
    return any(name == SAYS or str(case[name]).lower() != value for name, value in order.asks.items())


def _key(
    task: ReplyTask, template_id: str, case: Record, slots: Mapping[str, str], private: tuple[tuple[str, ...], ...]
) -> ReplyKey:
    needed = bool(case["requires_reply"])
    wanted = Wanted(
        needs_reply=needed,
        keywords=tuple(tuple(form.format_map(slots) for form in forms) for forms in case["keywords"]) if needed else (),
        asks=tuple(
            Ask(ask["kind"], tuple(form.format_map(slots) for form in ask["accepted"]), ask.get("required", True))
            for ask in case.get("asks", ())
        )
        if needed
        else (),
        tone=case["tone"] if needed else "",
    )
    return ReplyKey(
        task_id=task.id,
        template=template_id,
        mailbox=task.owner_address,
        kind=case["level"],
        labels=Labels(case["urgency"], case["category"], needed),
        wanted=wanted,
        good_reason=case["reason"].format_map(slots),
        good_reply=case["reply"].strip().format_map(slots) if needed else "",
        private=private,
    )


def _slots(scene: Scene, own: Mapping[str, Any], draw: random.Random, copy: int) -> dict[str, str]:
    """Return what the blanks of a template are filled with: the scene, and its own slots, a list being a choice.

    A slot of a template may have blanks of the scene, and of its slots before it.
    """
    slots = dict(scene.slots)
    for name, choices in own.items():
        options = [choices] if isinstance(choices, str) else choices
        start = draw.randrange(len(options))
        slots[name] = options[(start + copy) % len(options)].format_map(slots)
    return slots


def _choose(options: Sequence[str], copy: int) -> str:
    return options[copy % len(options)]
