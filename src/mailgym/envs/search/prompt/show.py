"""Observations of mail search as text, for models and people alike; what comes from mail is marked as data."""

from typing import Any

from mailgym.core.untrusted import as_data

MAX_SHOWN_MAIL_CHARS = 4_000


def show_question(observation: dict[str, Any]) -> str:
    """Return the question with its day and who asks it."""
    return f"Today: {observation['today']}. I am {observation['owner_name']}.\n{observation['question']}"


def render(observation: dict[str, Any]) -> str:
    """Return an observation as text, for models and people alike; mail is marked as data."""
    kind = observation["kind"]
    if kind == "question":
        return show_question(observation)
    if kind == "error":
        return f"Error: {observation['error']}"
    if kind == "results":
        return _results(observation["results"], observation.get("left_out", []))
    if kind == "mail":
        return _mail(observation)
    if kind == "several":
        return "\n".join(f"{number}. {render(answer)}" for number, answer in enumerate(observation["answers"], 1))
    return "The episode is over."


def _results(results: list[dict[str, Any]], left_out: list[str]) -> str:
    note = f"Nobody in this mailbox has that name: {' and '.join(left_out)} left out.\n" if left_out else ""
    if not results:
        return f"{note}No mail found: try fewer filters or other keywords."
    lines = [
        f"{rank}. {hit['message_id']} | {hit['date']} | {hit['from']} | {hit['subject']} | {hit['snippet']}"
        for rank, hit in enumerate(results, 1)
    ]
    return note + as_data("\n".join(" ".join(line.split()) for line in lines))


def _mail(mail: dict[str, Any]) -> str:
    text = mail["text"]
    cut = len(text) - MAX_SHOWN_MAIL_CHARS + mail["cut_chars"]
    if cut > 0:
        text = f"{text[:MAX_SHOWN_MAIL_CHARS]}\n[{cut} more characters]"
    fields = (("Date", "date"), ("From", "from"), ("To", "to"), ("Cc", "cc"), ("Subject", "subject"))
    head = "\n".join(f"{title}: {mail[name]}" for title, name in fields if mail[name])
    return as_data(f"{mail['message_id']}\n{head}\n\n{text}")
