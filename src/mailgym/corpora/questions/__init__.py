"""Questions with answers about real mail: made by a language model and checked, or read from ART·E's dataset."""
