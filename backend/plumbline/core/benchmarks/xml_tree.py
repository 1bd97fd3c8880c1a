"""XML documents as a tree whose elements know their line. A file may hold several documents, with other words between them. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from plumbline.core.benchmarks.run import UnreadableBenchmark

MOST_ELEMENTS = 200_000
_DEEPEST = 40


@dataclass(slots=True)
class Element:
    """One element; `line` is that of the file."""

    name: str
    line: int
    attributes: dict[str, str]
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def all(self, name: str) -> list["Element"]:
        """The direct children with this name."""
        return [child for child in self.children if child.name == name]

    def find(self, *path: str) -> "Element | None":
        """The first element down this path."""
        here: Element | None = self
        for name in path:
            here = next((child for child in here.children if child.name == name), None) if here else None
        return here

    def value(self, *path: str) -> str | None:
        """The text down this path, without spaces around it; None where there is no such element."""
        found = self.find(*path)
        return None if found is None else found.text.strip()


def documents(text: str, names: tuple[str, ...]) -> Iterator[Element]:
    """Each document whose outermost element has one of these names. Raises `UnreadableBenchmark` for one that is not whole."""
    opening = re.compile(rf"<({'|'.join(names)})(?=[\s>])")
    at, counted, line = 0, 0, 1
    while found := opening.search(text, at):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        closing = f"</{found[1]}>"
        end = text.find(closing, found.end())
        again = opening.search(text, found.end())
        if end < 0 or (again is not None and again.start() < end):
            raise UnreadableBenchmark(
                line, f"the XML that begins here has no {closing}: the run was stopped, or the file was cut. Nothing was imported"
            )
        at = end + len(closing)
        yield _parse(text[found.start() : at], line)


def _parse(text: str, first_line: int) -> Element:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    stack: list[Element] = []
    roots: list[Element] = []
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        line = first_line + parser.CurrentLineNumber - 1
        if len(stack) >= _DEEPEST or count > MOST_ELEMENTS:
            raise UnreadableBenchmark(line, "the XML is nested deeper or has more elements than any of these tools writes")
        element = Element(name, line, attributes)
        (stack[-1].children if stack else roots).append(element)
        stack.append(element)

    def end(_: str) -> None:
        stack.pop()

    def characters(data: str) -> None:
        if stack:
            stack[-1].text += data

    def doctype(*_: object) -> None:
        raise UnreadableBenchmark(first_line, "the XML has a document type; none of these tools writes one")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(text.encode("utf-8", errors="replace"), True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "")
        words = expat.ErrorString(error.code) or reason
        raise UnreadableBenchmark(first_line + error.lineno - 1, f"this is not well-formed XML: {words}") from None
    return roots[0]
