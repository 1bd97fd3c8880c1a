"""The fleet of the bench of check-ins: a few hosts that check in for real, and any number of copies of their stored state, made by SQL.

A copy has its own host row, sections, bodies, configuration, findings, counters and peer answers, in a group with other copies. Its bodies
have the bytes of the host it was copied from, but digests of its own, so that nothing which is remembered by content is remembered of two
hosts; what all hosts of a make share in reality (the drivers' catalogues) they share here too.
"""

import json
import random
import re
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text
from sqlmodel import Session, col, select

from faults.samples import samples, sections_of
from faults.sending import Sender, compact, digest
from plumbline.checkin.batches import CheckInConnection
from plumbline.checkin.envelope import SectionFacts, read_body
from plumbline.checkin.headers import read_headers
from plumbline.checkin.pending import PendingCheckIn
from plumbline.checkin.sections import SHARED_SECTIONS, digest_of
from plumbline.checkin.store import Store
from plumbline.configurations.compression import train_dictionaries
from plumbline.evaluation.reevaluate import raw_connection
from plumbline.evaluation.tasks import fold_rollups, reevaluate_peers
from plumbline.hosts.agent_keys import key_ring
from plumbline.hosts.name_search import name_grams
from plumbline.hosts.tasks import fold_counts
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.hosts import Host, HostGroup

# Of one sample all copies would be in one cluster; every other has none.
_LEFT_OUT = {"t520-2016-s2d"}
# Dictionaries are trained on the first hosts, so that the bodies of those that are copied are stored as in a running installation.
_TRAINING_HOSTS = 128
_MODELS = 48
GROUP_SIZE = 250
_BATCH = 64
# Copies of one transaction.
_CHUNK = 2_000
# What tells one host from another of the same make: the addresses of its adapters, its GUIDs, its name.
_OWN = re.compile(rb"(?:[0-9A-Fa-f]{2}[-:]){5}[0-9A-Fa-f]{2}|\{?[0-9A-Fa-f]{8}(?=-[0-9A-Fa-f]{4}-)")
_NAMES = (
    "bytes_received", "bytes_sent", "packets_received", "packets_sent", "drops_received", "drops_sent", "errors_received", "errors_sent",
)  # fmt: skip

_CREATE_COPIES = """
CREATE TEMP TABLE copy (id text PRIMARY KEY, model text, name text, grams text[], group_id int, sections_digest bytea) ON COMMIT DROP
"""
# The digest of a copy's section, as `Model.digest_of` computes it.
_DIGEST = "CASE WHEN t.section = ANY(:shared) THEN t.sha256 ELSE sha256(convert_to(copy.id || ' ' || t.section, 'UTF8')) END"
# Tables of a copy in the order in which they are filled -> columns that differ from those of its model.
_COPIED: dict[str, dict[str, str]] = {
    "section_body": {"sha256": _DIGEST},
    "host_configuration": {},
    "host": {
        "id": "copy.id",
        "name": "copy.name",
        "name_grams": "copy.grams",
        "group_id": "copy.group_id",
        "sections_digest": "copy.sections_digest",
        "configuration_id": "(SELECT c.id FROM host_configuration c WHERE c.host_id = copy.id)",
    },
    "host_section": {
        "sha256": _DIGEST,
        "body_id": "coalesce((SELECT b.id FROM section_body b WHERE (b.host_id, b.section) = (copy.id, t.section)), t.body_id)",
    },
    "finding": {},
    "counter_series": {},
    "peer_answer": {
        "domains": "ARRAY(SELECT 'group:' || copy.group_id FROM unnest(t.domains))",
        "adapters": "(SELECT coalesce(jsonb_object_agg(key, 'group:' || copy.group_id), '{}') FROM jsonb_each(t.adapters))",
    },
}
_ADD_VERSIONS = """
INSERT INTO peer_domain (domain, version) SELECT DISTINCT 'group:' || group_id, 1 + floor(random() * 4e18)::bigint FROM copy
ON CONFLICT DO NOTHING
"""
_COLUMNS = """
SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = :table AND is_generated = 'NEVER'
  AND NOT (column_name = 'id' AND data_type IN ('integer', 'bigint')) ORDER BY ordinal_position
"""


def counters(number: int) -> dict[str, object]:
    """Counters of a host with four adapters and eight volumes: 74 series."""
    names = [(f"adapter/0010{number:06x}{adapter:02x}", name) for adapter in range(4) for name in _NAMES]
    names += [
        (f"volume/naa.6090a0{number:06x}{volume:04x}", name)
        for volume in range(8)
        for name in ("read_bytes", "write_bytes", "reads", "writes", "read_latency_us")
    ]
    names += [("host", "tcp_segments_sent"), ("host", "tcp_segments_retransmitted")]
    series = [{"subject": subject, "name": name, "value": random.randrange(2**40), "kind": "total"} for subject, name in names]
    return {"at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), "uptime_s": 86400, "series": series}


def http(path: str, headers: dict[str, str], body: bytes) -> bytes:
    """One request as bytes."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: bench",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@dataclass(frozen=True)
class Model:
    """A host that checked in for real, as others are copied from it."""

    number: int
    host_id: str
    sections: dict[str, bytes]
    digests: dict[str, str]

    def digest_of(self, host_id: str, section: str) -> str:
        """The digest of a section of a copy, as `_DIGEST` computes it."""
        return self.digests[section] if section in SHARED_SECTIONS else digest(f"{host_id} {section}".encode())

    def sections_digest_of(self, host_id: str) -> bytes:
        """The digest of all sections of a copy, as its host's row holds it."""
        return digest_of("windows", {name: SectionFacts("ok", self.digest_of(host_id, name)) for name in self.sections})


@dataclass
class _Copy(Sender):
    """A copy as it sends. Its digests are those of its model's copies, but for a section that changed since."""

    model: Model = field(kw_only=True)

    def digests(self) -> dict[str, str]:
        sections = self.model.sections
        return {
            name: self.model.digest_of(self.host_id, name) if body is sections[name] else digest(body)
            for name, body in self.sections.items()
        }


class Fleet:
    """Hosts that check in in random order; none comes twice before all have come once. Of each only two numbers are kept."""

    def __init__(self) -> None:
        self._models: list[Model] = []
        self._seqs: list[int] = []
        # How often each host changed.
        self._turns: list[int] = []
        self._order: list[int] = []

    @property
    def size(self) -> int:
        return len(self._seqs)

    def grow(self, size: int) -> None:
        """Copies hosts until there are so many."""
        if not self._models:
            self._models = _check_in_models()
        for start in range(self.size, size, _CHUNK):
            self._copy(range(start, min(start + _CHUNK, size)))
        self._order = []

    def _copy(self, numbers: range) -> None:
        with session_scope() as session:
            session.execute(text(_CREATE_COPIES))
            groups = _groups(session, {number // GROUP_SIZE for number in numbers})
            into = "COPY copy (id, model, name, grams, group_id, sections_digest) FROM STDIN"
            with raw_connection(session).cursor().copy(into) as copy:
                for number in numbers:
                    name, group_id = f"bench-{number}", groups[number // GROUP_SIZE]
                    model = self._model_of(number)
                    copy.write_row((_id(number), model.host_id, name, name_grams(name), group_id, model.sections_digest_of(_id(number))))
            session.execute(text("ANALYZE copy"))
            for table, differing in _COPIED.items():
                of_model = "t.id" if table == "host" else "t.host_id"
                columns = [column for (column,) in session.execute(text(_COLUMNS), {"table": table})]
                picked = ", ".join(differing.get(each, "copy.id" if each == "host_id" else f"t.{each}") for each in columns)
                statement = (
                    f"INSERT INTO {table} ({', '.join(columns)}) SELECT {picked} FROM copy JOIN {table} t ON {of_model} = copy.model"
                )
                session.execute(text(statement), {"shared": sorted(SHARED_SECTIONS)} if ":shared" in statement else {})
            session.execute(text(_ADD_VERSIONS))
        self._seqs += [1] * len(numbers)
        self._turns += [0] * len(numbers)

    def _model_of(self, number: int) -> Model:
        return self._models[number % len(self._models)]

    def _sender(self, number: int) -> Sender:
        model, host_id = self._model_of(number), _id(number)
        sections = dict(model.sections)
        turn = self._turns[number]
        if turn:
            sections["properties"] = _with_turn(sections["properties"], turn + number)
        secret = key_ring().secret(host_id, 1, key_ring().newest).hex()
        sender = _Copy(host_id, secret, sections=sections, seq=self._seqs[number], model=model)
        sender.extra = _extra(model.number)
        return sender

    def _take(self, count: int) -> list[int]:
        """So many hosts, none of them twice."""
        taken, self._order = self._order[:count], self._order[count:]
        if len(taken) < count:
            again = list(range(self.size))
            random.shuffle(again)
            # Those that have just come are the last to come again.
            again.sort(key=set(taken).__contains__)
            missing = count - len(taken)
            taken, self._order = taken + again[:missing], again[missing:]
        return taken

    def requests(self, count: int, changed_share: float, *, naive_count: int = 0) -> tuple[list[bytes], list[bytes], list[bytes]]:
        """Check-ins, the same bodies for the echo, and whole ones for the naive endpoint (`naive_count` of them)."""
        ours: list[bytes] = []
        echoes: list[bytes] = []
        naive: list[bytes] = []
        for index, number in enumerate(self._take(count)):
            # Spread over the run, as over a fleet; one after the other they would share their batches.
            is_changed = int((index + 1) * changed_share) > int(index * changed_share)
            self._turns[number] += is_changed
            sender = self._sender(number)
            body = sender.body(with_bodies={"properties"} if is_changed else set())
            sender.seq += 1
            self._seqs[number] = sender.seq
            headers, wire = sender.request(body, encoding="identity")
            ours.append(http("/agent/v1/check-in", headers, wire))
            first, *rest = body.rstrip(b"\n").split(b"\n")
            echoes.append(
                http("/echo", {"Content-Type": "application/json"}, b'{"envelope":' + first + b',"bodies":[' + b",".join(rest) + b"]}")
            )
            if len(naive) < naive_count:
                line = json.loads(first)
                whole = {key: line[key] for key in ("boot", "made_at", "agent", "sections", "counters")} | {
                    "host_id": sender.host_id,
                    "bodies": {name: json.loads(content) for name, content in sender.sections.items()},
                }
                naive.append(http("/naive", {"Content-Type": "application/json"}, compact(whole)))
        return ours, echoes, naive

    def check(self, count: int = 20) -> None:
        """Some copies send all of their bodies in other bytes. Were a copy not configured as its bodies say, a setting would change."""
        numbers = self._take(min(count, self.size))
        senders = [self._sender(number) for number in numbers]
        for sender in senders:
            sender.sections = {name: body + b" " for name, body in sender.sections.items()}
        with session_scope() as session:
            before = session.execute(text(_WRITTEN)).one()
        _store(senders, is_whole=True)
        with session_scope() as session:
            after = session.execute(text(_WRITTEN)).one()
        if before != after:
            raise SystemExit(f"copies are not configured as their bodies say: {before} became {after}")
        # And back, as they were.
        for number, sender in zip(numbers, senders, strict=True):
            self._seqs[number] = sender.seq
        again = [self._sender(number) for number in numbers]
        _store(again, is_whole=False)
        for number, sender in zip(numbers, again, strict=True):
            self._seqs[number] = sender.seq


_WRITTEN = "SELECT (SELECT count(*) FROM setting_change), (SELECT max(id) FROM host_configuration)"


def _check_in_models() -> list[Model]:
    """Hosts that enrol and check in by the store transaction itself; answers those to be copied."""
    found = [sections_of(path) for path in samples("windows") if path.stem not in _LEFT_OUT]
    # Far from the numbers of copies.
    numbers = range(1_000_000, 1_000_000 + _TRAINING_HOSTS + _MODELS)
    with session_scope() as session:
        (group,) = _groups(session, {numbers.start // GROUP_SIZE}).values()
        for number in numbers:
            session.add(
                Host(id=_id(number), name=f"model-{number}", platform="windows", group_id=group, state="active", key_id=key_ring().newest,
                     approved_at=datetime.now(UTC), interval_seconds=900)
            )  # fmt: skip
    models = []
    for batch in (numbers[:_TRAINING_HOSTS], numbers[_TRAINING_HOSTS:]):
        senders = []
        for number in batch:
            secret = key_ring().secret(_id(number), 1, key_ring().newest).hex()
            sender = Sender(_id(number), secret, sections=_own_sections(found[number % len(found)], number))
            sender.extra = _extra(number)
            senders.append(sender)
        _store(senders, is_whole=True)
        with session_scope() as session:
            train_dictionaries(session)
        models = [Model(number, sender.host_id, sender.sections, sender.digests()) for number, sender in zip(batch, senders, strict=True)]
    reevaluate_peers()
    fold_rollups()
    fold_counts()
    return models


def _store(senders: list[Sender], *, is_whole: bool) -> None:
    """Stores the next check-in of each, with all of its bodies or with none."""
    store = Store()
    pending = []
    for sender in senders:
        sender.seq += 1
        pending.append(_pending(sender, with_bodies=set(sender.sections) if is_whole else set()))
    with CheckInConnection.open(get_settings().database_url.get_secret_value().replace("+psycopg", "")) as connection:
        for start in range(0, len(pending), _BATCH):
            for _, response in store.store(connection, pending[start : start + _BATCH]):
                if response.status != 200:
                    raise SystemExit(response.content())


def _pending(sender: Sender, *, with_bodies: set[str]) -> PendingCheckIn:
    headers, wire = sender.request(sender.body(with_bodies=with_bodies), encoding="identity")
    read = read_headers([(name.lower().encode(), value.encode()) for name, value in headers.items()])
    return PendingCheckIn(read, key_ring().newest, read_body(wire))


def _groups(session: Session, numbers: set[int]) -> dict[int, int]:
    """The ids of these groups, made where they are not there yet."""
    found = {}
    for number in sorted(numbers):
        name = f"bench {number}"
        group = session.exec(select(HostGroup).where(col(HostGroup.name) == name)).first()
        if group is None:
            group = HostGroup(name=name, parent_id=1, path=name)
            session.add(group)
            session.flush()
            group.path = f"1/{group.id}/"
        assert group.id is not None
        found[number] = group.id
    session.flush()
    return found


def _own_sections(sample: dict[str, bytes], number: int) -> dict[str, bytes]:
    """The bodies of a sample with the addresses, ids and name of one host."""
    own = f"{number:06x}".encode()
    theirs = _computer_name(json.loads(sample["system"])).encode()

    def replaced(found: re.Match[bytes]) -> bytes:
        value = found[0]
        if len(value) >= 17:
            return value[:6] + own[:2] + value[5:6] + own[2:4] + value[5:6] + own[4:] + value[-3:]
        return value[:-6] + own

    return {
        name: body if name in SHARED_SECTIONS else _OWN.sub(replaced, body.replace(theirs, f"BENCH{number}".encode()) if theirs else body)
        for name, body in sample.items()
    }


def _extra(number: int) -> dict[str, Any]:
    live = {"sessions": [{"id": secrets.token_hex(8), "target": "iqn.2001-05.com.equallogic:0"}] * 4}
    return {"counters": counters(number), "live": live}


def _id(number: int) -> str:
    return digest(f"bench {number}".encode())[:32]


def _computer_name(system: dict[str, Any]) -> str:
    rows = system.get("Win32_ComputerSystem", {}).get("rows") or [{}]
    name = rows[0].get("Name")
    return name if isinstance(name, str) else ""


def _with_turn(body: bytes, turn: int) -> bytes:
    """Another value of one advanced property: a setting changes, and its section is stored anew."""
    said = json.loads(body)
    rows = said["Get-NetAdapterAdvancedProperty"]["rows"]
    keywords = rows[turn % len(rows)]["properties"]
    keywords["*ReceiveBuffers" if "*ReceiveBuffers" in keywords else next(iter(keywords))] = [str(100 + turn)]
    return compact(said)
