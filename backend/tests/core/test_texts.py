"""Small texts that many parts write."""

import pytest

from plumbline.core.texts import ago, figure


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.38, "%", "0.38%"),
        (0.0042, "%", "0.0042%"),
        (9.38, "1/s", "9.38/s"),
        (2_010_000_000.0, "B/s", "2.01 GB/s"),
        (12.0, "B/s", "12 B/s"),
        (1250.4, "µs", "1,250 µs"),
        (0.0, "%", "0%"),
        (0.0000512, "%", "0.000051%"),
        (999_700.0, "B/s", "999.7 kB/s"),
        (161_091_308.1, "B/s", "161.09 MB/s"),
        (4_200_000_000_000_000.0, "B/s", "4,200 TB/s"),
        (None, "%", "–"),
    ],
)
def test_figures_are_written_as_on_screen(value: float | None, unit: str, words: str) -> None:
    assert figure(value, unit) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-3, "0 s ago"),
        (0.4, "0 s ago"),
        (119, "119 s ago"),
        (120, "2 min ago"),
        (391, "7 min ago"),
        (7199, "120 min ago"),
        (7200, "2 h ago"),
    ],
)
def test_ages_are_written_as_the_screens_write_them(seconds: float, words: str) -> None:
    assert ago(seconds) == words
