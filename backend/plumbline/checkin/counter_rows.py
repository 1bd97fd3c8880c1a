"""Writing counters: one wide row a check-in, the values in the order of the host's series."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

MAX_SERIES_A_HOST = 4000

READ_SERIES = "SELECT host_id, subject, name, no FROM counter_series WHERE host_id = ANY(%s)"
INSERT_SERIES = """
INSERT INTO counter_series (host_id, no, subject, name, kind)
SELECT * FROM unnest(%s::text[], %s::smallint[], %s::text[], %s::text[], %s::text[]) ON CONFLICT DO NOTHING
"""
INSERT_SAMPLES = """
INSERT INTO counter_sample (host_id, at, uptime_seconds, values)
SELECT v.host_id, v.at, v.uptime, v.list::float8[]
FROM unnest(%s::text[], %s::timestamptz[], %s::bigint[], %s::text[]) AS v (host_id, at, uptime, list)
ON CONFLICT DO NOTHING
"""

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


@lru_cache(maxsize=64)
def _counted(size: int) -> tuple[int, ...]:
    return tuple(range(size))


def array_text(numbers: Sequence[int], written: bytes) -> str:
    """The values, given as a JSON list, in the order of their numbers, as PostgreSQL reads an array of floats; a gap is NULL."""
    size = max(numbers, default=-1) + 1
    if size == len(numbers) and numbers == _counted(size):
        # The order of the host's own series, as nearly always: JSON's list is then what PostgreSQL reads, but for the brackets.
        return "{" + written[1:-1].decode() + "}"
    texts = ["NULL"] * size
    for number, value in zip(numbers, msgspec.json.decode(written), strict=True):
        if number >= 0 and value is not None:
            texts[number] = str(value)
    return "{" + ",".join(texts) + "}"
