"""The names under which beat and people ring for collection are those of its tasks."""

from plumbline.collection import tasks
from plumbline.ops import worker


def test_scheduled_and_routed_names_exist() -> None:
    opening = {
        tasks.collect,
        tasks.check_now,
        tasks.fetch_host_key,
        tasks.check_credential,
        tasks.fetch_vcenter_certificate,
        tasks.read_vcenter,
    }
    mine = {task.name for task in (*opening, tasks.collect_due)}
    scheduled = {task for task, _ in worker.SCHEDULE.values() if task.startswith("collection.")}
    routed = {name for name in worker.celery.conf.task_routes if name.startswith("collection.")}
    assert scheduled | routed == mine
    assert "plumbline.collection.tasks" in worker.TASK_MODULES
    # What opens credentials runs in the executor, and what only looks at times does not have to.
    assert routed == {task.name for task in opening}
