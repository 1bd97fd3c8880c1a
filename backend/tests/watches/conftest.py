"""Watches of real lab hosts, over their real SSH and WS-Management servers."""

from sqlmodel import select, text

from plumbline.infra.database import session_scope
from plumbline.models.watches import HostWatch, WatchReading
from tests.collection.conftest import (
    Collecting,
    client_certificate,
    collecting,
    esxi,
    key,
    serve,
    served,
    server_certificate,
    token,
    windows,
)

__all__ = ["Collecting", "client_certificate", "collecting", "esxi", "key", "serve", "served", "server_certificate", "token", "windows"]


def requested(host_id: str, seconds: int, job_id: int | None = None) -> int:
    """A watch as the API or a job stores it, shorter than a person can choose."""
    with session_scope() as session:
        watch = HostWatch(host_id=host_id, requested_by="person:1 oli", seconds=seconds, job_id=job_id)
        session.add(watch)
        session.flush()
        assert watch.id is not None
        return watch.id


def stored(watch_id: int) -> tuple[HostWatch, list[WatchReading]]:
    """The watch and its readings, as committed."""
    with session_scope() as session:
        readings = session.exec(select(WatchReading).where(WatchReading.watch_id == watch_id).order_by(text("at"))).all()
        return session.get_one(HostWatch, watch_id), list(readings)


def names_of(watch: HostWatch) -> set[str]:
    """The counters that came, without their items."""
    return {name for listed in watch.series for _, name, _ in listed}


def stop(watch_id: int) -> None:
    """As the API notes that a person stopped it."""
    with session_scope() as session:
        session.execute(text("UPDATE host_watch SET ended_at = now(), end_words = 'Stopped by oli.' WHERE id = :id"), {"id": watch_id})
