"""S4: requests made from the OpenAPI document, as nobody, in each role, and with a host's secret; and the search for planted secrets.

Schemathesis makes the requests. It is no part of the product and is installed apart:
`python3 -m venv /tmp/st && /tmp/st/bin/pip install schemathesis==4.32.5`, then `SCHEMATHESIS=/tmp/st/bin/schemathesis`.
"""

import contextlib
import os
import re
import secrets
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
from sqlmodel import text

from faults.people import granted, served_api
from faults.rig import FaultResult, Rig
from faults.sending import enrol
from plumbline import vault
from plumbline.auth import people
from plumbline.auth.actor import Role
from plumbline.auth.dependencies import cookie_name
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import session_scope

# What holds of any request. Left out are the checks that take a refusal for a reason of the fleet (409) for a wrong one.
_CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "allow_header_conformance", "unsupported_method", "use_after_free",
)  # fmt: skip
# Ends the session that asks, or the sign-in of the people that the run needs, or never ends by itself.
_LEFT_OUT = ("end_session", "end_own_session", "end_other_sessions", "change_person", "take_grant", "set_own_password")
_STREAMS = r"stream|live|follow"
# Takes a zip archive, which Schemathesis can't make.
_NOT_MADE = "/api/v1/pack-drafts/archive"
_ROLES: tuple[Role, ...] = ("viewer", "operator", "approver", "admin")
_CASES = re.compile(r"(\d[\d,]*) (?:generated|test cases?)")
# Of the words of Schemathesis, those that name what is wrong.
_FAILURE = re.compile(r"^_+ (.+?) _+$|^\s*- (.+)$", re.MULTILINE)
_MOST_NAMED = 20


@dataclass(frozen=True)
class _Who:
    name: str
    headers: dict[str, str]


def any_requests(_rig: Rig, count: int, seed: int) -> FaultResult:
    """S4: up to `count` fuzzed requests for each operation and identity, besides those that cover each parameter's limits. Nothing but the
    owner of a secret ever sees it."""
    result = FaultResult(seed)
    program = os.environ.get("SCHEMATHESIS", "")
    if not program:
        result.wrong.append("SCHEMATHESIS does not name the program: see faults/any_requests.py")
        return result
    planted = _plant()
    with (
        tempfile.TemporaryDirectory(prefix="plumbline-s4-") as name,
        served_api(log=Path(name) / "api.log") as url,
        _command_lines() as seen,
    ):
        for who in _identities(url):
            answers = Path(name) / f"{who.name}.yaml"
            words = _requested(program, url, who, answers, count, seed)
            result.faults[f"request as {who.name}"] = answers.read_text(errors="replace").count("\n- id: ") or _cases(words)
            for line in _failures(words)[:_MOST_NAMED]:
                result.wrong.append(f"{who.name}: {line}")
            _look_for(planted, answers.read_text(errors="replace"), f"an answer to {who.name}", result)
            answers.unlink()
        _look_for(planted, (Path(name) / "api.log").read_text(errors="replace"), "the log", result)
        _look_for(planted, "\n".join(seen), "a command line", result)
    with session_scope() as session:
        trail = "\n".join(str(row) for row in session.execute(text("SELECT * FROM audit_entry")))
    _look_for(planted, trail, "the audit trail", result)
    result.notes.append(
        f"without streams, {_NOT_MADE}, and what ends the sessions that ask; {len(planted)}"
        " planted secrets were looked for in all answers, the log, the audit trail and command lines"
    )
    result.wrong += [f"fewer than 1,000 requests as {who}" for who, number in result.faults.items() if number < 1000]
    return result


def _plant() -> dict[str, str]:
    """Secrets that no answer may hold, by what they are."""
    planted = {kind: f"planted-{secrets.token_hex(12)}" for kind in ("credential", "password", "key")}
    with session_scope() as session:
        for kind in ("credential", "key"):
            values = {"password" if kind == "credential" else "private_key": planted[kind]}
            vault.put_secret(
                session, vault.NewSecret(name=f"planted {kind}", purpose="collection", values=values, account="root"), actor="faults"
            )
        people.create_person(
            session, actor="system", login="planted", display_name="Planted", password=planted["password"], roles=[("viewer", 1)]
        )
    return planted


def _identities(url: str) -> Iterator[_Who]:
    yield _Who("stranger", {"X-Plumbline": "1"})
    with session_scope() as session:
        ids = {
            role: people.create_person(
                session, actor="system", login=f"s4-{role}", display_name=role, password=secrets.token_hex(16), roles=[(role, 1)]
            ).id
            for role in _ROLES
        }
    for role, person in ids.items():
        yield _Who(role, {"Cookie": f"{cookie_name()}={granted(person or 0, role)}", "X-Plumbline": "1"})
    with session_scope() as session:
        token = make_token(session, TokenTerms(name="S4", group_id=1, is_auto_approved=True, uses=1)).token
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
        host = enrol(client, token, "s4-host", "esxi").raise_for_status().json()
    yield _Who("host", {"Authorization": f"Bearer {host['secret']}", "X-Plumbline": "1"})


def _requested(program: str, url: str, who: _Who, answers: Path, count: int, seed: int) -> str:
    """What Schemathesis printed; its answers are in the file."""
    command = [
        program, "run", f"{url}/api/openapi.json", "--url", url, "--checks", ",".join(_CHECKS), "--seed", str(seed),
        "--max-examples", str(count),
        "--continue-on-failure", "--no-shrink", "--request-timeout", "30", "--suppress-health-check", "all", "--warnings", "off",
        "--output-sanitize", "false", "--report", "vcr", "--report-vcr-path", str(answers),
        "--exclude-operation-id-regex", _STREAMS, "--exclude-path", _NOT_MADE,
    ]  # fmt: skip
    for operation in _LEFT_OUT:
        command += ["--exclude-operation-id", operation]
    for name, value in who.headers.items():
        command += ["--header", f"{name}: {value}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=answers.parent, timeout=3600)
    return done.stdout + done.stderr


def _cases(words: str) -> int:
    found = _CASES.findall(words)
    return int(found[-1].replace(",", "")) if found else 0


def _failures(words: str) -> list[str]:
    """The operations and checks that failed, in the words of Schemathesis."""
    if "FAILURES" not in words and "ERRORS" not in words:
        return []
    begin = min(at for at in (words.find("FAILURES"), words.find("ERRORS")) if at >= 0)
    named = _FAILURE.findall(words[begin:].partition("SUMMARY")[0])
    return list(dict.fromkeys((first or second).strip() for first, second in named))


def _look_for(planted: dict[str, str], where: str, name: str, result: FaultResult) -> None:
    result.wrong += [f"{name} has the planted {kind}" for kind, value in planted.items() if value in where]


@contextlib.contextmanager
def _command_lines() -> Iterator[set[str]]:
    """The command lines of all processes of this machine, looked at each second until the block ends."""
    seen: set[str] = set()
    is_over = threading.Event()

    def look() -> None:
        while not is_over.is_set():
            seen.update(" ".join(each.info["cmdline"] or ()) for each in psutil.process_iter(["cmdline"]))
            time.sleep(1)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        is_over.set()
        thread.join()
