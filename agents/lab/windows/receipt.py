"""What an operation of a Windows lab host leaves on its disk."""

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab import uptime
from lab.windows.request import Request

Receipt = dict[str, Any]
# Fields that a receipt of runner 1.0.0 lacks.
ADDED_FIELDS: Receipt = {"restart_for": "step", "undo_restarts": 0, "reverting": False}


def is_armed(receipt: Receipt) -> bool:
    """Its dead-man may still fire."""
    return bool(receipt["deadman"]) and receipt["deadman"]["state"] == "armed" and receipt["state"] in ("started", "done")


def mark_of(receipt: Receipt) -> dict[str, Any]:
    """The operation of an effect, as the host's journal records it."""
    return {key: receipt[key] for key in ("op_id", "job_id", "gen", "attempt")} | {"reverting": bool(receipt.get("reverting"))}


def new_receipt(request: Request, step: list[dict[str, str]], now: Mapping[str, str | None]) -> Receipt:
    """The receipt of a step that begins, with the values before it."""
    base = {"op_id": request["op_id"], "job_id": request["job_id"], "step": step, "before": dict(now), "mine": [], "wrote": []}
    base |= ADDED_FIELDS | {"restart": request["restart"], "restart_state": None}
    return base | {"deadman": None, "state": "started", "after": None, "error": None}


def renew(receipt: Receipt) -> None:
    """The time of a receipt's dead-man counts from the last sign of life of the process that works on the receipt."""
    if is_armed(receipt):
        receipt["deadman"]["due_uptime_s"] = uptime.seconds() + receipt["deadman"].get("seconds", 0)


def read_file(file: Path) -> Any:
    """The document of a file; None where there is none."""
    try:
        return json.loads(file.read_text())
    except FileNotFoundError:
        return None


def write_file(file: Path, document: object) -> None:
    """Replaces a file in one step, so that no reader sees half of it."""
    waiting = file.with_name(f"{file.name}.{threading.get_ident()}.tmp")
    waiting.write_text(json.dumps(document))
    os.replace(waiting, file)
