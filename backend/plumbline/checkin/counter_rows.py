"""Counters as rows: one row for each check-in, its values in the order of the host's series."""

from collections.abc import Mapping, Sequence

import msgspec

MAX_SERIES_A_HOST = 4000

Name = tuple[str, str]  # subject, name


def number_series(names: Sequence[Name], known: Mapping[Name, int]) -> tuple[list[int], list[tuple[Name, int]]]:
    """The number of each series, and which of them are new. Numbers are never reused; past the limit a series has none (-1)."""
    following = max(known.values(), default=-1) + 1
    numbers: list[int] = []
    fresh: dict[Name, int] = {}
    for name in names:
        number = known.get(name, fresh.get(name))
        if number is None:
            number = following if following < MAX_SERIES_A_HOST else -1
            if number >= 0:
                fresh[name] = number
                following += 1
        numbers.append(number)
    return numbers, list(fresh.items())


def array_text(numbers: Sequence[int], written: bytes) -> str:
    """The values, given as a JSON list, in the order of their numbers, as PostgreSQL reads an array of floats; a gap is NULL."""
    size = max(numbers, default=-1) + 1
    if size == len(numbers) and list(numbers) == list(range(size)):
        # Nearly always the values are in the order of the series; then the JSON list needs only other brackets.
        return "{" + written[1:-1].decode() + "}"
    texts = ["NULL"] * size
    for number, value in zip(numbers, msgspec.json.decode(written), strict=True):
        if number >= 0 and value is not None:
            texts[number] = str(value)
    return "{" + ",".join(texts) + "}"
