"""The life of packs: drafts, publishing, previews, activation, decisions on conflicts, and evaluating the past."""
