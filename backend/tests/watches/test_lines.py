"""What an agent prints in a watch, in pieces of any size."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.channels.errors import OutcomeUnknown
from plumbline.watches.lines import LineReader

PRINTED = (
    b'{"uptime_ms":1000,"values":[1,null],"series":[["host/","tcp_segments_sent","total"],["host/","cpu_percent","gauge"]]}\r\n'
    b'{"uptime_ms":6001,"values":[18446744073709551615,12.5]}\n\n'
    b'{"uptime_ms":11002,"values":[3],"series":[["host/","tcp_segments_sent","total"]]}\n'
)


@given(st.lists(st.integers(0, len(PRINTED)), max_size=20))
def test_readings_do_not_depend_on_how_the_output_is_cut(cuts: list[int]) -> None:
    reader = LineReader()
    edges = [0, *sorted(cuts), len(PRINTED)]
    found = [reading for begin, end in itertools.pairwise(edges) for reading in reader.feed(PRINTED[begin:end])]
    assert [(each.uptime_ms, each.values) for each in found] == [(1000, [1, None]), (6001, [float(2**64 - 1), 12.5]), (11002, [3])]
    assert [each.series is None for each in found] == [False, True, False]


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (b"Welcome to ESXi\n", "something else than counters: 'Welcome to ESXi'"),
        (b'{"uptime_ms":1,"values":[1]}\n', "1 values for 0 counters"),
        (b'{"uptime_ms":1,"values":[1,2],"series":[["host/","a","total"]]}\n', "2 values for 1 counters"),
        (b'{"uptime_ms":-1,"values":[]}\n', "something else than counters"),
        (b'{"uptime_ms":1,"values":[1],"series":[["host/","a\\u0000","total"]]}\n', "something else than counters"),
        (b'{"uptime_ms":1,"values":[1],"series":[["host/","a","sum"]]}\n', "something else than counters"),
        (b"x" * 3_000_000, "something else than counters"),
    ],
)
def test_anything_else_is_refused_with_what_it_was(printed: bytes, words: str) -> None:
    with pytest.raises(OutcomeUnknown, match=r"printed something else|sent") as refused:
        list(LineReader().feed(printed))
    assert words in str(refused.value)
