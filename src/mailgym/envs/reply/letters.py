"""How mails look beside what they say: signatures, phones, quoted threads, haste. It follows from no label."""

import random
import re

from mailgym.envs.reply.words import Scene

QUOTED = (
    "> Thanks, I have it on my list and come back to you. This week is full.\n> {owner_first}",
    "> Sorry for the silence, urgent things came up here.\n> I read it at the weekend.\n> {owner_first}",
    "> Good to hear from you. Let us talk again soon.\n> {owner_first}",
    "> No problem at all, no need to hurry on my account.\n> Best, {owner_first}",
    "> Could you send me the details again? I cannot find the old mail.\n> {owner_first}",
)
PHONE = ("Sent from my phone", "Sent from a phone, please forgive the brevity", "(typed on the train)")
DISCLAIMER = (
    "This mail may be confidential. If it is not for you, please delete it.",
    "Please think of the trees before you print this mail.",
)
HASTE = {
    "because": "becuase",
    "please": "pls",
    "tomorrow": "tomorow",
    "receive": "recieve",
    "before": "befor",
    "definitely": "definately",
    "their": "thier",
    "would": "woud",
}
"""What a hurried hand makes of some words; never of names, days or figures."""
SHARES = {"quoted": 0.2, "phone": 0.15, "signature": 0.2, "disclaimer": 0.1, "haste": 0.2, "lower": 0.06}


def dress(body: str, scene: Scene, draw: random.Random) -> str:
    """Return a mail's text with what some mails have beside it, drawn independently of its matter."""
    drawn = {name: draw.random() < share for name, share in SHARES.items()}
    if drawn["haste"]:
        body = _in_haste(body)
    if drawn["lower"]:
        body = re.sub(r"\bI\b", "i", body)
    parts = [body]
    if drawn["signature"]:
        company, city = scene.slots["company"], scene.slots["city"]
        parts.append(f"--\n{scene.slots['sender']}\n{company}, {city}" if _at_work(scene) else f"--\n{city}")
    if drawn["phone"] and not drawn["signature"]:
        parts.append(draw.choice(PHONE))
    if drawn["disclaimer"] and _at_work(scene):
        parts.append(draw.choice(DISCLAIMER))
    if drawn["quoted"]:
        earlier = f"On {scene.slots['past']} {scene.owner} wrote:"
        parts.append(f"{earlier}\n{draw.choice(QUOTED).format_map(scene.slots)}")
    return "\n\n".join(parts)


def _at_work(scene: Scene) -> bool:
    company = "".join(letter for letter in scene.slots["company"].lower() if letter.isalnum())
    return scene.sender_address.endswith(f"@{company}.example")


def _in_haste(body: str) -> str:
    for right, wrong in HASTE.items():
        body = re.sub(rf"\b{right}\b", wrong, body)
    return body
