"""What a written reply or summary is worth: criteria that several environments share, by rules alone."""
