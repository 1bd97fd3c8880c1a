"""The life of packs, on a real database."""
