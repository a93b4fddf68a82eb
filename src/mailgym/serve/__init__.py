"""What mailgym knows and does, for other people's programs: thin adapters over the lower layers."""
