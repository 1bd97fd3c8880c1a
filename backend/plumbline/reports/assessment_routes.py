"""The report of an assessment as a PDF, drawn when it is asked for."""

from typing import Annotated, Any

from fastapi import APIRouter, Response

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.bundles.queries import told_of
from plumbline.infra.clock import utc_now
from plumbline.infra.schemas import RowId
from plumbline.reports.assessment import report_of
from plumbline.reports.formats import to_pdf

router = APIRouter()

_PDF: dict[int | str, dict[str, Any]] = {200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}}}


@router.get("/assessments/{assessment_id}/report", response_class=Response, responses=_PDF)
def download_assessment_report(
    assessment_id: RowId, session: SessionDep, actor: Annotated[Actor, May("assessment.own")], plan: bool = False
) -> Response:
    """The report of one's own assessment; `plan` adds what a plan would change on each host, with the commands."""
    told = told_of(session, actor=actor, assessment_id=assessment_id, with_plan=plan)
    pdf = to_pdf(report_of(told, title=f"Assessment of {told['name']}", made_by=actor.display_name, now=utc_now()))
    return Response(
        pdf,
        media_type="application/pdf",
        headers={"Content-Disposition": f'attachment; filename="plumbline-assessment-{assessment_id}.pdf"'},
    )
