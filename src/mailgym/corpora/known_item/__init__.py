"""Known-item questions: made from a real mailbox, with no key and no model."""

from mailgym.corpora.known_item.build import known_item_questions

__all__ = ["known_item_questions"]
