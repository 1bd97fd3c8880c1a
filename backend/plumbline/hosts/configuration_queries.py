"""Reading one host's settings, changes and path map."""

from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import and_, or_, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import host_in_scope
from plumbline.configurations.read import Labels, read_document, setting_label
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Configuration, NotOffered, Reading, Source, Subject, Value, label_of
from plumbline.core.facts.entered import may_be_entered
from plumbline.core.facts.paths import PathMap, volume_names
from plumbline.core.facts.proven import is_proven
from plumbline.core.facts.storage_adapters import storage_adapters
from plumbline.core.rules.reading_words import reason_of, stored_text, text_of, value_text
from plumbline.hosts.adapter_switch import adapter_switch
from plumbline.hosts.from_bundle import Origin, read_origin
from plumbline.hosts.schemas import (
    Change,
    ChangePage,
    EnteredChoice,
    HostPaths,
    HostSetting,
    HostSettings,
    PathAdapter,
    PathPortal,
    PathRow,
    PathVolume,
    SettingSourceOut,
    VolumeLeft,
    WithoutAdapter,
)
from plumbline.infra import cursor
from plumbline.infra.schemas import SubjectOut
from plumbline.models.configurations import HOST_SECTION, SETTING_CHANGE, HostConfiguration, SettingChange
from plumbline.models.hosts import FabricLabel


def list_settings(session: Session, *, actor: Actor, host_id: str) -> HostSettings:
    """Every setting, sorted by subject and key."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    stored = read_document(session, host)
    if stored is None:
        return HostSettings(as_of=None, items=[])
    configuration = stored.document.configuration
    labels = Labels.of(stored.document)
    origin = read_origin(session, host)
    items = [_setting(configuration, labels, subject, key, reading, stored.row, origin) for subject, key, reading in configuration]
    return HostSettings(as_of=origin.read_at(stored.row.received_at), items=items)


def _setting(
    configuration: Configuration, labels: Labels, subject: Subject, key: str, reading: Reading, row: HostConfiguration, origin: Origin
) -> HostSetting:
    entry = BY_KEY.get(f"{subject.kind}.{key}")
    value = reading.value if isinstance(reading, Value) else None
    state: Literal["value", "not_offered", "unknown"] = (
        "value" if isinstance(reading, Value) else "not_offered" if isinstance(reading, NotOffered) else "unknown"
    )
    counterpart = None
    if entry is not None and entry.counterpart:
        kind, other_key = entry.counterpart.split(".", 1)
        if kind == subject.kind:
            counterpart = text_of(kind, other_key, configuration.read(subject, other_key))
    return HostSetting(
        subject=SubjectOut.of(subject, labels.of_subject(subject)),
        address=subject.address(key),
        key=f"{subject.kind}.{key}",
        label=entry.label if entry else key,
        meaning=entry.meaning if entry else "",
        text=text_of(subject.kind, key, reading),
        value=list(value) if isinstance(value, tuple) else value,
        unit=entry.unit if entry else "",
        layer=entry.layer if entry else "",
        state=state,
        reason=reason_of(reading),
        source=source_out(configuration.platform, f"{subject.kind}.{key}", reading.source, row, origin),
        takes_effect=entry.takes_effect if entry else "now",
        counterpart_text=counterpart,
        choices=_choices(subject, key) if may_be_entered(subject, key, reading) else None,
    )


def _choices(subject: Subject, key: str) -> list[EnteredChoice]:
    """The values that a person may enter; none where it is a number."""
    return [EnteredChoice(value=value, label=value_text(subject.kind, key, value)) for value in BY_KEY[f"{subject.kind}.{key}"].values]


def source_out(platform: str, key: str, source: Source | None, row: HostConfiguration, origin: Origin) -> SettingSourceOut | None:
    """Where the reading of a setting (`kind.key`) came from, with the digest of the body that carried it."""
    if source is None:
        return None
    return SettingSourceOut(
        section=source.section,
        command=source.command,
        field=source.field,
        raw=source.raw,
        sha256=row.sections.get(source.section),
        read_at=origin.read_at(row.received_at),
        is_proven=is_proven(platform, key, source.command),
        member=origin.member_of(source.section, source.command),
    )


def list_changes(session: Session, *, actor: Actor, host_id: str, after: str | None, limit: int) -> ChangePage:
    """Changes, newest first. First sightings are not changes of anything and are left out."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    query = (
        select(SettingChange)
        .where(SETTING_CHANGE.host_id == host.id, SETTING_CHANGE.cause != "first_seen")
        .order_by(SETTING_CHANGE.received_at.desc(), SETTING_CHANGE.id.desc())
        .limit(limit + 1)
    )
    if after:
        at, change_id = cursor.decode(after, (datetime, int))
        query = query.where(or_(SETTING_CHANGE.received_at < at, and_(SETTING_CHANGE.received_at == at, SETTING_CHANGE.id < change_id)))
    rows = session.scalars(query).all()
    stored = read_document(session, host)
    labels = Labels.of(stored.document if stored else None)
    items = [change_row(row, labels) for row in rows[:limit]]
    last = rows[limit - 1] if len(rows) > limit else None
    return ChangePage(items=items, next=cursor.encode([last.received_at, last.id]) if last else None)


def change_row(row: SettingChange, labels: Labels) -> Change:
    """One change in words."""
    subject = Subject(row.subject_kind, row.subject_id)
    return Change(
        id=row.id or 0,
        at=row.received_at,
        subject=SubjectOut.of(subject, labels.of_subject(subject)),
        key=f"{row.subject_kind}.{row.key}",
        label=setting_label(row.subject_kind, row.key),
        old=stored_text(row.subject_kind, row.key, row.old),
        new=stored_text(row.subject_kind, row.key, row.new),
        cause=row.cause,
        cause_detail=row.cause_detail,
        job_id=row.job_id,
        seq=row.seq,
    )


def read_paths(session: Session, *, actor: Actor, host_id: str) -> HostPaths:
    """The path map with what a restart of each adapter would leave."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    stored = read_document(session, host)
    if stored is None:
        return HostPaths(problem="no configuration read yet", volumes=[], adapters=[], portals=[], paths=[], without=[])
    fabrics = {row.adapter_id: row.fabric for row in session.scalars(select(FabricLabel).where(FabricLabel.host_id == host.id))}  # type: ignore[arg-type]
    return paths_of(stored.document.configuration, stored.document.path_map, fabrics)


def paths_of(configuration: Configuration, path_map: PathMap, fabrics: dict[str, str]) -> HostPaths:
    """The picture of a path map. Adapters shown: those that carry a path, and those with a storage role."""
    used = {path.adapter for path in path_map.paths if path.adapter}
    storage = {adapter.id for adapter in storage_adapters(configuration)}
    adapters = [_adapter(configuration, path_map, Subject("adapter", adapter), fabrics) for adapter in sorted(used | storage)]
    names = volume_names(path_map)
    volumes = [
        PathVolume(
            id=volume.id,
            name=names[volume.id],
            size_bytes=volume.size_bytes,
            policy=volume.policy,
            module=volume.module,
            healthy=path_map.healthy(volume.id),
            total=sum(1 for path in path_map.paths if path.volume == volume.id),
        )
        for volume in path_map.volumes
    ]
    without = [
        WithoutAdapter(
            adapter=adapter.id,
            name=adapter.name,
            leaves=[
                VolumeLeft(
                    volume=volume.id,
                    name=volume.name,
                    healthy=path_map.without_adapter(volume.id, adapter.id),
                    total=volume.total,
                )
                for volume in volumes
            ],
        )
        for adapter in adapters
        if adapter.id in used
    ]
    rows = [
        PathRow(
            volume=path.volume,
            initiator=path.initiator,
            target=path.target,
            portal=path.portal,
            source_address=path.source_address,
            adapter=path.adapter,
            state=path.state,
            runtime_name=path.runtime_name,
        )
        for path in path_map.paths
    ]
    portals = [PathPortal(address=address) for address in sorted({path.portal for path in path_map.paths if path.portal})]
    return HostPaths(problem=path_map.problem, volumes=volumes, adapters=adapters, portals=portals, paths=rows, without=without)


def _adapter(configuration: Configuration, path_map: PathMap, subject: Subject, fabrics: dict[str, str]) -> PathAdapter:
    link_up = configuration.value(subject, "link_up")
    carried = [path for path in path_map.paths if path.adapter == subject.id]
    dead = sum(1 for path in carried if path.state == "dead")
    issues = []
    if link_up is False:
        issues.append("link down")
    if carried and dead:
        issues.append(f"{dead} of {len(carried)} paths down")
    return PathAdapter(
        id=subject.id,
        name=label_of(configuration, subject),
        role=str(configuration.value(subject, "role") or ""),
        family=str(configuration.value(subject, "family") or ""),
        fabric=fabrics.get(subject.id, ""),
        link_up=link_up if isinstance(link_up, bool) else None,
        addresses=sorted({path.source_address for path in carried if path.source_address}),
        issue=", ".join(issues),
        switch=adapter_switch(configuration, subject),
    )


class ReadSection(NamedTuple):
    """The newest state of a section, by the names of its columns."""

    section: str
    status: str
    error: str
    sha256: bytes | None
    took_ms: int | None
    changed_at: datetime


_SECTIONS = select(*(getattr(HOST_SECTION, name) for name in ReadSection._fields)).order_by(HOST_SECTION.section)


def read_sections(session: Session, host_id: str) -> list[ReadSection]:
    """The newest state of each section, by name. One query."""
    return [ReadSection._make(row) for row in session.execute(_SECTIONS.where(HOST_SECTION.host_id == host_id)).all()]
