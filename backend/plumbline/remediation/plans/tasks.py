"""The Celery task of plans."""

from celery import shared_task

from plumbline.remediation.plans import build as building
from plumbline.remediation.task_names import BUILD_PLAN, is_row_id


@shared_task(name=BUILD_PLAN)  # type: ignore[untyped-decorator]
def build(plan_id: int) -> None:
    """Plans a draft."""
    if is_row_id("build", plan_id):
        building.build(plan_id)
