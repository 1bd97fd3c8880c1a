"""The life of packs: drafts, publishing, previews, activation, decisions on conflicts, and judging the past."""
