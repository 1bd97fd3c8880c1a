"""Routes of evidence bundles, and the program that checks them."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Response, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.evidence import actions, verify_bundle
from plumbline.evidence.schemas import EvidenceBundleCreate, EvidenceBundleOut
from plumbline.infra.schemas import RowId

router = APIRouter(route_class=IdempotentRoute)

Reader = Annotated[Actor, May("evidence.read")]


def _file_of(media: str) -> dict[int | str, dict[str, object]]:
    return {200: {"content": {media: {"schema": {"type": "string", "format": "binary"}}}}}


@router.post("/evidence-bundles", status_code=status.HTTP_201_CREATED)
def request_evidence_bundle(
    body: EvidenceBundleCreate, session: SessionDep, actor: Annotated[Actor, May("evidence.make")]
) -> EvidenceBundleOut:
    """Requests an evidence bundle, which is made in the background; its state tells when it is ready."""
    return actions.request_bundle(session, actor=actor, request=body)


@router.get("/evidence-bundles")
def list_evidence_bundles(session: SessionDep, actor: Reader) -> list[EvidenceBundleOut]:
    """The newest 200 evidence bundles about groups this person may read."""
    return actions.list_bundles(session, actor=actor)


@router.get("/evidence-bundles/verify_bundle.py", response_class=Response, responses=_file_of("text/x-python"))
def download_verifier(_: Annotated[Actor | None, May("evidence.verifier")]) -> Response:
    """The program that checks evidence bundles offline: one file for Python 3.9 or newer. It holds no secret."""
    content = Path(verify_bundle.__file__).read_bytes()
    return Response(content, media_type="text/x-python", headers={"Content-Disposition": 'attachment; filename="verify_bundle.py"'})


@router.get("/evidence-bundles/{bundle_id}")
def read_evidence_bundle(bundle_id: RowId, session: SessionDep, actor: Reader) -> EvidenceBundleOut:
    """One evidence bundle's state."""
    return actions.read_bundle(session, actor=actor, bundle_id=bundle_id)


@router.get("/evidence-bundles/{bundle_id}/file", response_class=Response, responses=_file_of("application/zip"))
def download_evidence_bundle(bundle_id: RowId, session: SessionDep, actor: Annotated[Actor, May("evidence.export")]) -> Response:
    """The signed file. Each download is audited."""
    name, content = actions.read_file(session, actor=actor, bundle_id=bundle_id)
    return Response(content, media_type="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'})
