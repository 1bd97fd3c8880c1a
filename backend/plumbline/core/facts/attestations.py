"""Attestations as readings of the host: rules of kind attestation read them like any other setting.

An attestation is added to a configuration for its evaluation and never stored in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.core.facts.configuration import HOST, NOT_COLLECTED, Configuration, Reading, Source, Unknown, Value

# The key of the reading on the host: this and the rule's address. No section has such a key.
PREFIX = "attested."
NOBODY = Unknown("not attested yet")


@dataclass(frozen=True, slots=True)
class Attested:
    """The attestation in force on a host for one rule. `until` is a date as people read it; `is_over` means that this date has passed.

    `rule` is the address of the rule that it was given for, which may be a linked one.
    """

    is_so: bool
    by: str
    on: str
    until: str
    statement: str
    is_over: bool = False
    rule: str = ""


def reading_of(attested: Attested, address: str) -> Reading:
    """The reading for the rule with this address; unknown once the attestation has expired."""
    given = f", given for equivalent rule {attested.rule}" if attested.rule not in ("", address) else ""
    source = Source("attestation", f"attested by {attested.by} on {attested.on}{given}", "statement", attested.statement)
    if attested.is_over:
        return Unknown(f"attestation expired on {attested.until}{given}", source)
    words = f"attested by {attested.by}, valid until {attested.until}{given}"
    return Value((attested.is_so, words), source)


def with_attestations(configuration: Configuration, attestations: Mapping[str, Attested]) -> Configuration:
    """The configuration with these attestations, by address of the rule, added to it."""
    if not attestations:
        return configuration
    readings = {subject: dict(configuration.keys(subject)) for subject in configuration.all_subjects()}
    readings.setdefault(HOST, {}).update({PREFIX + address: reading_of(attested, address) for address, attested in attestations.items()})
    return Configuration.taking(configuration.platform, readings, configuration.unlisted)


def read_attested(configuration: Configuration, address: str) -> Reading:
    """What was attested for the rule with this address."""
    found = configuration.read(HOST, PREFIX + address)
    return NOBODY if found is NOT_COLLECTED else found
