"""What `plumbline evaluate` prints: one host as data, sorted, in the shape of `agents/schema/evaluate.schema.json`. Pure."""

from collections.abc import Iterable
from typing import Any

import msgspec

from plumbline.core.facts.assemble import Assembled
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST, Subject, Unknown, Value, encode_id


class FindingLine(msgspec.Struct, frozen=True, order=True):
    """One finding as printed. `subject` is `kind/id`, ids percent-encoded.

    `kind` is the rule's. `outcome` is that of the finding, but `advice` where an advisory rule is not met: leaving the setting as it is
    is no failure of the host. `headline` says what is wrong and where, or what could not be checked; else it is the rule's title.
    """

    pack: str
    rule: str
    subject: str
    outcome: str
    kind: str
    reason: str
    observed: str
    expected: str
    headline: str


def subject_text(subject: Subject) -> str:
    """`kind/id`, the beginning of a setting's address."""
    return f"{subject.kind}/{encode_id(subject.id)}"


def build(
    assembled: Assembled, findings: Iterable[FindingLine] = (), unread_files: Iterable[tuple[str, str]] = (), host: str = ""
) -> dict[str, Any]:
    """The printed object. `host` names the host where its own settings do not; a setting that is not offered shows only in findings."""
    configuration = assembled.configuration
    settings: list[dict[str, Any]] = []
    unknown: list[dict[str, Any]] = []
    for subject, key, reading in configuration:
        if isinstance(reading, Value):
            settings.append(_setting(subject, key, reading))
        elif isinstance(reading, Unknown):
            unknown.append({"subject": subject_text(subject), "key": key, "reason": reading.reason})
    unread = [{"section": one.section, "command": one.command, "file": "", "reason": one.reason} for one in assembled.unread]
    unread.extend({"section": "", "command": "", "file": name, "reason": reason} for name, reason in unread_files)
    unread.extend(
        {"section": "", "command": "", "file": "", "reason": problem} for problem in (*assembled.problems, *assembled.internal_errors)
    )
    named = configuration.value(HOST, "name")
    return {
        "host": named if isinstance(named, str) and named else host,
        "platform": configuration.platform,
        "settings": settings,
        "unknown": unknown,
        "findings": [msgspec.to_builtins(finding) for finding in sorted(findings)],
        "unread": sorted(unread, key=lambda one: (one["file"], one["section"], one["command"], one["reason"])),
    }


def _setting(subject: Subject, key: str, reading: Value) -> dict[str, Any]:
    entry = BY_KEY.get(f"{subject.kind}.{key}")
    value = list(reading.value) if isinstance(reading.value, tuple) else reading.value
    return {
        "subject": subject_text(subject),
        "key": key,
        "value": value,
        "unit": entry.unit if entry is not None else "",
        "layer": entry.layer if entry is not None else "configured",
        "source": {"section": reading.source.section, "command": reading.source.command, "field": reading.source.field},
    }
