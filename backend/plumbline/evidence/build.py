"""Makes a queued evidence bundle: reads everything in one snapshot, writes and signs the file, checks it, and stores it."""

import hashlib
import json
import tempfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import structlog
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import func, select
from sqlmodel import Session

from plumbline import audit
from plumbline.audit.chain import signing_key
from plumbline.auth.actor import Actor, Grant
from plumbline.auth.scope import GroupNode, read_groups
from plumbline.evidence import history
from plumbline.evidence.container import BundleWriter
from plumbline.evidence.hosts import read_hosts
from plumbline.evidence.verify_bundle import key_id
from plumbline.hosts.filter_conditions import row_conditions
from plumbline.hosts.filters import HostFilters
from plumbline.hosts.host_list import hosts_from
from plumbline.infra.clock import iso
from plumbline.infra.database import get_engine
from plumbline.infra.errors import NotFound, PlumblineError
from plumbline.infra.settings import get_settings
from plumbline.models.auth import PERSON
from plumbline.models.columns import columns_of
from plumbline.models.evidence import EVIDENCE_BUNDLE, BundleState, EvidenceBundle
from plumbline.models.hosts import HOST, HostGroup, Installation
from plumbline.packs.in_force import read_active
from plumbline.packs.library import read_library

log = structlog.get_logger()

INSTALLATION = columns_of(Installation)

README = """Plumbline evidence bundle

What the hosts of one group, or of one saved view in it, looked like at one time, and everything that their scores rest on. Check it offline
with verify_bundle.py, one file that needs Python 3.9 and nothing else: Plumbline serves it at
/api/v1/evidence-bundles/verify_bundle.py, and `plumbline verify-bundle FILE` does the same.

    python3 verify_bundle.py BUNDLE.zip --key KEY_ID

Take the key id from Plumbline's Reports page, not from this file.

bundle.json           what the bundle is about, and the public keys of approvals
packs.jsonl           the active pack versions: their documents, and their rules in the form that verify_bundle.py evaluates
rules-in-force.jsonl  which packs, conflict decisions and grace periods were active together
hosts.jsonl           each host: its figures, what could not be read, values of its peers, what was attested
configurations.jsonl  each host's settings, with the command and the text that each was read from
findings.jsonl        each finding with its reason
waivers.jsonl         waivers; `hosts` are the hosts of the bundle on which one was active
attestations.jsonl    attestations
plans.jsonl           plans of the group, with what happened to them
approvals.jsonl       approvals: the text that was signed, and the signature
jobs.jsonl            jobs with the runner's receipts
audit.jsonl           the audit log of the group; entries about other groups by number and hash only
audit-heads.jsonl     signed heads of the audit log
index.json            SHA-256 of each file, and the beginning of the SHA-256 of each record
signature.json        Ed25519 signature over index.json
"""


def build_bundle(session: Session, bundle_id: int) -> bool:
    """Makes a queued bundle; returns whether this call did. Safe to run twice, because of the row's lock and state.

    A bundle that cannot be made is `failed` with the reason.
    """
    query = select(EvidenceBundle).where(EVIDENCE_BUNDLE.id == bundle_id, EVIDENCE_BUNDLE.state == BundleState.QUEUED)
    bundle = session.scalar(query.with_for_update(skip_locked=True))
    if bundle is None:
        return False
    # One column: the background worker's database role does not see the hash of a password.
    requested_by = session.scalar(select(PERSON.display_name).where(PERSON.id == bundle.requested_by)) or ""
    try:
        with tempfile.TemporaryDirectory(prefix="plumbline-evidence-") as folder:
            path = Path(folder) / "bundle.zip"
            made = write_bundle(path, bundle, requested_by=requested_by)
            content = path.read_bytes()
    except PlumblineError as error:
        log.warning("evidence bundle not made", bundle=bundle_id, error=error.message)
        bundle.state, bundle.error = BundleState.FAILED, error.message
    else:
        bundle.state, bundle.error = BundleState.READY, ""
        bundle.content, bundle.size_bytes, bundle.sha256 = content, len(content), hashlib.sha256(content).hexdigest()
        bundle.key_id, bundle.hosts, bundle.findings = made["key_id"], made["hosts"], made["findings"]
    audit.record(
        session,
        actor=audit.SYSTEM,
        action="evidence.made",
        about=audit.Object("evidence_bundle", str(bundle_id), bundle.group_id),
        after={"sha256": bundle.sha256, "error": bundle.error},
    )
    bundle.finished_at = session.scalar(select(func.clock_timestamp()))
    session.add(bundle)
    session.flush()
    return True


def write_bundle(path: Path, bundle: EvidenceBundle, *, requested_by: str) -> dict[str, Any]:
    """Writes and signs the bundle of one group and its subgroups, or of hosts in them, read in one REPEATABLE READ transaction.

    The hosts of a saved view are those that match it now, at whatever time they are evaluated. History is that of the group.
    """
    group_id, at, since = bundle.group_id, bundle.as_of, bundle.since
    key = signing_key()
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    with (
        get_engine().connect().execution_options(isolation_level="REPEATABLE READ") as connection,
        Session(connection) as snapshot,
        BundleWriter(path) as writer,
    ):
        group = snapshot.get(HostGroup, group_id)
        if group is None:
            raise NotFound("Group not found.")
        # One column, as of the person above: the row holds more than this role sees.
        site = snapshot.scalar(select(INSTALLATION.name)) or ""
        nodes = read_groups(snapshot)
        span = history.Span(
            groups=[node.id for node in nodes.values() if node.path.startswith(group.path)],
            above=[node.id for node in nodes.values() if group.path.startswith(node.path) and node.id != group_id],
            since=since,
            at=at,
        )
        records = read_hosts(
            snapshot,
            path=group.path,
            rules=read_active(snapshot, at=at),
            at=at,
            group_names={node.id: node.name for node in nodes.values()},
            only=_hosts_of_view(snapshot, nodes[group_id], nodes, bundle.filters),
        )
        audit_slice = history.read_audit_slice(snapshot, span)
        about = {
            "format": "plumbline-evidence-1",
            "product_version": metadata.version("plumbline"),
            "site": site,
            "scope": f"{group.name}, saved view {bundle.view_name}" if bundle.view_name else group.name,
            "group_id": group_id,
            "as_of": iso(at),
            "since": iso(since),
            "made_at": iso(snapshot.scalar(select(func.now())) or at),
            "requested_by": requested_by,
            "hosts": len(records.hosts),
            "scored": len(records.scores),
            "score_mean": sum(records.scores) / len(records.scores) if records.scores else None,
            "audit_entries_not_yet_chained": audit_slice.unchained,
            "approval_keys": _approval_keys(),
        }
        writer.add_file("README.txt", README.encode())
        writer.add_records("packs.jsonl", records.packs)
        writer.add_records("rules-in-force.jsonl", records.rules)
        writer.add_records("hosts.jsonl", records.hosts)
        writer.add_records("configurations.jsonl", records.read_configurations())
        writer.add_records("findings.jsonl", records.findings)
        writer.add_records("waivers.jsonl", history.read_waivers(snapshot, span, records.waived_hosts))
        writer.add_records("attestations.jsonl", history.read_attestations(snapshot, span))
        writer.add_records("plans.jsonl", history.read_plans(snapshot, span))
        writer.add_records("approvals.jsonl", history.read_approvals(snapshot, span))
        writer.add_records("jobs.jsonl", history.read_jobs(snapshot, span))
        writer.add_records("audit.jsonl", history.read_audit(snapshot, span, audit_slice))
        writer.add_records("audit-heads.jsonl", audit_slice.heads)
        writer.add_file("bundle.json", _shown(about))
        writer.sign(public, key.sign)
        snapshot.rollback()
    return {"key_id": key_id(public), "hosts": len(records.hosts), "findings": len(records.findings)}


def _hosts_of_view(
    snapshot: Session, group: GroupNode, nodes: Mapping[int, GroupNode], filters: Mapping[str, Any] | None
) -> frozenset[str] | None:
    """The hosts of the group that match; None for all of them."""
    if filters is None:
        return None
    reader = Actor(person_id=0, login="", grants=(Grant("viewer", group.id, group.path, group.name),))
    chosen = row_conditions(HostFilters.model_validate(filters), read_library(snapshot), dict(nodes))
    return frozenset(snapshot.scalars(hosts_from(reader, (HOST.id,)).where(*chosen)))


def _shown(about: dict[str, Any]) -> bytes:
    return json.dumps(about, indent=1, sort_keys=True).encode() + b"\n"


def _approval_keys() -> dict[str, str]:
    """Every public key of approvals that this installation had, by its id."""
    found = {}
    for path in sorted(get_settings().keys.glob("approval-*.pub")):
        found[path.stem.removeprefix("approval-")] = path.read_text().strip()
    return found


def queued_bundles(session: Session, *, older_than_seconds: int = 15) -> list[int]:
    """Bundles whose task message was lost: queued for a while, and no worker is making them."""
    age = func.make_interval(0, 0, 0, 0, 0, 0, older_than_seconds)
    return list(
        session.scalars(
            select(EVIDENCE_BUNDLE.id)
            .where(EVIDENCE_BUNDLE.state == BundleState.QUEUED, EVIDENCE_BUNDLE.requested_at < func.now() - age)
            .order_by(EVIDENCE_BUNDLE.id)
            .limit(20)
        )
    )
