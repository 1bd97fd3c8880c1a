"""A strict JSON checker, for what the fast decoder accepts: duplicate keys, depth, integers past 64 bits, lone surrogates, NUL.

It builds no values; it goes through the text once and raises `Refused` naming the place. Only unusual check-ins come here, so it need not
be fast, but it is linear and never recurses.
"""

import re

from plumbline.checkin.errors import Refused, unreadable

MAX_DEPTH = 32
_LIMIT = 2**64 - 1
_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_WORD = re.compile(r"true|false|null")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)")
_OPEN, _CLOSE = "{[", "}]"


def check(line: bytes, where: str) -> None:
    """Raises `Refused` (422) unless the line is one JSON value that keeps every rule."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise unreadable("not UTF-8", f"{where}, byte {error.start}") from None
    _Walk(text, where).run()


def check_text(text: str, where: str) -> None:
    """Raises `Refused` where the escapes of a JSON string (without its quotes) hold NUL or half a surrogate pair."""
    high_end = -1
    for found in _ESCAPE.finditer(text):
        if found[1] is None:
            continue
        code = int(found[1], 16)
        waiting = high_end == found.start()
        if high_end != -1 and not waiting:
            raise unreadable("a lone surrogate", where)
        if code == 0:
            raise unreadable("a NUL character", where)
        if 0xDC00 <= code <= 0xDFFF:
            if not waiting:
                raise unreadable("a lone surrogate", where)
            high_end = -1
        elif waiting:
            raise unreadable("a lone surrogate", where)
        elif 0xD800 <= code <= 0xDBFF:
            high_end = found.end()
    if high_end != -1:
        raise unreadable("a lone surrogate", where)


class _Walk:
    """One pass over one text. `stack` holds, for each open list or object, its keys (None: a list), the present key and the index."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.at = 0
        self.stack: list[tuple[str, set[str] | None]] = []
        self.names: list[str | int] = []

    def place(self) -> str:
        path = "$" + "".join(f"[{name}]" if isinstance(name, int) else f".{name[:60]}" for name in self.names)
        return f"{self.where}, {path}, character {self.at}"

    def refuse(self, error: str) -> Refused:
        return unreadable(error, self.place())

    def skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        if found:
            self.at = found.end()

    def string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise self.refuse("malformed JSON")
        if "\\" in found[1]:
            check_text(found[1], self.place())
        self.at = found.end()
        return found[1]

    def scalar(self) -> None:
        if self.text[self.at] == '"':
            self.string()
            return
        word = _WORD.match(self.text, self.at)
        if word:
            self.at = word.end()
            return
        number = _NUMBER.match(self.text, self.at)
        if number is None:
            raise self.refuse("malformed JSON")
        if number[1] is None and number[2] is None:
            digits = number[0].lstrip("-")
            if len(digits) > 20 or int(digits) > _LIMIT:
                raise self.refuse("an integer past 64 bits: send it as text")
        elif number[0].lower().count("e") and float(number[0]) in (float("inf"), float("-inf")):
            raise self.refuse("a number without end")
        self.at = number.end()

    def key(self, keys: set[str]) -> None:
        self.skip()
        raw = self.string()
        # Two spellings of one key are still one key.
        name = _unescape(raw)
        self.names[-1] = name
        if name in keys:
            raise self.refuse("the same key twice")
        keys.add(name)
        self.skip()
        if self.text[self.at : self.at + 1] != ":":
            raise self.refuse("malformed JSON")
        self.at += 1

    def open(self) -> bool:
        """Steps into a list or object; False where it is empty and already closed."""
        kind = self.text[self.at]
        if len(self.stack) >= MAX_DEPTH:
            raise self.refuse(f"nested deeper than {MAX_DEPTH}")
        self.at += 1
        keys: set[str] | None = set() if kind == "{" else None
        self.stack.append((kind, keys))
        self.names.append("" if keys is not None else 0)
        self.skip()
        if self.text[self.at : self.at + 1] == _CLOSE[_OPEN.index(kind)]:
            self.at += 1
            self.stack.pop()
            self.names.pop()
            return False
        if keys is not None:
            self.key(keys)
        return True

    def run(self) -> None:
        while True:
            self.skip()
            if self.at >= len(self.text):
                raise self.refuse("ends too early")
            if self.text[self.at] in _OPEN:
                if self.open():
                    continue
            else:
                self.scalar()
            if not self.close_or_next():
                return

    def close_or_next(self) -> bool:
        """After a value: closes what ends here. True where another value follows, False at the end of the text."""
        while True:
            self.skip()
            if not self.stack:
                if self.at != len(self.text):
                    raise self.refuse("something follows the value")
                return False
            kind, keys = self.stack[-1]
            found = self.text[self.at : self.at + 1]
            self.at += 1
            if found == ",":
                if keys is not None:
                    self.key(keys)
                else:
                    index = self.names[-1]
                    self.names[-1] = index + 1 if isinstance(index, int) else 0
                return True
            if found != _CLOSE[_OPEN.index(kind)]:
                self.at -= 1
                raise self.refuse("malformed JSON")
            self.stack.pop()
            self.names.pop()


def _unescape(raw: str) -> str:
    if "\\" not in raw:
        return raw
    short = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else short.get(found[0][1], found[0][1]), raw)
