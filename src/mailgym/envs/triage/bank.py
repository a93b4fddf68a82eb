"""The three hand-written inboxes, under the document's task ids; kept out of all training."""

import tomllib
from importlib import resources
from typing import Any

from mailgym.envs.triage.books import DATA, choose, read_asks, read_keywords
from mailgym.envs.triage.schema import CATEGORIES, FORMS, MAIL_ACTIONS, Form
from mailgym.envs.triage.tasks import Label, Mail, Pair, TriageKey, TriageTask


def read_bank() -> tuple[Pair, ...]:
    """Return the document's three tasks with their keys."""
    folder = resources.files(DATA) / "data" / "bank"
    return tuple(_inbox(form, (folder / f"{form}.toml").read_text(encoding="utf-8")) for form in FORMS)


def _inbox(form: Form, text: str) -> Pair:
    data = tomllib.loads(text)
    mails, labels = [], []
    for number, mail in enumerate(data["mails"], 1):
        email_id = f"e{number}"
        name, _, address = mail["from"].rpartition("<")
        mails.append(
            Mail(email_id, name.strip(), address.rstrip(">"), mail["subject"], mail["received"], mail["text"].strip())
        )
        labels.append(_label(email_id, mail))
    task = TriageTask(form, form, data["owner_name"], data["owner"], data["now"], tuple(mails))
    return task, TriageKey(form, f"bank: {form}", data["owner"], form, tuple(labels))


def _label(email_id: str, mail: dict[str, Any]) -> Label:
    return Label(
        email_id=email_id,
        category=choose(mail["category"], CATEGORIES),
        rank=mail["priority"],
        action=choose(mail["action"], MAIL_ACTIONS),
        keywords=read_keywords(mail),
        asks=read_asks(mail),
        draft=mail.get("draft", "").strip(),
    )
