"""Where mail and questions come from: importers, the simulated company, known-item questions."""
