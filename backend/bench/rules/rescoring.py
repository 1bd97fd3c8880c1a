"""Speed of re-evaluating a stored fleet after a rule changed: from a real database, with the time for writing measured separately.

Processor time of this process and of PostgreSQL, so that other programs of a shared machine count less.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import psycopg
import zstandard
from sqlmodel import col, select, text

from bench.checkin_stack import children_of, cpu_of
from plumbline.core.facts.partial import reader_of
from plumbline.core.rules.score import score
from plumbline.core.rules.weights import Weights, traits_of
from plumbline.evaluation.inputs import keys_read
from plumbline.evaluation.reevaluate import CHUNK, raw_connection
from plumbline.infra.database import session_scope
from plumbline.models.packs import PackVersion
from plumbline.ops.generated_fleet.hosts import reevaluate_all
from plumbline.packs.files.load import pack_from_document
from plumbline.packs.in_force import ActiveRules, GroupRules, read_active
from plumbline.packs.publish import ROOT_GROUP, PackChoice, activate, publish_document, raise_rules_epoch

PACK, RULE = "dell-bp1057-2012", "bp1057.x520.receive_buffers"
GOAL = 10_000
_DOCUMENTS = """
SELECT h.platform, c.document, c.dictionary_id FROM host h JOIN host_configuration c ON c.id = h.configuration_id WHERE h.id = ANY(%s)
"""


@dataclass(frozen=True)
class Spent:
    """Processor seconds of this process and of PostgreSQL, over so many hosts."""

    hosts: int
    ours: float
    database: float = 0.0

    @property
    def rate(self) -> float:
        """Hosts a second and core, of this process alone."""
        return self.hosts / self.ours

    @property
    def rate_with_database(self) -> float:
        """Hosts a second and core, PostgreSQL's processor time included."""
        return self.hosts / (self.ours + self.database)


@dataclass(frozen=True)
class Rescoring:
    """What was measured."""

    stages: dict[str, Spent]
    findings: int
    written: int
    moved: int


def spent(work: Callable[[], int], postgres: int) -> Spent:
    """The processor time of a piece of work, which returns the number of its hosts."""
    ours, database = time.process_time(), cpu_of(children_of(postgres))
    hosts = work()
    return Spent(hosts, time.process_time() - ours, cpu_of(children_of(postgres)) - database)


def rescore(postgres: int) -> Rescoring:
    """Every stage of re-evaluating the stored fleet of this database, which was evaluated with the built-in packs.

    Leaves it evaluated with a newer version of one pack, in which one rule requires another value.
    """
    stages = dict(_apart(postgres))
    with session_scope() as session:
        raise_rules_epoch(session)
    stages["everything, nothing changed"] = spent(reevaluate_all, postgres)
    with session_scope() as session:
        version = _changed_pack(session)
        log = session.execute(text("SELECT count(*) FROM finding_log")).scalar_one()
    stages["everything, one rule changed"] = spent(reevaluate_all, postgres)
    with session_scope() as session:
        findings, written = session.execute(
            text("SELECT count(*), count(*) FILTER (WHERE pack_version_id = :version) FROM finding"), {"version": version}
        ).one()
        moved = session.execute(text("SELECT count(*) FROM finding_log")).scalar_one() - log
    return Rescoring(stages, findings, written, moved)


def _apart(postgres: int) -> Iterator[tuple[str, Spent]]:
    """Reading and evaluating alone; each stage includes the one before."""
    with session_scope() as session:
        rules = read_active(session)
        connection = raw_connection(session)
        every = rules.by_group[ROOT_GROUP]
        changed = GroupRules(tuple(pack for pack in every.packs if pack.id == PACK), every.version_ids, every.numbers)
        ids = [row[0] for row in connection.execute("SELECT id FROM host WHERE configuration_id IS NOT NULL ORDER BY id")]
        weights = Weights(every.packs)
        few, many = (reader_of(keys_read(ActiveRules(1, {1: each}))).read for each in (changed, every))

        def fetched(handle: Callable[[str, bytes], object]) -> Callable[[], int]:
            def work() -> int:
                for platform, document in _documents(connection, ids):
                    handle(platform, document)
                return len(ids)

            return work

        def all_packs(platform: Any, document: bytes) -> None:
            configuration = many(document)
            score(every.compiled(platform).evaluate(configuration), weights, traits_of(configuration))

        yield "fetched and unpacked (zstd)", spent(fetched(lambda _, document: len(document)), postgres)
        yield "and read", spent(fetched(lambda _, document: few(document)), postgres)
        one_pack: Callable[[Any, bytes], object] = lambda platform, document: changed.compiled(platform).evaluate(few(document))  # noqa: E731
        yield "and evaluated under one changed pack", spent(fetched(one_pack), postgres)
        yield "and evaluated under all packs, with the score", spent(fetched(all_packs), postgres)


def _documents(connection: "psycopg.Connection[Any]", ids: list[str]) -> Iterator[tuple[str, bytes]]:
    """Platform and unpacked document of each host, fetched as rescoring fetches them."""
    cursor = connection.cursor(binary=True)
    unpackers: dict[int | None, zstandard.ZstdDecompressor] = {None: zstandard.ZstdDecompressor()}
    for dictionary_id, content in cursor.execute("SELECT id, content FROM compression_dictionary").fetchall():
        unpackers[dictionary_id] = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(content))
    for start in range(0, len(ids), CHUNK):
        for platform, packed, dictionary_id in cursor.execute(_DOCUMENTS, (ids[start : start + CHUNK],)).fetchall():
            yield platform, unpackers[dictionary_id].decompress(packed, max_output_size=16 * 1024 * 1024)


def _changed_pack(session: Any) -> int:
    """Publishes and activates the pack with another figure in one rule; answers the version's id."""
    newest = session.exec(select(PackVersion).where(PackVersion.pack == PACK).order_by(col(PackVersion.id).desc())).first()
    assert newest is not None
    rules = [
        {**rule, "expect": {"setting": "adapter.receive_buffers", "at_least": 256}, "fix": {"manual_only": ["x"], "because": "x"}}
        if rule["id"] == RULE
        else rule
        for rule in newest.document["rules"]
    ]
    document = {**newest.document, "rules": rules, "pack": {**newest.document["pack"], "version": f"90.{newest.id}.0"}}
    version = publish_document(session, pack_from_document(document), document)
    assert version is not None
    activate(session, group_id=ROOT_GROUP, pack=PACK, choice=PackChoice(version.id))
    assert version.id is not None
    return version.id


def page(found: Rescoring, machine: str) -> str:
    """`docs/measured/rescoring.md`."""
    hosts = max(stage.hosts for stage in found.stages.values())
    lines = [
        "# Re-evaluating a stored fleet",
        "",
        f"Made by `cd backend && ../.venv/bin/python -m bench.rules rescoring --hosts {hosts} --write`",
        f"on {datetime.now(UTC):%Y-%m-%d}; {machine}.",
        "",
        f"{hosts:,} hosts in a real PostgreSQL, no two with the same configuration (`plumbline/ops/generated_fleet/hosts.py`),",
        f"{found.findings / hosts:.0f} findings a host. Processor time: ours is that of the evaluating process; of a core"
        " that is shared with",
        "others only what it gave us counts.",
        "",
        "| | hosts/s and core | µs a host, ours | PostgreSQL |",
        "|---|---:|---:|---:|",
    ]
    for name, stage in found.stages.items():
        lines.append(f"| {name} | {stage.rate:,.0f} | {1e6 * stage.ours / stage.hosts:,.0f} | {1e6 * stage.database / stage.hosts:,.0f} |")
    judged = found.stages["and evaluated under one changed pack"]
    fetched = found.stages["fetched and unpacked (zstd)"]
    bare = hosts / (judged.ours - fetched.ours) if judged.ours > fetched.ours else float("inf")
    met = "met" if judged.rate >= GOAL else "MISSED"
    lines += [
        "",
        f"Goal: {GOAL:,} stored hosts a second and core, from the packed form to the verdicts of a changed pack: {met}",
        f"({bare:,.0f} without fetching and unpacking).",
        "",
        '"Everything" also reads the current findings, compares and writes, in chunks of 200 hosts under their locks: peers, waivers,',
        f"attestations, {found.findings:,} findings, scores, rollups. After one rule of {PACK} required another figure,",
        f"{found.written:,} findings were written: {found.moved:,} outcomes changed, and all others of the pack name the version that"
        " evaluated",
        "them. That is the difference between the last two lines.",
        "",
    ]
    return "\n".join(lines)
