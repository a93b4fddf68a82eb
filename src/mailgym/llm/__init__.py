"""Talk to language models: remote, local, scripted; cache."""
