"""Kinds of workers, under their names of today and of before."""

import pytest

from plumbline.infra.errors import BadInput
from plumbline.ops.worker import QUEUES, SCHEDULE, THREADS, celery, kind_of, load_tasks


@pytest.mark.parametrize(
    ("given", "kind"), [("hands", "executor"), ("alone", "isolated"), ("desk", "background"), ("executor", "executor")]
)
def test_a_kind_is_known_by_its_retired_name_too(given: str, kind: str) -> None:
    assert kind_of(given) == kind
    assert kind in QUEUES
    assert kind in THREADS


def test_another_name_is_refused_with_the_choices() -> None:
    with pytest.raises(BadInput, match="executor, isolated, background"):
        kind_of("feet")


def test_every_scheduled_task_and_every_route_names_a_task() -> None:
    load_tasks()
    assert {task for task, _ in SCHEDULE.values()} <= set(celery.tasks)
    assert {name for name in celery.conf.task_routes if "*" not in name} <= set(celery.tasks)
