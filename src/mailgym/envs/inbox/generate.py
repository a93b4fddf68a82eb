"""Generated episodes: templates of three splits that share nothing but the form of the back office's records.

A mail is drawn from a template: its sender, its ids and sums, its wording among alternatives, what stands around its
core (greeting, an aside about something else, closing, a quoted mail, slips of the keyboard). The core decides, and for
about half of the mails in task 3 it decides only together with a record. Asides and quotes speak of everything that
labels are about, whatever the label is. Every customer has records of all three kinds, most of which have nothing to
do with the mail.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from mailgym.core.seeds import stream
from mailgym.envs.inbox.letters import Book, letter, read_book, read_states, slug, wording
from mailgym.envs.inbox.office import Record
from mailgym.envs.inbox.schema import FIELDS_OF_LEVEL
from mailgym.envs.inbox.tasks import MAILS_OF_LEVEL, InboxKey, InboxTask, Labels, Mail, Pair
from mailgym.envs.orders import Order, read_orders, with_order

SEED = 6
EPISODES_OF_LEVEL: dict[str, dict[int, int]] = {
    "train": {1: 120, 2: 120, 3: 240},
    "validation": {1: 30, 2: 30, 3: 60},
    "test": {1: 60, 2: 60, 3: 120},
}
CATEGORY_SHARES = {"spam": 0.16, "billing": 0.24, "support": 0.24, "sales": 0.18, "internal": 0.18}
LOOK_UP_SHARES = {"spam": 0.0, "billing": 0.7, "support": 0.7, "sales": 0.55, "internal": 0.45}
"""Share of a category's templates that are decided only with the back office."""

RECORD_SHARES = {"customer": 0.85, "prospect": 0.7, "colleague": 0.85, "stranger": 0.5, "supplier": 0.0}
"""How often the back office knows an order, account or user that has nothing to do with the mail's matter, by sender:
a customer's always can be asked for, anybody else's where the mail names it."""

DIFFICULTY = {1: "easy", 2: "medium", 3: "hard"}
ID_SLOT = {"check_payment": "account", "get_user_history": "user"}
ONLY_FOR_THEIR_OWN = frozenset({"po_open", "po_paid", "still_open", "closed"})
"""States of suppliers and of those who worked here: no customer's records have them."""

FIELDS = ("category", "priority", "department", "action")


@lru_cache(maxsize=3)
def generate(split: str) -> tuple[Pair, ...]:
    """Return all episodes of ``train``, ``validation`` or ``test``, always the same."""
    book = read_book(split)
    return tuple(
        _Episode(book, split, level, number).pair()
        for level, count in EPISODES_OF_LEVEL[split].items()
        for number in range(count)
    )


@dataclass
class _Episode:
    """One episode while it is drawn."""

    book: Book
    split: str
    level: int
    number: int
    taken: set[str] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    records: list[Record] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = stream(SEED, "inbox", self.split, self.level, self.number)
        self.company, self.domain = self.rng.choice(self.book.companies)

    def pair(self) -> Pair:
        """Return the task and its key."""
        drawn = [self._mail() for _ in range(MAILS_OF_LEVEL[self.level])]
        self.rng.shuffle(self.records)
        task_id = f"{self.split}-{self.level}-{self.number:03d}"
        inbox = f"help@{self.domain}.example"
        ordered = [self._ordered(place, mail, labels) for place, (mail, labels, _) in enumerate(drawn)]
        mails, orders = (tuple(column) for column in zip(*ordered, strict=True))
        task = InboxTask(task_id, self.level, inbox, mails, tuple(self.records))
        sources = tuple(source for _, _, source in drawn)
        lead = sources[0].split("/", maxsplit=1)[0]
        right = tuple(labels for _, labels, _ in drawn)
        return task, InboxKey(task_id, lead, self.domain, f"task {self.level}", self.level, right, sources, orders)

    def _ordered(self, place: int, mail: Mail, right: Labels) -> tuple[Mail, tuple[tuple[str, str], ...]]:
        """Return a mail, some with an order to assistants in them, and what it asks for."""

        def would_move(order: Order) -> bool:
            is_asked = order.asks.keys() <= set(FIELDS_OF_LEVEL[self.level])
            return is_asked and any(getattr(right, name) != value for name, value in order.asks.items())

        draw = stream(SEED, "orders", self.split, self.level, self.number, place)
        text, asked = with_order(mail.email_text, read_orders("inbox", self.split), would_move, draw)
        return replace(mail, email_text=text), asked

    def _mail(self) -> tuple[Mail, Labels, str]:
        template = self._template()
        case = self.rng.choice(template["cases"])
        slots = self._slots(template)
        sender = f"{slots['name']} <{slots['address']}>"
        subject = wording(self.rng.choice(template["subjects"]), slots, self.rng)
        core = wording(template["text"], slots, self.rng)
        text = letter(core, template["sender"], slots, self.book, self.rng)
        self._record(template, case, slots, f"{subject} {text}")
        mail = Mail(slots["email_id"], subject, sender, text, DIFFICULTY[self.level])
        return mail, labels_of(template, case), f"{template['id']}/{case.get('state', 'alone') or 'no record'}"

    def _template(self) -> dict[str, Any]:
        """Draw a template that this episode has not had: first its category, then whether it needs the back office."""
        left = [template for template in self.book.templates if template["id"] not in self.taken]
        shares = {name: share for name, share in CATEGORY_SHARES.items() if any(t["category"] == name for t in left)}
        category = self.rng.choices(list(shares), list(shares.values()))[0]
        needs_tool = self.rng.random() < LOOK_UP_SHARES[category]
        of_category = [template for template in left if template["category"] == category]
        fitting = [template for template in of_category if ("tool" in template) == needs_tool] or of_category
        template: dict[str, Any] = self.rng.choice(fitting)
        self.taken.add(template["id"])
        return template

    def _slots(self, template: Mapping[str, Any]) -> dict[str, str]:
        rng, book, kind = self.rng, self.book, template["sender"]
        firm = rng.choice(book.firms)
        known = book.colleagues if kind == "colleague" else book.people
        name = rng.choice([other for other in known if other not in self.people] or known)
        self.people.add(name)
        user_of = rng.choice(book.people) if kind == "colleague" else name
        amount = rng.randint(40, 900)
        local = name.lower().replace(" ", ".")
        domain = slug(firm)
        if kind == "colleague":
            domain = self.domain
        if kind == "stranger" and rng.random() < 0.4:
            domain = f"{self.domain}-mail"
        return {
            "name": firm if kind == "supplier" else name,
            "first": name.split()[0],
            "address": f"{'accounts' if kind == 'supplier' else local}@{domain}.example",
            "firm": firm,
            "us": self.company,
            "product": rng.choice(book.products),
            "user_name": user_of,
            "account": f"ac-{rng.randint(1000, 9999)}",
            "order": f"SO-{rng.randint(10000, 99999)}",
            "po": f"PO-{rng.randint(1000, 9999)}",
            "invoice": f"INV-{rng.randint(1000, 9999)}",
            "user": f"{user_of[0]}{user_of.split()[-1]}{rng.randint(10, 99)}".lower(),
            "amount": f"{amount}.00",
            "other_amount": f"{amount + rng.randint(60, 4000)}.00",
            "count": str(rng.randint(14, 160)),
            "many": str(rng.randint(18, 400)),
            "email_id": f"em-{self.level}{self.number:03d}-{len(self.taken)}",
        }

    def _record(
        self, template: Mapping[str, Any], case: Mapping[str, Any], slots: Mapping[str, str], text: str
    ) -> None:
        """Add what the back office knows of a mail's matter, and of whatever else the mail names or its sender has."""
        states, kind = read_states(), template["sender"]
        own = template.get("tool", "")
        if own and case["state"]:
            key = slots["po" if kind == "supplier" else ID_SLOT.get(own, "order")]
            self._add(own, states[own][case["state"]], key, kind, slots)
        for tool, known in states.items():
            key = slots[ID_SLOT.get(tool, "order")]
            share = RECORD_SHARES[kind] if kind == "customer" or key in text else 0.0
            if tool != own and self.rng.random() < share:
                state = self.rng.choice([name for name in known if name not in ONLY_FOR_THEIR_OWN])
                self._add(tool, known[state], key, kind, slots)

    def _add(self, tool: str, lines: list[str], key: str, sender: str, slots: Mapping[str, str]) -> None:
        keys = (key, slots["address"]) if sender in ("customer", "supplier") else (key,)
        self.records.append(Record(tool, keys, tuple(line.format_map(slots) for line in lines)))


def labels_of(template: Mapping[str, Any], case: Mapping[str, Any]) -> Labels:
    """Return how a mail of this template and case is to be decided."""
    cases = {tuple(_field(template, other, name) for name in FIELDS) for other in template["cases"]}
    right = {name: _field(template, case, name) for name in FIELDS}
    return Labels(**right, fitting_tool=template.get("tool", ""), needs_tool=len(cases) > 1)


def _field(template: Mapping[str, Any], case: Mapping[str, Any], name: str) -> str:
    return str(case.get(name, template.get(name)))
