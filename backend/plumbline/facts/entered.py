"""Settings that no host tells and a person entered for it: those of an offload engine, which only the vendor's own tool shows.

They fill what is unknown and never stand above what a host says.
"""

from collections.abc import Mapping

from plumbline.facts.catalogue import BY_KEY, ENTERED
from plumbline.facts.configuration import Facts, Reading, SettingValue, Source, Subject, Unknown, Value, decode_id

_LARGEST_MTU = 65_535


def enter(said: Facts, derived: Facts, overrides: Mapping[str, str]) -> None:
    """Adds to `said` the entered values, by address, of subjects that are there and whose setting the host could not tell."""
    for address, text in overrides.items():
        subject, key = split_address(address)
        value = entered_value(f"{subject.kind}.{key}", text)
        if value is not None and isinstance(derived.readings.get(subject, {}).get(key), Unknown):
            said.say(subject, key, value, Source("person", "", key, text))


def split_address(address: str) -> tuple[Subject, str]:
    """The subject and the key of `kind/id/key`."""
    kind, _, rest = address.partition("/")
    identity, _, key = rest.rpartition("/")
    try:
        return Subject(kind, decode_id(identity)), key
    except ValueError:  # a percent sign with no two digits after it
        return Subject(kind, identity), key


def may_be_entered(subject: Subject, key: str, reading: Reading) -> bool:
    """The host cannot tell it: it is unknown, or what stands there was entered."""
    if f"{subject.kind}.{key}" not in ENTERED:
        return False
    return isinstance(reading, Unknown) or (isinstance(reading, Value) and reading.source.section == "person")


def entered_value(key: str, text: str) -> SettingValue | None:
    """The value of a setting that may be entered; None for any other setting, and for what is no value of it."""
    if key not in ENTERED:
        return None
    entry = BY_KEY[key]
    if entry.type == "int":
        return int(text) if text.isascii() and text.isdigit() and 0 < len(text) <= 5 and 0 < int(text) <= _LARGEST_MTU else None
    return text if text in entry.values else None
