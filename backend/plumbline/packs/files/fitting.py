"""Whether what a rule file names and requires fits the catalogue: keys, types, enumerations. Each error names file and line."""

import re

from plumbline.core.facts.catalogue import BY_KEY, Entry
from plumbline.core.facts.configuration import Scalar
from plumbline.packs.files.yaml_lines import Located, Steps

_VERSION = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,9}")


def entry_of(located: Located, key: str, steps: Steps) -> Entry:
    """The setting of the catalogue under this key, or `RulesetInvalid` with the line."""
    entry = BY_KEY.get(key)
    if entry is None:
        raise located.wrong(steps, f"{key!r} is no setting of the catalogue")
    return entry


def must_be_number(located: Located, entry: Entry, steps: Steps) -> None:
    """Refuses a setting that cannot be compared by size."""
    if entry.type != "int":
        raise located.wrong(steps, f"{entry.key} is no number, so it can't be compared by size")


def must_be_version(located: Located, entry: Entry, value: Scalar, steps: Steps) -> None:
    """Refuses a value unless it is a version: numbers with points between them."""
    must_fit(located, entry, value, steps)
    if not _VERSION.fullmatch(str(value)):
        raise located.wrong(steps, f'{value!r} is no version: numbers with points between them, as in "1.2"')


def must_fit(located: Located, entry: Entry, value: Scalar, steps: Steps) -> None:
    """Refuses a value unless it has the setting's type and, for an enumeration, is one of its members."""
    if entry.type == "bool":
        fits = isinstance(value, bool)
    elif entry.type == "int":
        fits = isinstance(value, int) and not isinstance(value, bool)
    elif entry.type == "list":
        fits = not isinstance(value, bool)
    else:
        fits = isinstance(value, str)
    if not fits:
        hint = ""
        if isinstance(value, bool):
            hint = "; YAML reads off, on, yes and no as false and true: write the word in quotes"
        elif isinstance(value, int):
            hint = "; write it in quotes"
        raise located.wrong(steps, f"{value!r} is not of the type of {entry.key} ({entry.type}){hint}")
    if entry.values and value not in entry.values:
        raise located.wrong(steps, f"{value!r} is not a value of {entry.key} ({', '.join(entry.values)})")


def must_be_known(located: Located, steps: Steps, values: list[str], known: tuple[str, ...], what: str) -> None:
    """Refuses the first of several names that is not among the known ones."""
    for index, value in enumerate(values):
        if value not in known:
            raise located.wrong((*steps, index), f"{value!r} is no {what} of the catalogue ({', '.join(known)})")
