"""Routes of benchmark runs, proofs and the effects of jobs."""

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, status
from starlette.responses import Response

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.core.proof.qos import TOLERANCE_POINTS
from plumbline.infra.schemas import HostId, RowId
from plumbline.proofs import actions, job_effects, queries, rule_effects, run_import, share
from plumbline.proofs.schemas import (
    BenchmarkImport,
    ImportedFile,
    JobEffect,
    ProofCreate,
    ProofDecision,
    ProofDetail,
    ProofMethod,
    ProofPage,
    RuleEffect,
    RunDetail,
    RunPage,
    ShareOut,
)

router = APIRouter(route_class=IdempotentRoute)

Reader = Annotated[Actor, May("benchmark.read")]
Maker = Annotated[Actor, May("proof.make")]
Id = Annotated[int, Path(ge=1, le=2**31 - 1)]
Limit = Annotated[int, Query(ge=1, le=500)]

_FILE = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


@router.post("/hosts/{host_id}/benchmarks", status_code=status.HTTP_201_CREATED)
def import_benchmark(
    host_id: HostId, body: BenchmarkImport, session: SessionDep, actor: Annotated[Actor, May("benchmark.import")]
) -> ImportedFile:
    """Imports an output of Vdbench, DiskSpd, NTttcp or Iometer: all runs of the file, or none and the line that is wrong."""
    return run_import.import_benchmark(session, actor=actor, host_id=host_id, request=body)


@router.get("/benchmark-runs")
def list_benchmark_runs(
    session: SessionDep,
    actor: Reader,
    host: HostId | None = None,
    tool: Literal["vdbench", "diskspd", "ntttcp", "iometer"] | None = None,
    after: Annotated[str | None, Query(max_length=400)] = None,
    limit: Limit = 100,
) -> RunPage:
    """Imported runs, the newest first."""
    return queries.list_runs(session, actor=actor, host_id=host, tool=tool, after=after, limit=limit)


@router.get("/benchmark-runs/{run_id}")
def read_benchmark_run(run_id: Id, session: SessionDep, actor: Reader) -> RunDetail:
    """One run with its file and parameters."""
    return queries.read_run(session, actor=actor, run_id=run_id)


@router.get("/benchmark-runs/{run_id}/share")
def read_benchmark_share(
    run_id: Id,
    session: SessionDep,
    actor: Reader,
    alone: Annotated[RowId, Query()],
    configured: Annotated[float | None, Query(ge=1, le=100)] = None,
    tolerance: Annotated[float, Query(ge=0, le=50)] = TOLERANCE_POINTS,
) -> ShareOut:
    """The share of its throughput alone that this run reached beside other traffic, against the configured share of its class."""
    return share.read_share(
        session, actor=actor, alone_id=alone, contended_id=run_id, configured_percent=configured, tolerance_points=tolerance
    )


@router.get("/benchmark-files/{file_id}", response_class=Response, responses={200: _FILE})
def download_benchmark_file(file_id: Id, session: SessionDep, actor: Reader) -> Response:
    """A file as it was uploaded, as an attachment."""
    name, content = run_import.read_content(session, actor=actor, file_id=file_id)
    disposition = f"attachment; filename=\"benchmark-{file_id}.txt\"; filename*=UTF-8''{quote(name, safe='')}"
    return Response(content, media_type="application/octet-stream", headers={"Content-Disposition": disposition})


@router.delete("/benchmark-files/{file_id}", status_code=status.HTTP_204_NO_CONTENT)
def delete_benchmark_file(file_id: Id, session: SessionDep, actor: Annotated[Actor, May("benchmark.delete")]) -> None:
    """Deletes a file with its runs, unless a proof uses one of them."""
    run_import.delete_file(session, actor=actor, file_id=file_id)


@router.get("/proofs/method")
def read_proof_method(actor: Reader) -> ProofMethod:  # noqa: ARG001
    """The papers' method: bounds, questions, and the papers' own results."""
    return queries.read_method()


@router.get("/proofs")
def list_proofs(
    session: SessionDep,
    actor: Reader,
    host: HostId | None = None,
    job: RowId | None = None,
    after: RowId | None = None,
    limit: Limit = 100,
) -> ProofPage:
    """Proofs, the newest first."""
    return queries.list_proofs(session, actor=actor, host_id=host, job_id=job, after=after, limit=limit)


@router.post("/proofs", status_code=status.HTTP_201_CREATED)
def make_proof(body: ProofCreate, session: SessionDep, actor: Maker) -> ProofDetail:
    """Judges runs before and after a change by the papers' method and keeps the verdict."""
    proof = actions.make_proof(session, actor=actor, request=body)
    return queries.read_proof(session, actor=actor, proof_id=proof.id or 0)


@router.get("/proofs/{proof_id}")
def read_proof(proof_id: Id, session: SessionDep, actor: Reader) -> ProofDetail:
    """One proof: verdict, runs, what changed between them, and what did not follow the method."""
    return queries.read_proof(session, actor=actor, proof_id=proof_id)


@router.post("/proofs/{proof_id}/decision")
def decide_proof(proof_id: Id, body: ProofDecision, session: SessionDep, actor: Maker) -> ProofDetail:
    """Records what is made of a proof: keep, revert or waive."""
    actions.decide_proof(session, actor=actor, proof_id=proof_id, request=body)
    return queries.read_proof(session, actor=actor, proof_id=proof_id)


@router.get("/jobs/{job_id}/effect")
def read_job_effect(job_id: Id, session: SessionDep, actor: Annotated[Actor, May("job.read")]) -> JobEffect:
    """What counters say of a job, beside hosts that were not treated. An observation, not a proof."""
    return job_effects.read_job_effect(session, actor=actor, job_id=job_id)


@router.get("/rules/{pack}/{rule}/effect")
def read_rule_effect(
    pack: Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)],
    rule: Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)],
    session: SessionDep,
    actor: Annotated[Actor, May("rule.read")],
) -> RuleEffect:
    """What fixing a rule did here: counters of its hosts a day before and after their jobs."""
    return rule_effects.read_rule_effect(session, actor=actor, pack=pack, rule=rule)
