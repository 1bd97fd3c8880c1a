"""Encodings of captured files: the same text whatever console or redirection wrote it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.core.facts.captures.decoding import cell_width, decode

GERMAN = "Name : Größe für Süd\nStatus : Up\n"
JAPANESE = "名前 : ストレージ側ネットワーク\n状態 : 有効になっています\n"


@pytest.mark.parametrize("name", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp850", "cp1252"])
def test_german_in_every_encoding_that_windows_writes(name: str) -> None:
    assert decode(GERMAN.encode(name)) == GERMAN


@pytest.mark.parametrize("name", ["utf-8", "utf-16", "cp932"])
def test_japanese(name: str) -> None:
    assert decode(JAPANESE.encode(name)) == JAPANESE


def test_what_copies_and_terminals_leave_behind() -> None:
    content = "\ufeff\x1b[32;1mName\x1b[0m\u00a0: SAN1\r\nEnabled\u202f: True\r\n\x00".encode()
    assert decode(content) == "Name : SAN1\nEnabled : True\n"


def test_an_ascii_file_to_which_utf_16_was_appended() -> None:
    assert decode(b"Name : SAN1\r\n" * 20 + "Enabled : True\r\n".encode("utf-16-le")).endswith("Enabled : True\n")


def test_a_cut_file_stays_utf_8() -> None:
    assert decode(("ä" * 200).encode()[:-1]).startswith("ä" * 199)


def test_wide_letters_take_two_cells() -> None:
    assert (cell_width("SAN1"), cell_width("名前")) == (4, 4)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=300))
def test_any_bytes_are_some_text(content: bytes) -> None:
    text = decode(content)
    text.encode("utf-8")
    assert not {"\x00", "\r"} & set(text)
