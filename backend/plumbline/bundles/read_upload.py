"""Reads an uploaded bundle in a child process and stores its hosts as they are found."""

import base64
import hashlib
import json
import os
import subprocess
import sys
import threading
from io import BufferedReader
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import delete, func, update

from plumbline.bundles import uploads
from plumbline.infra.database import session_scope
from plumbline.models.assessments import ASSESSMENT, ASSESSMENT_HOST, Assessment, AssessmentHost, AssessmentHostSections, AssessmentState

log = structlog.get_logger()

# Bundles that are read at the same time by this process; others wait.
_PLACES = threading.BoundedSemaphore(2)
MOST_SECONDS = 900.0
_LONGEST_LINE = 64 * 1024 * 1024
_CHUNK = 1024 * 1024
_FAULT = (
    "Plumbline could not read it: a fault or a limit of memory or time ended the reading. Report this to the operator of Plumbline,"
    " and keep the bundle"
)


def read_upload(assessment_id: int, name: str) -> None:
    """Reads one bundle to its end. Safe to call twice: the file is there once."""
    with _PLACES:
        try:
            file = uploads.take(assessment_id)
        except FileNotFoundError:
            return
        with file:
            digest = _sha256(file)
            try:
                error, about = _read(assessment_id, name, file)
            except Exception:
                log.exception("bundle not read", assessment=assessment_id)
                error, about = _FAULT, {}
    with session_scope() as session:
        if error:
            # Hosts of a bundle that turned out to be damaged are no assessment.
            session.execute(delete(AssessmentHost).where(ASSESSMENT_HOST.assessment_id == assessment_id))
        session.execute(
            update(Assessment)
            .where(ASSESSMENT.id == assessment_id)
            .values(
                state=AssessmentState.FAILED if error else AssessmentState.READY,
                error=error,
                about=about,
                sha256=digest,
                read_bytes=ASSESSMENT.size_bytes,
                changed_at=func.now(),
            )
        )


def _sha256(file: BufferedReader) -> str:
    digest = hashlib.sha256()
    while block := file.read(_CHUNK):
        digest.update(block)
    file.seek(0)
    return digest.hexdigest()


def _read(assessment_id: int, name: str, file: BufferedReader) -> tuple[str, dict[str, Any]]:
    """The sentence of what is wrong, or what the bundle as a whole tells."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PLUMBLINE_")}
    env["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).resolve().parents[2]), *filter(None, [env.get("PYTHONPATH", "")])])
    child = subprocess.Popen(
        [sys.executable, "-m", "plumbline.bundles.child", name], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    )
    assert child.stdout is not None
    limit = threading.Timer(MOST_SECONDS, child.kill)
    limit.start()
    ended: tuple[str, dict[str, Any]] | None = None
    try:
        while line := child.stdout.readline(_LONGEST_LINE):
            told = json.loads(line)
            if "host" in told:
                _store(assessment_id, told["host"], base64.b64decode(told["kept"]), base64.b64decode(told["sections"]))
            elif "read" in told:
                _note(assessment_id, told["read"])
            else:
                ended = (told["error"], {}) if "error" in told else ("", told["about"])
    finally:
        limit.cancel()
        child.kill()
        child.wait()
        child.stdout.close()
    return ended or (_FAULT, {})


def _store(assessment_id: int, host: dict[str, Any], kept: bytes, sections: bytes) -> None:
    with session_scope() as session:
        if session.get(Assessment, assessment_id) is None:
            # Deleted meanwhile.
            return
        row = AssessmentHost(
            assessment_id=assessment_id,
            **{key: host[key] for key in ("name", "platform", "kind_label", "os", "captured_at", "score")},
            failing=len(host["failing"]),
            unknown=len(host["unknown"]),
            passing=len(host["passing"]),
            answered=host["rules"]["answered"],
            applicable=host["rules"]["applicable"],
            told=_storable(host),
            kept=kept,
        )
        session.add(row)
        session.flush()
        if sections:
            session.add(AssessmentHostSections(assessed_id=row.id or 0, content=sections))


def _storable(value: Any) -> Any:
    """Without NUL, which PostgreSQL cannot store."""
    if isinstance(value, str):
        return value.replace("\x00", "")
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return {key: _storable(item) for key, item in value.items()} if isinstance(value, dict) else value


def _note(assessment_id: int, read_bytes: int) -> None:
    with session_scope() as session:
        session.execute(update(Assessment).where(ASSESSMENT.id == assessment_id).values(read_bytes=read_bytes, changed_at=func.now()))
