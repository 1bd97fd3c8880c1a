"""From section bodies to a configuration: which bodies have to be read, what changed in it, and what lists show of it."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, cast

import structlog

from plumbline.checkin.sections import SectionState, digests_of
from plumbline.checkin.statements import ChangeRow, ConfigurationRow
from plumbline.configurations.compression import Packer
from plumbline.core.drift.causes import Cause, JobWork, alike_key, causes_of, reading_json
from plumbline.core.drift.changes import Change, changes_among
from plumbline.core.facts.assemble import assemble, parse_section
from plumbline.core.facts.configuration import (
    HOST,
    Configuration,
    Facts,
    Platform,
    SectionReading,
    SectionStatus,
    Subject,
    Value,
    subjects_key,
)
from plumbline.core.facts.document import Document, decode, encode
from plumbline.core.facts.paths import PathMap
from plumbline.core.facts.same_items import renamed, renamed_paths, same_items
from plumbline.infra.columns import array

log = structlog.get_logger()

MAX_PARSED = 2000
# In place of the bytes of a section whose facts are known: they are not read.
_PARSED = SectionReading("ok")


class InterpretedHost(NamedTuple):
    """What a host's configuration depends on besides its sections."""

    id: str
    platform: str
    overrides: Mapping[str, str]
    agent_version: str


@dataclass(slots=True)
class SectionContents:
    """What a host's sections are read from: the facts of those parsed lately, and the bodies of the others."""

    facts: dict[str, Facts] = field(default_factory=dict)
    bodies: dict[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class Interpretation:
    """A host's configuration as its sections describe it, and the one before."""

    document: Document
    before: Document | None
    changes: Sequence[Change] = ()
    # Keys (`kind.key`) of every setting whose reading differs in any way, the reason of an unknown included, and of every kind of which a
    # subject came or went (`subjects_key`); None: not known which.
    changed_keys: frozenset[str] | None = None

    @property
    def is_changed(self) -> bool:
        """Something that people can see differs: a setting, a path, a problem, a kind of item that could not be listed."""
        return (
            self.before is None
            or bool(self.changes)
            or self.before.path_map != self.document.path_map
            or self.before.problems != self.document.problems
            or self.before.configuration.unlisted != self.document.configuration.unlisted
        )

    @property
    def configuration(self) -> Configuration:
        """The configuration that is stored in the end."""
        return self.document.configuration if self.is_changed or self.before is None else self.before.configuration


class Interpreter:
    """Interprets sections; caches the facts of bodies that come again soon, by digest. For one thread at a time.

    Facts are kept from the second time on: most bodies belong to one host of many and do not come again before the cache has dropped
    them, and to hold thousands of them for that long costs more time than it saves.
    """

    def __init__(self, max_parsed: int = MAX_PARSED) -> None:
        self._max_parsed = max_parsed
        self._parsed: OrderedDict[tuple[str, str, bytes], Facts] = OrderedDict()
        # Bodies parsed lately whose facts were not kept.
        self._parsed_once: OrderedDict[tuple[str, str, bytes], None] = OrderedDict()
        self.internal_errors = 0

    def known(self, platform: str, sections: Mapping[str, SectionState]) -> dict[str, Facts]:
        """The facts of those sections that were parsed lately. The caller keeps them, since the cache may drop them at any time."""
        found: dict[str, Facts] = {}
        for name, state in sections.items():
            facts = self._parsed.get((platform, name, state.sha256)) if state.sha256 is not None else None
            if facts is not None:
                found[name] = facts
        return found

    def interpret(
        self, host: InterpretedHost, sections: Mapping[str, SectionState], contents: SectionContents, stored: bytes | None
    ) -> Interpretation:
        """The host's configuration, from all of its sections; `stored` is its configuration before, where there is one."""
        before = self._decoded(host.id, stored)
        known = before.configuration.all_subjects() if before is not None else ()
        platform = cast(Platform, host.platform)
        readings: dict[str, SectionReading] = {}
        parsed: dict[str, Facts] = {}
        for name, state in sections.items():
            if state.status != "ok" or state.sha256 is None:
                status = "unavailable" if state.status == "unavailable" else "failed"
                readings[name] = SectionReading(cast(SectionStatus, status), b"", state.error)
                continue
            facts = contents.facts.get(name) or self._facts(platform, name, state.sha256, contents.bodies.get(name))
            readings[name] = _PARSED if facts is not None else SectionReading("ok", contents.bodies.get(name, b""))
            if facts is not None:
                parsed[name] = facts
        assembled = assemble(platform, readings, host.overrides, parsed=parsed, known_subjects=known, agent_version=host.agent_version)
        if assembled.internal_errors:
            self.internal_errors += len(assembled.internal_errors)
            log.error("internal error while reading a check-in", host=host.id, errors=list(assembled.internal_errors))
        document = Document(assembled.configuration, assembled.path_map, assembled.problems)
        if before is None:
            return Interpretation(document, None)
        if names := same_items(before.configuration, document.configuration):
            document = Document(renamed(document.configuration, names), renamed_paths(document.path_map, names), document.problems)
        differences = before.configuration.differences(document.configuration)
        changed_keys = {f"{each.subject.kind}.{each.key}" for each in differences}
        changed_keys |= {
            subjects_key(subject.kind) for subject in before.configuration.subject_set() ^ document.configuration.subject_set()
        }
        was, now = before.configuration.unlisted, document.configuration.unlisted
        changed_keys |= {subjects_key(kind) for kind in {*was, *now} if was.get(kind) != now.get(kind)}
        return Interpretation(document, before, changes_among(differences), frozenset(changed_keys))

    @staticmethod
    def _decoded(host_id: str, stored: bytes | None) -> Document | None:
        """The configuration before; None where it can no longer be read (then the new one is a first)."""
        if stored is None:
            return None
        try:
            return decode(stored)
        except Exception as error:  # an old form that this version cannot read must not cost the check-in
            log.error("stored configuration cannot be read", host=host_id, error=str(error)[:300])
            return None

    def _facts(self, platform: Platform, name: str, sha256: bytes, body: bytes | None) -> Facts | None:
        """The facts of a body, cached or parsed now; None leaves it to `assemble`, which turns a failing parser into unknown settings."""
        key = (platform, name, sha256)
        facts = self._parsed.get(key)
        if facts is not None:
            self._parsed.move_to_end(key)
            return facts
        if body is None:
            return None
        try:
            facts = parse_section(platform, name, body)
        except Exception:
            return None
        if key in self._parsed_once:
            del self._parsed_once[key]
            self._parsed[key] = facts
            while len(self._parsed) > self._max_parsed:
                self._parsed.popitem(last=False)
        else:
            self._parsed_once[key] = None
            while len(self._parsed_once) > self._max_parsed:
                self._parsed_once.popitem(last=False)
        return facts


class Moment(NamedTuple):
    """Which check-in a configuration belongs to, and when it was received."""

    host_id: str
    epoch: int
    seq: int
    at: datetime


def configuration_row(moment: Moment, document: Document, sections: Mapping[str, SectionState], packer: Packer) -> ConfigurationRow:
    """The rows of a new configuration: its own, and what lists show of it."""
    configuration = document.configuration
    healthy, total = path_figures(document.path_map)
    return ConfigurationRow(
        *moment,
        *packer.pack(encode(document)),
        digests_of(sections),
        os_name=_text(configuration, "os_name"),
        os_release=_text(configuration, "os_release"),
        cluster=_text(configuration, "cluster"),
        families=array(_distinct(configuration, "adapter", "family", frozenset({"other"}))),
        initiator_modes=array(_distinct(configuration, "initiator", "mode", frozenset())),
        paths_healthy=healthy,
        paths_total=total,
        is_restart_pending=configuration.value(HOST, "pending_reboot") is True,
    )


def change_rows(
    moment: Moment, found: Interpretation, *, is_rebooted: bool = False, jobs: Sequence[JobWork] = (), given: Cause | None = None
) -> list[ChangeRow]:
    """The log of the settings that changed; `given` is the cause of all of them, where it is known."""
    before = found.before.configuration.subject_set() if found.before is not None else frozenset[Subject]()
    causes = causes_of(found.changes, before, is_rebooted=is_rebooted, jobs=jobs)
    rows = []
    for change, cause in zip(found.changes, causes, strict=True):
        old, new = reading_json(change.old), reading_json(change.new)
        rows.append(
            ChangeRow(
                moment.at, moment.host_id, moment.seq, change.subject.kind, change.subject.id, change.key, old, new, *(given or cause)[:2],
                alike_key(change, cause, old, new), (given or cause).job_id,
            )
        )  # fmt: skip
    return rows


def path_figures(path_map: PathMap) -> tuple[int | None, int | None]:
    """Fewest healthy and most known paths over the host's volumes; None without volumes, or where paths are not known."""
    if not path_map.volumes or path_map.problem:
        return None, None
    healthy = {volume.id: 0 for volume in path_map.volumes}
    total = dict(healthy)
    for path in path_map.paths:
        if path.volume in total:
            total[path.volume] += 1
            healthy[path.volume] += path.state == "healthy"
    return min(healthy.values()), max(total.values())


def _text(configuration: Configuration, key: str) -> str:
    value = configuration.value(HOST, key)
    return value if isinstance(value, str) else ""


def _distinct(configuration: Configuration, kind: str, key: str, without: frozenset[str]) -> list[str]:
    found = {
        reading.value
        for subject in configuration.subjects(kind)
        if isinstance(reading := configuration.read(subject, key), Value) and isinstance(reading.value, str)
    }
    # "other" only where no family is known.
    named = sorted(value.replace(",", " ") for value in found - without)
    return named or sorted(found & without)
