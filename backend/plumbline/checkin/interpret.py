"""From section bodies to a configuration: which bodies have to be read again, what changed in it, and what lists show of it."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import structlog

from plumbline.checkin.pending import NewConfiguration, SettingChangeRow
from plumbline.checkin.state import HostState, SectionState, Shown, is_every_read
from plumbline.configurations.bodies import Read, Store
from plumbline.core.drift.causes import alike_key, causes_of, reading_json
from plumbline.core.drift.changes import Change, changes_among
from plumbline.core.facts.assemble import Assembled, Memory, assemble_again, parse_section
from plumbline.core.facts.configuration import HOST, Configuration, Difference, Facts, Platform, SectionReading, Subject, Value
from plumbline.core.facts.document import Document, Encoded, decode, encode_again
from plumbline.core.facts.paths import PathMap

log = structlog.get_logger()

MAX_PARSED = 2000
# A section whose facts are at hand: nobody asks for its bytes.
_READ = SectionReading("ok")


@dataclass(slots=True)
class Understood:
    """A host as its newest check-in describes it, beside what was known before."""

    assembled: Assembled
    document: Document
    before: Document | None
    changes: list[Change]
    # Subjects of each key (`kind.key`) that reads otherwise than before in any way, the words of an unknown included.
    touched: Mapping[str, Sequence[Subject]] = field(default_factory=dict)
    # Some subject came or went.
    has_other_subjects: bool = False
    # What the host's next check-in can be understood with.
    memory: Memory | None = None
    encoded: Encoded | None = None
    # Everything that reads otherwise than before, and what lists showed then; None: not known.
    differences: Sequence[Difference] | None = None
    shown: Shown | None = None

    @property
    def is_changed(self) -> bool:
        """Something that anyone could see differs: a setting, a path, a problem."""
        return (
            self.before is None
            or bool(self.changes)
            or (self.before.path_map is not self.document.path_map and self.before.path_map != self.document.path_map)
            or self.before.problems != self.document.problems
        )

    @property
    def touched_keys(self) -> frozenset[str]:
        """Keys (`kind.key`) of every setting whose reading differs in any way, the words of an unknown included."""
        return frozenset(self.touched)


def touched_by(differences: Sequence[Difference]) -> dict[str, list[Subject]]:
    """For every key that reads otherwise its subjects; all keys of a subject that came or went."""
    touched: dict[str, list[Subject]] = {}
    for each in differences:
        touched.setdefault(f"{each.subject.kind}.{each.key}", []).append(each.subject)
    return touched


class Understanding:
    """Reads sections and keeps the facts of those read lately, by content."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._parsed: OrderedDict[tuple[str, str, bytes], Facts] = OrderedDict()
        self.internal_errors = 0

    async def understand(
        self,
        read: Read,
        host: HostState,
        sections: Mapping[str, SectionState],
        moved: Mapping[str, SectionState],
        sent: Mapping[str, bytes],
        agent_version: str,
    ) -> Understood:
        """What the host is configured like, given the newest state of all its sections, and of those that are not as remembered alone;
        `sent` are bodies that came with the check-in."""
        platform = cast(Platform, host.platform)
        before = await self.document_of(read, host)
        warm = host.warm if host.warm is not None and host.warm.document is before else None
        memory = warm.memory if warm is not None else None
        known = before.configuration.subject_set() if before is not None else ()
        parts = await self._parts_again(read, host, sections, moved, sent, memory)
        if parts is not None:
            readings, changed = dict[str, SectionReading](), frozenset(moved)
        else:
            readings, parts = await self._read_all(read, host, sections, sent, memory)
            changed = None
        assembled, left = assemble_again(
            memory, platform, readings, host.overrides, parsed=parts, known_subjects=known, agent_version=agent_version, moved=changed
        )
        if assembled.internal_errors:
            self.internal_errors += len(assembled.internal_errors)
            log.error("internal error while reading a check-in", host=host.id, errors=list(assembled.internal_errors))
        document = Document(assembled.configuration, assembled.path_map, assembled.problems)
        if before is None:
            return Understood(assembled, document, None, [], memory=left)
        old, new = before.configuration, document.configuration
        differing = assembled.moved if memory is not None and memory.configuration is old else None
        differences = old.differences(new, differing)
        mine, theirs = old.subject_set(), new.subject_set()
        return Understood(
            assembled,
            document,
            before,
            changes_among(differences),
            touched_by(differences),
            mine != theirs if differing is None else any((subject in mine) != (subject in theirs) for subject in differing),
            left,
            warm.encoded if warm is not None else None,
            differences,
            warm.shown if warm is not None else None,
        )

    async def _parts_again(
        self,
        read: Read,
        host: HostState,
        sections: Mapping[str, SectionState],
        moved: Mapping[str, SectionState],
        sent: Mapping[str, bytes],
        memory: Memory | None,
    ) -> dict[str, Facts] | None:
        """The facts of all sections, where each could be read and only `moved` are others than those of the memory. Else None."""
        if memory is None or memory.steps.parts.keys() != sections.keys() or not is_every_read(sections):
            return None
        bodies = await self._bodies(read, host, moved, sent, {})
        parts = dict(memory.steps.parts)
        for name, state in moved.items():
            facts = self._facts(cast(Platform, host.platform), name, state.sha256 or b"", bodies.get(name))
            if facts is None:
                return None
            parts[name] = facts
        return parts

    async def _read_all(
        self,
        read: Read,
        host: HostState,
        sections: Mapping[str, SectionState],
        sent: Mapping[str, bytes],
        memory: Memory | None,
    ) -> tuple[dict[str, SectionReading], dict[str, Facts]]:
        """Every section as it was read, and the facts of those that could be."""
        held = self._held(host, sections, memory)
        bodies = await self._bodies(read, host, sections, sent, held)
        readings: dict[str, SectionReading] = {}
        parsed: dict[str, Facts] = {}
        for name, state in sections.items():
            if state.status != "ok" or state.sha256 is None:
                status = "unavailable" if state.status == "unavailable" else "failed"
                readings[name] = SectionReading(status, b"", state.error)  # type: ignore[arg-type]
                continue
            facts = held.get(name) or self._facts(cast(Platform, host.platform), name, state.sha256, bodies.get(name))
            readings[name] = _READ if facts is not None else SectionReading("ok", bodies.get(name, b""))
            if facts is not None:
                parsed[name] = facts
        return readings, parsed

    @staticmethod
    def _held(host: HostState, sections: Mapping[str, SectionState], memory: Memory | None) -> dict[str, Facts]:
        """The facts of sections that are as they were when the host was understood last."""
        if memory is None:
            return {}
        parts = memory.steps.parts
        return {name: parts[name] for name, state in sections.items() if name in parts and state is host.sections.get(name)}

    async def document_of(self, read: Read, host: HostState) -> Document | None:
        """The configuration stored last; None where there is none, or where it can no longer be read (then the new one is a first)."""
        if host.configuration_id is None:
            return None
        if host.warm is not None and host.warm.configuration_id == host.configuration_id:
            return host.warm.document
        configuration_id = host.configuration_id
        stored = await read(lambda connection: self._store.read_configuration(connection, configuration_id))
        if stored is None:
            return None
        try:
            return decode(stored)
        except Exception as error:  # an old form that this program no longer reads must not cost the check-in
            log.error("stored configuration cannot be read", host=host.id, configuration=host.configuration_id, error=str(error)[:300])
            return None

    async def _bodies(
        self,
        read: Read,
        host: HostState,
        sections: Mapping[str, SectionState],
        sent: Mapping[str, bytes],
        held: Mapping[str, Facts],
    ) -> dict[str, bytes]:
        """Bodies of the sections whose facts are not at hand."""
        missing: dict[int, list[str]] = {}
        found: dict[str, bytes] = {}
        for name, state in sections.items():
            if state.status != "ok" or state.sha256 is None or name in held:
                continue
            if (host.platform, name, state.sha256) in self._parsed:
                continue
            if name in sent and state.body_id is None:
                found[name] = sent[name]
            elif state.body_id is not None:
                missing.setdefault(state.body_id, []).append(name)
        if missing:
            for body_id, content in (await read(lambda connection: self._store.read_bodies(connection, missing))).items():
                for name in missing[body_id]:
                    found[name] = content
        return found

    def _facts(self, platform: Platform, name: str, sha256: bytes, body: bytes | None) -> Facts | None:
        """The facts of a body, from memory or read now; None leaves it to `assemble`, which turns our own faults into unknowns."""
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
        self._parsed[key] = facts
        if len(self._parsed) > MAX_PARSED:
            self._parsed.popitem(last=False)
        return facts


def new_configuration(understood: Understood, *, is_rebooted: bool) -> NewConfiguration:
    """What is stored of a changed configuration, and what lists show of it."""
    known = understood.before.configuration.subject_set() if understood.before is not None else frozenset[Subject]()
    causes = causes_of(understood.changes, known, is_rebooted=is_rebooted)
    rows = []
    for change, cause in zip(understood.changes, causes, strict=True):
        old, new = reading_json(change.old), reading_json(change.new)
        rows.append(
            SettingChangeRow(
                change.subject.kind, change.subject.id, change.key, old, new, cause.cause, cause.detail, alike_key(change, cause, old, new)
            )
        )
    differences = None if understood.has_other_subjects else understood.differences
    content, understood.encoded = encode_again(understood.document, understood.encoded, differences)
    if understood.shown is None or not _is_shown_alike(understood):
        understood.shown = shown_of(understood.document)
    return NewConfiguration(content, rows, understood.shown)


def shown_of(document: Document) -> Shown:
    """What lists show of a configuration."""
    configuration = document.configuration
    healthy, total = path_figures(document.path_map)
    return Shown(
        os_name=_text(configuration, "os_name"),
        os_release=_text(configuration, "os_release"),
        cluster=_text(configuration, "cluster"),
        families=_distinct(configuration, "adapter", "family", frozenset({"other"})),
        initiator_modes=_distinct(configuration, "initiator", "mode", frozenset()),
        paths_healthy=healthy,
        paths_total=total,
        is_restart_pending=configuration.value(HOST, "pending_reboot") is True,
    )


# The settings that `shown_of` reads.
_SHOWN = frozenset({"host.os_name", "host.os_release", "host.cluster", "adapter.family", "initiator.mode", "host.pending_reboot"})


def _is_shown_alike(understood: Understood) -> bool:
    before = understood.before
    return (
        before is not None
        and not understood.has_other_subjects
        and before.path_map is understood.document.path_map
        and _SHOWN.isdisjoint(understood.touched)
    )


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
    # "other" only where there is nothing better to say; commas part the list on its way into the database.
    named = sorted(value.replace(",", " ") for value in found - without)
    return named or sorted(found & without)
