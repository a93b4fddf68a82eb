"""A simulated company: people, events, the mail about them, and questions with answer keys."""

from mailgym.corpora.simulate.company import Company, simulate_company
from mailgym.corpora.simulate.store import Size, StoreSummary, write_store

__all__ = ["Company", "Size", "StoreSummary", "simulate_company", "write_store"]
