"""Importing outputs of benchmark tools, and deleting them again. A file is imported whole or not at all."""

import base64
import hashlib
from datetime import datetime

import zstandard
from pydantic import ValidationError
from sqlalchemy import func, select, text
from sqlmodel import Session

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.auth.scope import host_in_scope, in_scope
from plumbline.core.benchmarks import UnreadableBenchmark, read_benchmark
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotFound
from plumbline.infra.schemas import NamedHost
from plumbline.models.hosts import COUNTED_STATES, HOST, HOST_GROUP, Host, HostGroup
from plumbline.models.proofs import BENCHMARK_FILE, BENCHMARK_RUN, PROOF_RUN, BenchmarkFile, BenchmarkRunRow
from plumbline.proofs.run_rows import shown, to_row
from plumbline.proofs.schemas import BenchmarkImport, ImportedFile

# Of one host. Uploads beyond it are refused until somebody deletes some.
MOST_FILES = 2000


def import_benchmark(session: Session, *, actor: Actor, host_id: str, request: BenchmarkImport) -> ImportedFile:
    """Imports a file for a host, as somebody with the right. Raises `BadInput` with line and reason for what is not wholly such a file."""
    host, group = host_in_scope(session, actor=actor, host_id=host_id)
    require(actor, "benchmark.import", group.path, missing="Host not found.")
    return store_benchmark(session, host=host, by=actor.audit_name, request=request)


def store_benchmark(session: Session, *, host: Host, by: str, request: BenchmarkImport) -> ImportedFile:
    """Reads and stores a file for a host. Raises `BadInput`, or `Conflict` if this host has the same file already."""
    try:
        runs = read_benchmark(request.content, parameter_file=request.parameter_content)
    except UnreadableBenchmark as error:
        raise BadInput(f"{request.name}, line {error.line}: {error.reason}", line=error.line) from None
    digest = hashlib.sha256(request.content).digest()
    # Two uploads at once are told apart by the unique index; this makes the usual case an answer in words.
    same = session.scalar(select(BenchmarkFile).where(BENCHMARK_FILE.host_id == host.id, BENCHMARK_FILE.sha256 == digest))
    if same is not None:
        raise Conflict(f"{host.name} has this file already, as {same.name}: the same runs would count twice")
    if (session.scalar(select(func.count()).select_from(BenchmarkFile).where(BENCHMARK_FILE.host_id == host.id)) or 0) >= MOST_FILES:
        raise Conflict(f"{host.name} has {MOST_FILES} files of benchmarks; delete some first")
    now = now_of(session)
    if request.measured_at is not None and request.measured_at > now:
        raise BadInput("the time of the runs is in the future; give it with its time zone")
    file = BenchmarkFile(
        host_id=host.id,
        name=request.name,
        tool=runs[0].tool,
        sha256=digest,
        size_bytes=len(request.content),
        content=zstandard.ZstdCompressor(level=6).compress(request.content),
        parameter_name=request.parameter_name if request.parameter_content else "",
        parameter_content=request.parameter_content,
        uploaded_by=by,
    )
    session.add(file)
    session.flush()
    rows = []
    for no, run in enumerate(runs, 1):
        measured_at = request.measured_at or run.started_at
        known = measured_at is not None and measured_at <= now
        row = to_row(
            run,
            no=no,
            file_id=file.id or 0,
            host_id=host.id,
            measured_at=measured_at if measured_at and known else now,
            is_time_known=known,
        )
        row.configuration_id = _configuration_at(session, host.id, row.measured_at) if known else None
        rows.append(row)
    session.add_all(rows)
    session.flush()
    audit.record(
        session,
        actor=by,
        action="benchmark.imported",
        about=audit.Object("host", host.id, host.group_id),
        after={"file": file.name, "tool": file.tool, "runs": len(rows), "sha256": digest.hex()},
    )
    named = NamedHost(id=host.id, name=host.name)
    return ImportedFile(file_id=file.id or 0, tool=file.tool, runs=[shown(row, host=named, file_name=file.name) for row in rows])


def request_of(
    name: str, content: bytes, parameter_name: str, parameter_content: bytes | None, measured_at: datetime | None
) -> BenchmarkImport:
    """An import as the command line makes it. Raises `BadInput` for what the API would refuse too."""
    try:
        return BenchmarkImport(
            name=name[:120],
            content=base64.b64encode(content),
            parameter_name=parameter_name[:120],
            parameter_content=None if parameter_content is None else base64.b64encode(parameter_content),
            measured_at=measured_at,
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(f"{'.'.join(str(each) for each in first['loc'])}: {first['msg']}") from None


def host_by_name(session: Session, name: str) -> Host:
    """The host with this id or name. Raises `BadInput` if there is none or several."""
    found = session.scalars(
        select(Host).where(HOST.state.in_(COUNTED_STATES), (HOST.id == name) | (func.lower(HOST.name) == name.lower())).limit(2)
    ).all()
    if len(found) != 1:
        raise BadInput(f"there is no host {name!r}" if not found else f"several hosts are called {name!r}; give the id of one")
    return found[0]


def _configuration_at(session: Session, host_id: str, at: datetime) -> int | None:
    """The configuration that held at an instant."""
    found = session.execute(
        text("SELECT id FROM host_configuration WHERE host_id = :host AND received_at <= :at ORDER BY received_at DESC LIMIT 1"),
        {"host": host_id, "at": at},
    ).scalar()
    return None if found is None else int(found)


def delete_file(session: Session, *, actor: Actor, file_id: int) -> None:
    """Deletes a file with its runs. Raises `Conflict` while a proof uses one of them."""
    file, host, group = _file_in_scope(session, actor, file_id)
    require(actor, "benchmark.delete", group.path, missing="File not found.")
    used = session.scalars(
        select(PROOF_RUN.proof_id)
        .join(BenchmarkRunRow, BENCHMARK_RUN.id == PROOF_RUN.run_id)
        .where(BENCHMARK_RUN.file_id == file_id)
        .distinct()
        .limit(5)
    ).all()
    if used:
        raise Conflict(f"proof {', '.join(str(each) for each in sorted(used))} uses runs of this file; evidence is kept while it is used")
    name = file.name
    session.delete(file)
    session.flush()
    audit.record(
        session,
        actor=actor.audit_name,
        action="benchmark.deleted",
        about=audit.Object("host", host.id, host.group_id),
        before={"file": name, "sha256": file.sha256.hex()},
    )


def read_content(session: Session, *, actor: Actor, file_id: int) -> tuple[str, bytes]:
    """A file as it came, with its name."""
    file, _, _ = _file_in_scope(session, actor, file_id)
    return file.name, zstandard.ZstdDecompressor().decompress(file.content, max_output_size=file.size_bytes)


def _file_in_scope(session: Session, actor: Actor, file_id: int) -> tuple[BenchmarkFile, Host, HostGroup]:
    found = session.execute(
        select(BenchmarkFile, Host, HostGroup)
        .join(Host, HOST.id == BENCHMARK_FILE.host_id)
        .join(HostGroup, HOST_GROUP.id == HOST.group_id)
        .where(BENCHMARK_FILE.id == file_id, in_scope(actor))
    ).first()
    if found is None:
        raise NotFound("File not found.")
    return found[0], found[1], found[2]
