"""A host beside another host, its baseline, the majority of its peers, its best peer, itself on another date, or a support bundle."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ARRAY, Text, cast, func, select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import KNOWN_STATES, host_in_scope, in_scope
from plumbline.configurations.read import Labels, setting_label
from plumbline.core.drift.beside import Beside, Majority, beside, majority_of
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST as THE_HOST
from plumbline.core.facts.configuration import Configuration, Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.document import Document
from plumbline.core.rules.reading_words import NOTHING, text_of, value_text
from plumbline.drift.baseline_compare import StoredDocument, read_stored
from plumbline.drift.event_detail import restorable
from plumbline.evaluation.explain import explain
from plumbline.evaluation.read_findings import findings_of
from plumbline.hosts.bundle_side import BundleSide, compare_findings, known_pairs, read_bundle_side
from plumbline.hosts.comparison_schemas import ComparedPeer, ComparedRule, ComparedSetting, HostComparison, OddPeer, Reference
from plumbline.hosts.from_bundle import read_origin
from plumbline.infra.errors import BadInput
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.models.baselines import HostBaseline
from plumbline.models.configurations import HOST_CONFIGURATION
from plumbline.models.hosts import HOST, HOST_GROUP, CheckInSource, Host, HostGroup
from plumbline.packs.library import read_library

# Of so many peers the configurations are read.
MOST_PEERS = 32
_FEWEST_PEERS = 2
_NAMED_ODD = 10


@dataclass(slots=True)
class _Right:
    """What stands on the right side."""

    label: str = ""
    problem: str = ""
    document: Document | None = None
    at: datetime | None = None
    other: NamedHost | None = None
    is_same_host: bool = False
    # The left side has what is stored, this one what runs.
    is_running: bool = False
    bundle: BundleSide | None = None
    majority: Mapping[tuple[Subject, str], Majority] = field(default_factory=dict)


def compare_host(
    session: Session,
    *,
    actor: Actor,
    host_id: str,
    reference: Reference,
    other_id: str | None = None,
    at: datetime | None = None,
    assessed_id: int | None = None,
    with_same: bool = False,
) -> HostComparison:
    """Compares the newest configuration of a host. The number of queries does not grow with hosts or settings. Raises `NotFound`, and
    `BadInput` where a part of the reference is missing.
    """
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    peers, peers_are = _peers(session, actor, host)
    mine = read_stored(session, [host.configuration_id] if host.configuration_id is not None else [])
    left = next(iter(mine.values()), None)
    if left is None:
        right = _Right(problem="No configuration of this host has been read yet")
    elif reference == "bundle":
        right = _bundle(session, actor, host, assessed_id)
    else:
        right = _right(session, actor, host, left, reference, other_id=other_id, at=at, peers=peers)
    rows: list[ComparedSetting] = []
    not_listed = 0
    if left is not None and not right.problem:
        rows, not_listed = _rows(session, host, left.document, right)
    counts = {what: sum(1 for row in rows if row.what == what) for what in ("same", "not_known")}
    return HostComparison(
        host=NamedHost(id=host.id, name=host.name),
        reference=reference,
        right_label=right.label,
        other=right.other,
        left_at=read_origin(session, host).read_at(left.read_at) if left else None,
        right_at=right.at,
        problem=right.problem,
        items=[row for row in rows if with_same or row.what not in ("same", "not_known")],
        differs=len(rows) - counts["same"] - counts["not_known"],
        same=counts["same"],
        not_known=counts["not_known"] + not_listed,
        peers=[ComparedPeer(id=peer.id, name=peer.name, score=peer.score) for peer in peers],
        peers_are=peers_are,
        may_plan=allow(actor, "plan.draft", group.path) and host.source != CheckInSource.BUNDLE,
        **_more_of_a_bundle(session, host, left.document if left is not None else None, right.bundle),
    )


def _bundle(session: Session, actor: Actor, host: Host, assessed_id: int | None) -> _Right:
    if assessed_id is None:
        raise BadInput("assessed: name the host of an assessment to compare with")
    side = read_bundle_side(session, actor=actor, assessed_id=assessed_id)
    if side.row.platform != host.platform:
        return _Right(problem=f"{side.row.name} in {side.bundle} runs another operating system, so its settings are not comparable")
    if side.kept is None:
        return _Right(problem=f"{side.bundle} was read by an earlier version, which kept no settings. Upload it again")
    label = side.bundle if side.bundle == side.row.name else f"{side.row.name} in {side.bundle}"
    return _Right(label=label, document=side.kept.document, at=side.at, is_same_host=True, bundle=side)


def _more_of_a_bundle(session: Session, host: Host, live: Document | None, side: BundleSide | None) -> dict[str, Any]:
    if live is None or side is None or side.kept is None:
        return {"bundle": None, "findings": [], "findings_not_known": 0}
    findings, not_known = compare_findings(session, host, live, side.kept)
    return {"bundle": side.beside(host, live.configuration), "findings": findings, "findings_not_known": not_known}


def _peers(session: Session, actor: Actor, host: Host) -> tuple[list[Host], Literal["cluster", "alike", ""]]:
    """The other nodes of its cluster; where there are too few, hosts of its group with the same platform and an adapter family in common.
    The best score first.
    """
    known = (
        select(Host)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(
            HOST.id != host.id,
            HOST.platform == host.platform,
            HOST.state.in_(KNOWN_STATES),
            # A host of a bundle is of another day.
            HOST.source != CheckInSource.BUNDLE,
            HOST.configuration_id.is_not(None),
            in_scope(actor),
        )
        .order_by(HOST.score.desc().nulls_last(), HOST.name, HOST.id)
        .limit(MOST_PEERS)
    )
    if host.cluster:
        nodes = list(session.scalars(known.where(HOST.cluster == host.cluster)))
        if len(nodes) >= _FEWEST_PEERS:
            return nodes, "cluster"
    shared = HOST.families.bool_op("&&")(cast(host.families, ARRAY(Text))) if host.families else func.cardinality(HOST.families) == 0
    alike = list(session.scalars(known.where(HOST.group_id == host.group_id, shared)))
    return alike, "alike" if alike else ""


def _right(
    session: Session,
    actor: Actor,
    host: Host,
    left: StoredDocument,
    reference: Reference,
    *,
    other_id: str | None,
    at: datetime | None,
    peers: Sequence[Host],
) -> _Right:
    if reference == "host":
        if other_id is None:
            raise BadInput("other: name the host to compare with")
        other, _ = host_in_scope(session, actor=actor, host_id=other_id)
        return _other_host(session, host, other)
    if reference == "best":
        better = [peer for peer in peers if peer.score is not None]
        return _other_host(session, host, better[0]) if better else _Right(problem="This host has no peer with a score")
    if reference == "baseline":
        accepted = session.get(HostBaseline, host.id)
        if accepted is None:
            return _Right(problem="No baseline was accepted for this host yet")
        return _earlier(session, accepted.configuration_id, "Accepted baseline")
    if reference == "date":
        if at is None:
            raise BadInput("at: say which date to compare with")
        stored = session.scalar(
            select(HOST_CONFIGURATION.id)
            .where(HOST_CONFIGURATION.host_id == host.id, HOST_CONFIGURATION.received_at <= at)
            .order_by(HOST_CONFIGURATION.received_at.desc(), HOST_CONFIGURATION.id.desc())
            .limit(1)
        )
        if stored is None:
            return _Right(problem="No configuration from that time is stored. Choose a later date")
        return _earlier(session, stored, "This host then")
    if reference == "running":
        return _Right(
            label="Running values",
            document=left.document,
            at=read_origin(session, host).read_at(left.read_at),
            is_same_host=True,
            is_running=True,
        )
    return _majority(session, left.document.configuration, peers)


def _other_host(session: Session, host: Host, other: Host) -> _Right:
    if other.id == host.id:
        raise BadInput("other: choose another host; to compare the host with its past, choose a date")
    if other.platform != host.platform:
        return _Right(problem=f"{other.name} runs another operating system, so its settings are not comparable")
    stored = read_stored(session, [other.configuration_id] if other.configuration_id is not None else [])
    right = next(iter(stored.values()), None)
    if right is None:
        return _Right(problem=f"No configuration of {other.name} has been read yet")
    return _Right(
        label=other.name,
        document=right.document,
        at=read_origin(session, other).read_at(right.read_at),
        other=NamedHost(id=other.id, name=other.name),
    )


def _earlier(session: Session, configuration_id: int, label: str) -> _Right:
    stored = read_stored(session, [configuration_id]).get(configuration_id)
    if stored is None:
        return _Right(problem="The stored configuration can't be read")
    return _Right(label=label, document=stored.document, at=stored.read_at, is_same_host=True)


def _majority(session: Session, mine: Configuration, peers: Sequence[Host]) -> _Right:
    if len(peers) < _FEWEST_PEERS:
        return _Right(problem="This host has fewer than two peers: there is no majority")
    stored = read_stored(session, [peer.configuration_id for peer in peers if peer.configuration_id is not None])
    by_configuration = {peer.configuration_id: peer.name for peer in peers}
    configurations = {by_configuration[number]: each.document.configuration for number, each in stored.items()}
    found = majority_of(mine, configurations)
    return _Right(
        label=f"Majority of {len(configurations)} peers", majority=found, at=max((each.read_at for each in stored.values()), default=None)
    )


def _rows(session: Session, host: Host, left: Document, right: _Right) -> tuple[list[ComparedSetting], int]:
    """The rows, and how many items a bundle did not list."""
    configuration = left.configuration
    not_listed = 0
    if right.is_running:
        pairs = _stored_and_running(configuration)
    elif right.document is not None:
        pairs = beside(configuration, right.document.configuration, is_same_host=right.is_same_host)
    else:
        source = Source("", "", "")
        pairs = [
            Beside(subject, subject, key, configuration.read(subject, key), Value(each.value, source))
            for (subject, key), each in sorted(right.majority.items(), key=lambda item: item[0])
        ]
    if right.bundle is not None and right.bundle.kept is not None:
        pairs, not_listed = known_pairs(pairs, configuration, right.bundle.kept)
    rules = _failing_rules(session, host, configuration)
    labels = Labels.of(left), Labels.of(right.document if right.document is not None else left)
    if right.is_running:
        rows = [_row(pair, labels, None, configuration, rules) for pair in pairs]
        rows = [row.model_copy(update={"restore_to": None, "why_not_restore": _when(row) if row.what == "differs" else ""}) for row in rows]
    elif right.bundle is not None:
        rows = [_of_a_bundle(_row(pair, labels, None, configuration, rules), pair, right.bundle) for pair in pairs]
    else:
        rows = [
            _row(pair, labels, right.majority.get((pair.left, pair.key)) if pair.left else None, configuration, rules) for pair in pairs
        ]
    return rows, not_listed


def _of_a_bundle(row: ComparedSetting, pair: Beside, side: BundleSide) -> ComparedSetting:
    """With the member of the bundle. Nothing is restored from a bundle: it may be of any age, and no agent vouches for it."""
    reading = pair.right_reading
    member = side.kept.member_of(reading.source) if side.kept is not None and reading is not None else ""
    return row.model_copy(update={"restore_to": None, "why_not_restore": "", "member": member})


# When a stored value that does not run yet comes into force.
_WHEN = {
    "now": "stored and running values differ",
    "new_session": "changes with the next session",
    "adapter_restart": "changes at the next adapter restart",
    "reboot": "changes at the next host restart",
}


def _stored_and_running(configuration: Configuration) -> list[Beside]:
    """Settings of which the system says both, the stored value on the left and the running one on the right."""
    pairs = []
    for subject, key, reading in configuration:
        entry = BY_KEY.get(f"{subject.kind}.{key}")
        running = BY_KEY.get(entry.counterpart) if entry is not None and entry.layer == "configured" else None
        if running is not None and running.kind == subject.kind and running.name in configuration.keys(subject):
            pairs.append(Beside(subject, subject, key, reading, configuration.read(subject, running.name)))
    return pairs


def _when(row: ComparedSetting) -> str:
    return _WHEN[BY_KEY[row.key].takes_effect]


def _row(
    pair: Beside,
    labels: tuple[Labels, Labels],
    majority: Majority | None,
    configuration: Configuration,
    rules: Mapping[str, list[tuple[Subject, ComparedRule]]],
) -> ComparedSetting:
    mine, theirs = pair.left, pair.right
    shown = mine or theirs
    assert shown is not None
    key = f"{pair.kind}.{pair.key}" if pair.key else pair.kind
    wanted = pair.right_reading.value if isinstance(pair.right_reading, Value) and pair.key else None
    value, why_not = restorable(configuration, mine, pair.key, wanted) if mine is not None and pair.differs and pair.key else (None, "")
    entry = BY_KEY.get(key)
    return ComparedSetting(
        subject=SubjectOut.of(shown, labels[0 if mine is not None else 1].of_subject(shown)),
        other_subject=SubjectOut.of(theirs, labels[1].of_subject(theirs)) if mine is not None and theirs not in (None, mine) else None,
        key=key,
        label=setting_label(pair.kind, pair.key) if pair.key else "",
        left=_words(pair.kind, pair.key, pair.left_reading) if mine is not None else NOTHING,
        right=_words(pair.kind, pair.key, pair.right_reading) if theirs is not None else NOTHING,
        what=_what(pair),
        is_configured=entry is not None and entry.layer == "configured",
        agreeing=majority.agreeing if majority else None,
        peers=majority.hosts if majority else None,
        odd=[OddPeer(name=name, value=value_text(pair.kind, pair.key, odd)) for name, odd in majority.odd[:_NAMED_ODD]] if majority else [],
        rules=[rule for subject, rule in rules.get(key, ()) if subject in (mine, THE_HOST)] if pair.differs else [],
        restore_to=list(value) if isinstance(value, tuple) else value,
        why_not_restore=why_not,
    )


def _what(pair: Beside) -> Literal["same", "differs", "only_left", "only_right", "not_known"]:
    if pair.left is None:
        return "only_right"
    if pair.right is None:
        return "only_left"
    if pair.differs:
        return "differs"
    unknown = any(reading is None or isinstance(reading, Unknown) for reading in (pair.left_reading, pair.right_reading))
    return "not_known" if unknown else "same"


def _words(kind: str, key: str, reading: Reading | None) -> str:
    if not key:
        return "present"
    if reading is None or isinstance(reading, Unknown):
        return "unknown"
    text = text_of(kind, key, reading)
    return "not offered" if text == NOTHING else text


def _failing_rules(session: Session, host: Host, configuration: Configuration) -> dict[str, list[tuple[Subject, ComparedRule]]]:
    """Rules that fail on this host, by the keys that they read, with the points that each takes. Two queries."""
    library = read_library(session)
    rows = findings_of(session, host.id)
    lines = [line for line in explain(rows, library, configuration).lines if line.failing]
    # Linked rules take their points together and are named once, by the first.
    points = {line.rules[0]: line.points_lost for line in lines}
    also = {address for line in lines for address in line.rules[1:]}
    found: dict[str, list[tuple[Subject, ComparedRule]]] = {}
    for row in rows:
        known = library.by_no.get(row.rule_no)
        if row.outcome != "fail" or known is None or known.rule.address in also:
            continue
        rule = ComparedRule(pack=known.pack.id, rule=known.rule.id, title=known.rule.title, points_lost=points.get(known.rule.address, 0.0))
        for key in known.rule.reads:
            found.setdefault(key, []).append((Subject(row.subject_kind, row.subject_id), rule))
    return found
