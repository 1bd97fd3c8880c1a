"""S2: hostile texts in every field that a person or a host fills in; every page in a real browser, every file that the product writes.

The texts come in by the door, as a host that lies would send them, and straight into the database, so that no check of a form keeps
one out.
"""

import contextlib
import csv
import io
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import ARRAY, Engine, String, create_engine, text
from sqlmodel import AutoString

from faults.rig import FaultResult, Rig
from faults.samples import samples, sections_of
from faults.sending import enrol, sender_of
from plumbline.infra.resources import CHECKOUT
from plumbline.models import METADATA
from plumbline.ops import embedded_servers

_START_SECONDS = 240.0
_PAST_DAYS = 10
# Those first that see what nobody else does: a viewer has the files, an admin the pages of Admin.
_ROLES = ("viewer", "admin", "operator", "approver")
# Each would run, be an element, be a formula of a spreadsheet, or be markup of the PDF's language, where it is not only shown.
HOSTILE = (
    '<img src=x onerror="window.ran=1" data-planted>',
    '"><svg onload=window.ran=2 data-planted>',
    "<script data-planted>window.ran=3</script>",
    '</textarea></title><iframe srcdoc="<script>parent.ran=4</script>" data-planted>',
    "javascript:window.ran=5//data-planted",
    '=HYPERLINK("http://evil.example/","data-planted")',
    "+cmd|' /C data-planted'!A0",
    "-2+3+cmd|' /C data-planted'!A0",
    "@SUM(1+1)*cmd|' /C data-planted'!A0",
    "\t=1+1 data-planted",
    '#panic("data-planted") #read("/etc/passwd") $x$ *b* <label> @ref',
    "${7*7}{{7*7}}<%= 7*7 %> data-planted \u202e\u2066",
    "data-planted" + "\u6f22" * 300,
)
# Columns that people or hosts fill with words of their own, in whatever table.
_FREE = {
    "account", "address", "agent_version", "bundle", "cancel_reason", "cause_detail", "cluster", "comment", "computer", "decided_reason",
    "decision_reason", "display_name", "end_reason", "end_words", "error", "evidence", "evidence_link", "expected", "fabric", "first",
    "hold_reason", "kind_label", "label", "last_error", "last_words", "look_error", "matched_words", "name", "note", "observed",
    "off_words", "os", "os_name", "os_release", "parameter_name", "port", "product", "reason", "resolution", "review_words",
    "started_text", "state_words", "statement", "stopped_reason", "switch", "ticket", "ticket_number", "ticket_url", "title", "view_name",
    "withdrawn_reason", "words",
}  # fmt: skip
# Names that the program itself looks things up by.
_NOT_FREE = {
    "check_in", "compression_dictionary", "counter_series", "fleet_event", "oidc_provider", "pack_version", "rule_number",
    "worker_heartbeat",
}  # fmt: skip
# What a spreadsheet takes for a formula.
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"-?\d[\d.,]*( ?%)?")


def hostile_pages(_rig: Rig, count: int, seed: int) -> FaultResult:
    """S2: the pages as people of the first `count` roles see them, on a wide and a narrow screen, and the files that they can have."""
    result = FaultResult(seed)
    with tempfile.TemporaryDirectory(prefix="plumbline-s2-") as name:
        Path(name).chmod(0o755)
        home = Path(name) / "var"
        with _lab(home) as url:
            logins = sorted(json.loads((home / "demo-logins.json").read_text()), key=lambda login: _ROLES.index(login["role"]))
            hosts = _lying_hosts(url, logins, result, random.Random(seed))
            owner = create_engine(embedded_servers.postgres_cluster(home).url(embedded_servers.OWNER, "plumbline"))
            result.faults["text replaced in the database"] = _poison(owner)
            owner.dispose()
            shown = 0
            for login in logins[:count]:
                with httpx.Client(base_url=url, timeout=120, trust_env=False, headers={"X-Plumbline": "1"}) as client:
                    _sign_in(client, login)
                    shown += _open_pages(client, login["role"], hosts, result)
                    _read_files(client, result)
            result.notes.append(f"{shown} pages showed hostile texts as text")
            result.wrong += ["hardly a page showed a hostile text"] * (shown < 40 * count)
    return result


@contextlib.contextmanager
def _lab(home: Path) -> Iterator[str]:
    """A whole `plumbline up` with the lab and its past; answers its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")}
    command = [sys.executable, "-m", "plumbline.cli", "up", "--home", str(home), "--port", str(port), "--past-days", str(_PAST_DAYS)]
    log = home.with_suffix(".out")
    with log.open("w") as out:
        process = subprocess.Popen(command, env=kept, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
    try:
        until = time.monotonic() + _START_SECONDS
        while "Press Ctrl" not in log.read_text():
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"plumbline up: {log.read_text()[-2000:]}")
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def _sign_in(client: httpx.Client, login: dict[str, str]) -> None:
    client.post("/api/v1/session", json={"login": login["login"], "password": login["password"]}).raise_for_status()


def _lying_hosts(url: str, logins: list[dict[str, str]], result: FaultResult, dice: random.Random) -> list[str]:
    """Hosts of both platforms that send good configurations, then ones with hostile texts: in a third of all strings, then in all."""
    admin = next(login for login in logins if login["role"] == "admin")
    found = []
    with httpx.Client(base_url=url, timeout=60, trust_env=False, headers={"X-Plumbline": "1"}) as client:
        _sign_in(client, admin)
        for number, platform in enumerate(("windows", "esxi", "windows", "esxi")):
            terms = {"name": "S2", "group_id": 1, "platform": platform, "is_auto_approved": True}
            token = client.post("/api/v1/enrolment/tokens", json=terms).raise_for_status().json()["token"]
            sender = sender_of(enrol(client, token, f"lies-{number}", platform), platform)
            sender.sections = sections_of(samples(platform)[number // 2])
            answers = [sender.send(client)]
            for share in (0.3, 1.0):
                sender.sections = {name: _altered(body, share, dice) for name, body in sender.sections.items()}
                sender.failed = {"hotfixes": dice.choice(HOSTILE)} if platform == "windows" else {}
                answers.append(sender.send(client))
            result.faults["hostile check-in"] += 2
            result.wrong += [
                f"check-in of {platform}: {answer.status_code} {answer.text[:200]}" for answer in answers if answer.status_code != 200
            ]
            found.append(sender.host_id)
    return found


def _altered(body: bytes, share: float, dice: random.Random) -> bytes:
    """A section whose strings are hostile, all or some; what is no JSON as it is."""

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: walk(each) for key, each in value.items()}
        if isinstance(value, list):
            return [walk(each) for each in value]
        return f"{value} {dice.choice(HOSTILE)}" if isinstance(value, str) and value and dice.random() < share else value

    try:
        return json.dumps(walk(json.loads(body)), ensure_ascii=False, separators=(",", ":")).encode()
    except ValueError:
        return body


def _poison(owner: Engine) -> int:
    """Puts a hostile text before what each free column has; answers how many. Triggers would refuse some.

    The same words get the same text everywhere, so that what is looked up by them is still found.
    """
    texts = {"texts": list(HOSTILE)}
    replaced = 0
    for table in METADATA.sorted_tables:
        changes = []
        for column in table.columns if table.name not in _NOT_FREE else ():
            if column.name in _FREE and isinstance(column.type, String | AutoString):
                # A column that is empty says that there is nothing.
                changes.append(f"SET {column.name} = {_hostile(column.name)} WHERE {column.name} <> ''")
            elif column.name == "tags" and isinstance(column.type, ARRAY):
                changes.append(f"SET tags = ARRAY(SELECT {_hostile('tag')} FROM unnest(tags) AS tag)")
        # One table at a time, locked first: the product goes on meanwhile.
        with owner.begin() as connection:
            connection.execute(text(f"LOCK TABLE {table.name} IN ACCESS EXCLUSIVE MODE"))
            connection.execute(text(f"ALTER TABLE {table.name} DISABLE TRIGGER USER"))
            replaced += sum(connection.execute(text(f"UPDATE {table.name} {change}"), texts).rowcount for change in changes)
            connection.execute(text(f"ALTER TABLE {table.name} ENABLE TRIGGER USER"))
    return replaced


def _hostile(value: str) -> str:
    texts = "CAST(:texts AS text[])"
    return f"({texts})[1 + (hashtext({value}) & 2147483647) % cardinality({texts})] || ' ' || {value}"


def _open_pages(client: httpx.Client, role: str, hosts: list[str], result: FaultResult) -> int:
    """Opens every page in Chromium; answers how many showed a hostile text."""
    lab = client.get("/api/v1/hosts", params={"limit": 2, "outcome": "fail"}).raise_for_status().json()["items"]
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    wanted = ",".join([*hosts, *(host["id"] for host in lab)])
    done = subprocess.run(
        ["node", "measure/hostile-pages.mjs", str(client.base_url).rstrip("/"), cookie, wanted],
        cwd=CHECKOUT / "e2e", capture_output=True, text=True, check=False,
    )  # fmt: skip
    pages = [json.loads(line) for line in done.stdout.splitlines()]
    result.faults[f"page opened as {role}"] += len(pages)
    for page in pages:
        result.wrong += [f"{page['device']} {page['path']} as {role}: {words}" for words in page["wrong"]]
    result.wrong += [f"the browser ended: {done.stderr[-500:]}"] * (done.returncode != 0)
    return sum(page["seen"] > 0 for page in pages)


def _read_files(client: httpx.Client, result: FaultResult) -> None:
    """Every table as CSV, and a report of each template in each form."""
    document = client.get("/api/openapi.json").raise_for_status().json()
    host = client.get("/api/v1/hosts", params={"limit": 1}).json()["items"][0]["id"]
    for path in document["paths"]:
        if path.startswith("/api/v1/exports/") and "{" not in path.replace("{host_id}", ""):
            answer = client.get(path.replace("{host_id}", host))
            if answer.status_code == 200:
                result.faults["table as CSV"] += 1
                result.wrong += [f"{path}: {cell}" for cell in _formulas(answer.text)]
            elif answer.status_code not in (403, 404, 422):
                result.wrong.append(f"{path}: {answer.status_code} {answer.text[:200]}")
    for template in ("executive", "technical", "audit", "exceptions", "remediation"):
        asked = client.post("/api/v1/reports", json={"template": template, "group_id": 1, "period": {}})
        if asked.status_code == 201:
            _read_report(client, asked.json()["id"], template, result)
        elif asked.status_code != 403:
            result.wrong.append(f"a {template} report: {asked.status_code} {asked.text[:200]}")


def _read_report(client: httpx.Client, report: int, template: str, result: FaultResult) -> None:
    until = time.monotonic() + 120
    while (found := client.get(f"/api/v1/reports/{report}").json())["state"] == "queued" and time.monotonic() < until:
        time.sleep(0.5)
    if found["state"] != "ready":
        result.wrong.append(f"the {template} report is {found['state']}: {found.get('error')}")
        return
    for form in ("pdf", "xlsx", "csv", "json"):
        answer = client.get(f"/api/v1/reports/{report}/files/{form}")
        result.faults[f"report as {form.upper()}"] += 1
        if answer.status_code != 200:
            result.wrong.append(f"the {template} report as {form}: {answer.status_code} {answer.text[:200]}")
        elif form == "xlsx":
            with zipfile.ZipFile(io.BytesIO(answer.content)) as book:
                sheets = [book.read(name).decode() for name in book.namelist() if name.startswith("xl/worksheets/")]
            result.wrong += [f"the {template} report has a formula: {each}" for sheet in sheets for each in re.findall(r"<f>[^<]*", sheet)]
        elif form == "csv":
            with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
                for name in archive.namelist():
                    if name.endswith(".csv"):
                        result.wrong += [
                            f"{name} of the {template} report: {cell}" for cell in _formulas(archive.read(name).decode("utf-8-sig"))
                        ]


def _formulas(table: str) -> Iterator[str]:
    """Cells that a spreadsheet would take for a formula; a number is none."""
    for row in csv.reader(io.StringIO(table.removeprefix("\ufeff"))):
        yield from (cell[:80] for cell in row if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell))
