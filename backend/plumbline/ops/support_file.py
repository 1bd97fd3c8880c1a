"""One file for whoever helps with a problem: health, checks, settings, versions, recent log. Without any secret.

Only what is listed here goes in, never a folder as a whole. Values of settings that may hold a secret are left out. Every text passes
`redacted`, which removes the installation's own secrets by their value, and what looks like one by its form.
"""

import io
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import SecretStr
from sqlalchemy import text
from sqlmodel import Session

from plumbline.infra.clock import utc_now
from plumbline.infra.settings import Settings, get_settings
from plumbline.ops.doctor import CHECKS, PROMISES
from plumbline.ops.system_health import lines_of, read_system_health

REMOVED = "[removed]"
_LOG_BYTES = 512 * 1024
_LOGS = ("plumbline.log", "postgres.log")
# Shorter values would be removed out of ordinary text.
_FEWEST_CHARACTERS = 8
# What reads every stored body takes minutes on a large installation.
_SLOW_CHECKS = frozenset({"receipts", "audit"})

_FORMS = (
    # Keys and certificates in PEM, whole or cut.
    re.compile(r"-----BEGIN [A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|\Z)", re.DOTALL),
    re.compile(r"\bplb_[A-Za-z0-9_-]{20,}"),  # API tokens
    re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9+/=._~-]{8,}"),
    re.compile(r"(?<=://)[^\s/@:]*:[^\s/@]+(?=@)"),  # user and password in an address
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),  # JSON web tokens
    re.compile(r"\bhttps://[^\s\"']*(?:hooks|webhook|services/T)[^\s\"']*"),  # addresses that are a secret by themselves
)
_NAMED = re.compile(
    r"(?i)([\w.-]*(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|authorization|cookie|signature|set-cookie)[\w.-]*"
    r"[\"']?\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|[^\s,;}\]]+)"
)
_HEX = re.compile(r"\b[0-9a-f]{64,}\b", re.IGNORECASE)
_LONG = re.compile(r"\b[A-Za-z0-9+/_-]{43,}={0,2}")


def support_file(session: Session) -> tuple[str, bytes]:
    """The name and the content of the file."""
    now = utc_now()
    secrets = own_secrets()
    health = read_system_health(session)
    members = {
        "README.txt": "Plumbline support file. Health, checks, settings without secrets, versions, and the end of the logs.\n"
        f"It names hosts and people. Anything that is or looks like a secret was replaced by {REMOVED}.\n",
        "health.txt": "\n".join(lines_of(health)) + "\n",
        "agents.json": json.dumps(health.agents, indent=1),
        "checks.txt": "\n".join(_checks(session)) + "\n",
        "settings.json": json.dumps(shown_settings(get_settings()), indent=1, sort_keys=True),
        "versions.txt": "\n".join(_versions()) + "\n",
        "tables.txt": "\n".join(_tables(session)) + "\n",
        "jobs.json": json.dumps(_jobs(session), indent=1, default=str),
        **{f"log/{name}": content for name, content in _logs(get_settings().home / "log")},
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, redacted(content, secrets))
    return f"plumbline-support-{now:%Y%m%d-%H%M%S}.zip", out.getvalue()


def redacted(content: str, secrets: Iterable[str] = ()) -> str:
    """The text without these secrets and without what looks like one."""
    for secret in sorted(secrets, key=len, reverse=True):
        content = content.replace(secret, REMOVED)
    for form in _FORMS:
        content = form.sub(REMOVED, content)
    content = _NAMED.sub(lambda found: found[1] + REMOVED, content)
    # Digests are removed too: a key as hex looks the same.
    return _LONG.sub(_without_random, _HEX.sub(REMOVED, content))


def _without_random(found: re.Match[str]) -> str:
    """A long word that mixes upper case, lower case and digits looks like a key; a path of folders does not."""
    word = found[0]
    kinds = (any(map(str.isupper, word)), any(map(str.islower, word)), any(map(str.isdigit, word)))
    return REMOVED if all(kinds) else word


def own_secrets() -> set[str]:
    """The values of secrets that this process can read: passwords in its settings, and its key files in every usual form."""
    settings = get_settings()
    found: set[str] = set()
    for name in Settings.model_fields:
        value = getattr(settings, name)
        shown = value.get_secret_value() if isinstance(value, SecretStr) else str(value or "")
        if isinstance(value, SecretStr):
            found.add(shown)
        password = _password_of(shown)
        if password:
            found.add(password)
    folders = (settings.keys, settings.home / "secrets")
    files = [file for folder in folders if folder.is_dir() for file in folder.rglob("*") if file.is_file() and file.suffix != ".pub"]
    for extra in (settings.oidc_client_secret_file, settings.home / "demo-logins.json"):
        if extra is not None and Path(extra).is_file():
            files.append(Path(extra))
    for file in files:
        try:
            content = file.read_bytes()
        except OSError:
            continue
        found.add(content.hex())
        try:
            written = content.decode("utf-8").strip()
        except UnicodeDecodeError:
            continue
        found.add(written)
        if file.suffix == ".json":
            found |= set(_texts(written))
    return {secret for secret in found if len(secret) >= _FEWEST_CHARACTERS}


def _texts(written: str) -> Iterator[str]:
    """Passwords in a file of logins: the values of names that say so."""
    for found in re.finditer(r'"(?:password|secret|code|token)"\s*:\s*"([^"]+)"', written):
        yield found[1]


def _password_of(address: str) -> str:
    try:
        return urlsplit(address).password or ""
    except ValueError:
        return ""


def shown_settings(settings: Settings) -> dict[str, Any]:
    """Every setting; of one that may hold a secret only whether it is set, of an address no password."""
    shown: dict[str, Any] = {}
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            parts = urlsplit(value.get_secret_value()) if value.get_secret_value() else None
            shown[name] = "" if parts is None else f"{parts.scheme}://…@{parts.hostname or ''}{parts.path}"
        elif name == "redis_url":
            parts = urlsplit(str(value)) if value else None
            shown[name] = "" if parts is None else f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
        else:
            shown[name] = value if isinstance(value, bool | int | float) or value is None else str(value)
    return shown


def _checks(session: Session) -> Iterator[str]:
    for check in CHECKS:
        if check.name in _SLOW_CHECKS:
            yield f"NOT RUN  {check.name}: run `plumbline doctor`"
            continue
        try:
            with session.begin_nested():
                wrong = list(check.find(session))
        except Exception as error:  # a check that breaks is a finding of its own, and the file is needed most then
            yield f"BROKE    {check.name}: {type(error).__name__}"
            continue
        word = "OK" if not wrong else "BROKEN" if check.name in PROMISES else "LOOK"
        yield f"{word:<8} {check.name}: {check.promise}"
        yield from (f"           {line}" for line in wrong[:20])


def _versions() -> Iterator[str]:
    yield f"python {sys.version.split()[0]} on {sys.platform}"
    yield from sorted(f"{each.metadata['Name']} {each.version}" for each in metadata.distributions())


def _tables(session: Session) -> Iterator[str]:
    rows = session.execute(
        text(
            "SELECT relname, n_live_tup, pg_total_relation_size(relid) AS size FROM pg_stat_user_tables"
            " ORDER BY size DESC, relname LIMIT 80"
        )
    )
    for row in rows:
        yield f"{row.relname:<40} {row.n_live_tup:>12} rows {row.size // 1024:>10} KB"


def _jobs(session: Session) -> list[dict[str, Any]]:
    rows = session.execute(
        text("SELECT id, plan_id, kind, state, state_words, queue, deliveries, created_at, finished_at FROM job ORDER BY id DESC LIMIT 100")
    )
    return [dict(row._mapping) for row in rows]


def _logs(folder: Path) -> Iterator[tuple[str, str]]:
    """The end of each log that this process can read."""
    for name in _LOGS:
        file = folder / name
        try:
            with file.open("rb") as opened:
                opened.seek(max(0, file.stat().st_size - _LOG_BYTES))
                yield name, opened.read().decode("utf-8", "replace")
        except OSError as error:
            yield name, f"not readable: {error.strerror}\n"
