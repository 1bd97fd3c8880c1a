"""The name of a host as search reads it: its groups of three letters, kept in an array with a GIN index (no extension needed)."""

MAX_NAME_CHARACTERS = 255


def name_grams(name: str) -> list[str]:
    """The distinct groups of three letters of a name, in lower case, with a space before and after, sorted."""
    padded = f" {name.lower()} "
    return sorted({padded[at : at + 3] for at in range(len(padded) - 2)})


def search_grams(text: str) -> list[str]:
    """The groups that every name containing `text` has; empty for texts under three letters, which are searched by pattern only."""
    lowered = text.lower()
    return sorted({lowered[at : at + 3] for at in range(len(lowered) - 2)})
