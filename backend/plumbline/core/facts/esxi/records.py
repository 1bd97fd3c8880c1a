"""One row or block of an output, whatever format it came in."""


def plain(title: str) -> str:
    """A title as all formats share it."""
    return "".join(char for char in title.lower() if char.isalnum())


class Record:
    """One row or block: values as text by title. `heading` is the line above a block, where there is one."""

    __slots__ = ("_titles", "_values", "heading")

    def __init__(self, heading: str = "") -> None:
        self.heading = heading
        self._values: dict[str, str] = {}
        self._titles: dict[str, str] = {}

    def add(self, title: str, value: str) -> None:
        """Keeps the first value of a title."""
        key = plain(title)
        if key not in self._values:
            self._values[key] = value.strip()
            self._titles[key] = title.strip()

    def has(self, title: str) -> bool:
        """Whether the field is there, even when it is empty."""
        return plain(title) in self._values

    def get(self, *titles: str) -> str | None:
        """The value of the first of these titles that is there."""
        for title in titles:
            value = self._values.get(plain(title))
            if value is not None:
                return value
        return None

    def title(self, *titles: str) -> str:
        """The field's name as the host printed it."""
        for title in titles:
            if plain(title) in self._titles:
                return self._titles[plain(title)]
        return titles[0] if titles else ""

    def fields(self) -> list[tuple[str, str]]:
        """Title as printed and value of each field, in the order in which they were printed."""
        return [(self._titles[key], value) for key, value in self._values.items()]

    def __len__(self) -> int:
        return len(self._values)

    def is_empty(self) -> bool:
        """No field has a value."""
        return not any(self._values.values())


def record_of(titles: list[str], cells: list[str]) -> Record:
    """A row from its titles and cells; a column without a title is left out."""
    record = Record()
    for title, cell in zip(titles, cells, strict=False):
        if title.strip():
            record.add(title, cell)
    return record
