"""Small texts that many parts write."""

import pytest

from plumbline.core.texts import figure


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
        (None, "%", "–"),
    ],
)
def test_figures_are_written_as_on_screen(value: float | None, unit: str, words: str) -> None:
    assert figure(value, unit) == words
