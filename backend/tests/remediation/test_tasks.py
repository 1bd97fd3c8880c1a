"""Bells that nobody of ours rang come to nothing, whatever they carry."""

import pytest

from plumbline.remediation.jobs import tasks
from plumbline.remediation.plans import tasks as plan_tasks


@pytest.mark.parametrize("number", [None, "", "1; DROP TABLE job", 0, -1, 2**31, 2**80, True, 1.5, [1], {"id": 1}])
def test_what_cannot_be_a_number_is_noted_and_not_looked_up(number: object) -> None:
    # No database is set here: a look-up would raise.
    tasks.run(number)
    plan_tasks.build(number)
    tasks.raise_fence(number)


def test_a_queue_that_is_not_ours_is_not_looked_up() -> None:
    tasks.run(1, "background")
    tasks.run(1, {"queue": 1})
