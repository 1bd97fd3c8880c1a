"""Kinds of workers, under their names of today and of before."""

import logging
from pathlib import Path

import pytest
import structlog

from plumbline.infra.database import get_engine
from plumbline.infra.errors import BadInput
from plumbline.infra.settings import get_settings
from plumbline.ops import worker
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


@pytest.mark.parametrize(
    ("kind", "made"),
    [
        ("executor", {"vault-1.key", "vault-1.pub"}),
        # One of its own would not open what was sealed for executors, and would hide that the copy of theirs is missing.
        ("isolated", set()),
        ("background", {"notices-1.key", "notices-1.pub", "audit-signing.key"}),
    ],
)
def test_each_kind_makes_the_keys_that_it_alone_has(kind: str, made: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(worker.celery, "worker_main", started.append)
    monkeypatch.setenv("PLUMBLINE_KEYS_FOLDER", str(tmp_path))
    get_settings.cache_clear()
    worker.run_worker(kind)
    get_settings.cache_clear()
    assert len(started) == 1
    assert {file.name for file in tmp_path.iterdir()} == made


def test_a_task_without_the_database_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    load_tasks()
    # No server is behind this socket.
    monkeypatch.setenv("PLUMBLINE_DATABASE_URL", "postgresql+psycopg://plumbline_background:x@/plumbline?host=/nowhere")
    get_settings.cache_clear()
    get_engine.cache_clear()
    with caplog.at_level("INFO"), structlog.testing.capture_logs() as said:
        ended = celery.tasks["audit.chain"].apply()
    get_settings.cache_clear()
    get_engine.cache_clear()
    assert ended.failed()
    assert [entry["event"] for entry in said] == ["task ended without the database; its row is found again"]
    assert said[0]["task"] == "audit.chain"
    assert "/nowhere" in said[0]["error"]
    assert [record for record in caplog.records if record.levelno >= logging.WARNING or record.exc_info] == []
