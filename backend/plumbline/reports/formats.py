"""The formats of a report, each from the frozen data alone."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from plumbline.infra.errors import PlumblineError
from plumbline.reports.cells import csv_bytes

# Rendering takes a second or two; after this time the child is ended and the report fails.
RENDER_SECONDS = 60

HOST_COLUMNS = (
    "name", "group", "system", "cluster", "families", "score", "capped_by", "rule_coverage", "pass", "fail", "unknown", "waived",
    "excluded", "not_applicable", "guard_rail", "worst", "freshness", "last_seen_at", "paths", "is_lab", "id",
    "worst_headline",
)  # fmt: skip


WAIVER_COLUMNS = (
    "rule", "rules", "scope", "state", "findings", "reason", "evidence", "ticket", "owner", "requested_by", "approver", "age_days",
    "approved_at", "expires_at", "ended_at", "end_words", "tripped_hosts",
)  # fmt: skip
ATTESTATION_COLUMNS = (
    "rule", "rules", "scope", "state", "is_so", "statement", "evidence", "author", "made_at", "expires_at", "ended_at", "end_words",
)  # fmt: skip


class RenderingFailed(PlumblineError):
    """The child that draws the PDF failed or took too long."""

    code = "rendering_failed"


def to_csv(data: dict[str, Any]) -> bytes:
    """The totals, then hosts, rules, waivers and attestations, in one file; the first column names the section."""
    lines: list[tuple[object, ...]] = []
    report, overview = data["report"], data["overview"]

    def row(*cells: object) -> None:
        lines.append(cells)

    row("section", "figure", "value")
    row("report", "title", report["title"])
    row("report", "scope", report["scope"]["name"])
    row("report", "as_of", report["as_of"])
    row("report", "definition", report["definition"])
    for name in ("mean", "median", "change", "rule_coverage", "hosts_fresh", "hosts_known", "hosts_scored"):
        row("score", name, overview["score"][name])
    for name, value in overview["headline"].items():
        row("headline", name, value)
    for name, value in overview["outcomes"].items():
        row("outcomes", name, value)
    for section in ("waivers_by_state", "attestations_by_state"):
        for name, value in data[section].items():
            row(section, name, value)
    row("time_to_fix", "median_hours", data["time_to_fix"]["median_hours"])
    row("time_to_fix", "fixed", data["time_to_fix"]["fixed"])
    row()
    row("section", *HOST_COLUMNS)
    for host in data["hosts"]:
        row("host", *(host[name] for name in HOST_COLUMNS))
    row()
    row("section", "pack", "rule", "title", "kind", "hosts", "subjects", "effect", "also_asked_by")
    for rule in data["failing_rules"]:
        also = " ".join(f"{other['pack']}/{other['rule']}" for other in rule["also"])
        row("rule", *(rule[name] for name in ("pack", "rule", "title", "kind", "hosts", "subjects", "effect")), also)
    for section, rows, columns in (("waiver", "exceptions", WAIVER_COLUMNS), ("attestation", "attestations", ATTESTATION_COLUMNS)):
        row()
        row("section", *columns)
        for item in data[rows]:
            row(section, *(item[name] for name in columns))
    return csv_bytes(lines)


def canonical(data: dict[str, Any]) -> bytes:
    """The bytes that the report's checksum covers."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def to_json(data: dict[str, Any]) -> bytes:
    """The frozen data, unchanged."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def to_pdf(data: dict[str, Any], *, seconds: float = RENDER_SECONDS) -> bytes:
    """The tagged PDF (PDF/UA-1), drawn in a child process with a time limit. Raises `RenderingFailed`."""
    # The child needs neither the database's address nor any key.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")}
    env["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).resolve().parents[2]), *filter(None, [env.get("PYTHONPATH", "")])])
    try:
        done = subprocess.run(
            [sys.executable, "-m", "plumbline.reports.draw"],
            input=canonical(data),
            capture_output=True,
            timeout=seconds,
            env=env,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise RenderingFailed(f"PDF creation timed out after {seconds:g} s") from error
    if done.returncode != 0 or not done.stdout.startswith(b"%PDF"):
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no reason given"]
        raise RenderingFailed(f"PDF creation failed: {last[0][:300]}")
    return done.stdout
