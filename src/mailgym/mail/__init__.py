"""Parse, store and search messages; one owner's mailbox. Knows no agents."""
