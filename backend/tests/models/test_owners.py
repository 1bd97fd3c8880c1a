"""Each table is written by one package, so that one place decides what its rows may hold."""

from plumbline.models import METADATA, OWNER
from tests.models.writes import Write, all_writes

# (Module or package that writes, table or * for any) -> why it may.
ALLOWED: dict[tuple[str, str], str] = {
    ("checkin", "host"): "the check-in columns: order, freshness, what the configuration and the evaluation say",
    ("checkin.gaps", "host_summary"): "whether a host may be late soon, which changes with time alone",
    ("checkin.gaps", "installation"): "when that was noted last",
    ("checkin.retention", "counter_day"): "retention",
    ("evaluation", "host"): "the columns of the newest evaluation: score, counts, what fails",
    ("evaluation", "waiver"): "an early-end trigger ends the waiver in the transaction that sees it",
    ("evaluation", "waiver_host"): "as waiver",
    ("evaluation.waivers_in_force", "audit_entry"): "as waiver: the entry is written by the same statement",
    ("hosts.merge_statements", "*"): "merging moves all rows of one host to another, in one transaction",
    ("hosts.groups", "installation"): "rules_epoch rises when a group moves, since other rules apply there",
    ("packs.publish", "installation"): "rules_epoch rises when a pack is activated",
    ("hosts.fabric_import", "peer_reevaluation"): "new fabric labels change who is a peer of whom",
    ("collection", "host"): "a host that is collected changes its source; a vCenter sets the cluster of its hosts",
    ("collection.actions", "vault_secret"): "the sealed check-in secret goes with the endpoint that used it",
    ("remediation.controls.actions", "host"): "holds",
    ("ops.backup", "*"): "a restore stops all jobs and forgets the workers that it does not know",
    ("ops.lab_past.simulated_time", "*"): "the clock of a simulated past, a table in a schema of its own",
    ("ops.generated_fleet", "*"): "a fleet made at once, for measurements, in a database that is empty before",
    ("ops.demo", "*"): "the demo sets up what a person would",
}


def test_every_table_has_an_owner() -> None:
    assert set(OWNER) == set(METADATA.tables)


def test_a_table_is_written_by_its_owner_only() -> None:
    wrong = [f"{write.module}:{write.line} writes {write.table}: {write.code}" for write in all_writes() if not _may(write)]
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_needed() -> None:
    needed = {rule for write in all_writes() if OWNER.get(write.table) != _package(write) for rule in ALLOWED if _allows(rule, write)}
    assert needed == set(ALLOWED)


def test_every_kind_of_write_is_found() -> None:
    source = """
from sqlalchemy import delete, update
from sqlmodel import Session, select
from plumbline.models.columns import columns_of
from plumbline.models.hosts import Host
from plumbline.models.vault import VaultSecret as Secret

SQL = "INSERT INTO plan (title) VALUES (:title)"
NAMED = f"UPDATE {SQL} SET x = 1"
READ = "SELECT 1 FROM host WHERE true FOR UPDATE"

def build(session: Session) -> None:
    session.execute(update(Host).values(name=""))
    session.execute(delete(Secret))
    session.add(Secret(name="x"))

def change(session: Session, host: Host) -> None:
    host.name = "x"

def read_and_change(session: Session) -> None:
    for row in session.exec(select(Host).with_for_update()):
        row.name = row.name.lower()
    print(columns_of(Host).name == "x")

def unknown(session: Session, row) -> None:
    session.delete(row)
"""
    found = [(write.line, write.table) for write in all_writes(web=source) if write.module == "plumbline.web.planted"]
    assert sorted(found) == [
        (8, "plan"),
        (9, "?"),
        (13, "host"),
        (14, "vault_secret"),
        (15, "vault_secret"),
        (18, "host"),
        (22, "host"),
        (26, "?"),
    ]


def _package(write: Write) -> str:
    return write.module.split(".")[1]


def _may(write: Write) -> bool:
    return OWNER.get(write.table) == _package(write) or any(_allows(rule, write) for rule in ALLOWED)


def _allows(rule: tuple[str, str], write: Write) -> bool:
    place, table = rule
    is_there = f"{write.module}.".startswith(f"plumbline.{place}.")
    return is_there and table in (write.table, "*")
