"""Bytes of a captured file as text, whatever console, redirection or copy they went through. Pure; it never raises.

PowerShell 5.1 redirects as UTF-16, PowerShell 7 as UTF-8, console tools write the OEM code page, editors the ANSI one; terminals leave
colour sequences, web pages leave no-break spaces. Only names are spelt in what lies outside ASCII, and names are never matched.
"""

import codecs
import re
import unicodedata

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Colours and cursor movements (ECMA-48 section 5.4), and titles of terminal windows.
_TERMINAL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_]")
# A pager's prompt, which it wipes with spaces after it went back over it.
_WIPED = re.compile(r"[^\n\r\x08]*(?:\r +\r|\x08+ +\x08+)")
_SPACES = dict.fromkeys(map(ord, "\u00a0\u2007\u202f\u205f"), " ")
_NOTHING = dict.fromkeys(map(ord, "\x00\x07\x08\x0b\x1b\u200b\u200e\u200f\u2060\ufeff"), None)
_SAMPLE = 4096


def decode(content: bytes) -> str:
    """The text with line ends as `\\n`, without marks, colours and NUL; what no encoding explains becomes U+FFFD."""
    text = _TERMINAL.sub("", _decoded(content).replace("\x00", ""))
    text = _WIPED.sub("", re.sub(r"\r+\n", "\n", text)).translate(_SPACES).translate(_NOTHING)
    return text.replace("\r", "\n").replace("\f", "\n").replace("\u2028", "\n").replace("\x85", "\n")


def cell_width(text: str) -> int:
    """Columns that a text takes on a console: East Asian wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _decoded(content: bytes) -> str:
    for mark, name in _MARKS:
        if content.startswith(mark):
            return content.decode(name, "replace")
    sample = content[:_SAMPLE]
    # ASCII in UTF-16 has a zero in every second byte.
    for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(sample) >= 4 and sample[first::2].count(0) * 10 > len(sample) * 4 and sample[1 - first :: 2].count(0) == 0:
            return content.decode(name, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _of_a_code_page(content)


def _of_a_code_page(content: bytes) -> str:
    """Neither mark nor UTF-8: Japanese where nearly all of it then reads as kana and kanji, else Western, OEM or ANSI by the bytes used."""
    beyond = sum(1 for byte in content if byte > 0x7F)
    try:
        japanese = content.decode("cp932")
    except UnicodeDecodeError:
        japanese = ""
    letters = sum(1 for sign in japanese if "\u3040" <= sign <= "\u30ff" or "\u4e00" <= sign <= "\u9fff")
    if letters * 2 >= beyond * 0.8 and letters > 3:
        return japanese
    try:
        text = content.decode("utf-8", "replace")
        if text.count("\ufffd") * 20 < beyond:
            # Nearly all of it is UTF-8: single bytes were lost, as where a file was cut.
            return text
        return content.decode("cp850" if any(0x80 <= byte <= 0x9F for byte in content) else "cp1252")
    except UnicodeDecodeError:
        return content.decode("utf-8", "replace")
