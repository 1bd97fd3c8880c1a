"""Settings, from the environment only (`PLUMBLINE_…`), each with its unit in the name."""

import ipaddress
import os
import re
from collections.abc import MutableMapping
from functools import cache
from pathlib import Path
from typing import Annotated

import structlog
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

Days = Annotated[int, Field(ge=1)]
log = structlog.get_logger()


class Settings(BaseSettings):
    """One typed view of the environment. `plumbline up` sets all of it for its children; larger installs set it themselves."""

    model_config = SettingsConfigDict(env_prefix="PLUMBLINE_", extra="ignore")

    # Folder of state: keys, logs, and in the embedded shape the database and the broker.
    home: Path = Path("var")
    # SQLAlchemy URL of the role this process runs as: plumbline_api, plumbline_executor or plumbline_background. `migrate` uses the
    # owner's.
    database_url: SecretStr = SecretStr("")
    redis_url: str = ""
    # Folder with the key files of this kind of process: docs/security.md, "Keys".
    keys_folder: Path | None = None
    # Base address that people and agents use; printed in install commands and links.
    public_url: str = "http://127.0.0.1:8080"
    # Names and addresses besides that of PLUMBLINE_PUBLIC_URL under which browsers and programs reach the API, with commas between, without
    # ports. Requests for other names are refused (421), except check-ins of agents and /healthz.
    allowed_hosts: str = ""
    # With TLS: __Host- cookies and HSTS.
    is_tls: bool = False
    # Addresses or networks of the proxies in front of the API, with commas between. Only these proxies may name the
    # client's address in X-Forwarded-For; from other clients the header is ignored. Limits on sign-ins are counted by that address.
    trusted_proxies: str = ""
    # SHA-256 of the local CA's certificate, put into install commands; empty where a given certificate is used.
    ca_pin: str = ""
    # A lab fleet is running and its figures are labelled as such.
    is_demo: bool = False
    database_pool_size: int = 10
    check_in_interval_seconds: int = 900
    session_idle_minutes: int = 30
    session_absolute_hours: int = 12
    admission_per_second: float = 500.0
    admission_burst: int = 2000
    # Check-ins with a bad signature from one address, before further ones are refused without looking at them. An agent with a wrong secret
    # tries hourly, so many agents may be behind one address.
    bad_signatures_per_second: float = 50.0
    bad_signatures_burst: int = 500
    # The longest that a waiver or an attestation may hold, and how long before its end its owner is reminded.
    waiver_longest_days: int = 365
    waiver_reminder_days: int = 14
    # Extra pack folders of the site, read beside the packs that come with the program.
    site_rulesets: Path | None = None
    # The client secret of the identity provider, from a file of the site instead of from the form; read again at each sign-in.
    oidc_client_secret_file: Path | None = None
    # How long the groups that the provider named at a person's last sign-in count for their API tokens. A session ends long before.
    oidc_groups_hold_days: int = 30
    # Lets Plumbline call addresses of its own machine (a provider beside it), over http too. Never from a form.
    outbound_loopback: bool = False
    # Lets Plumbline connect to hosts at addresses of its own machine: the lab's are there. Never from a form.
    hosts_on_loopback: bool = False
    log_json: bool = False
    # How long things are kept, in days: rows of check-ins; changes of settings and findings; bodies and configurations that are not
    # current; counters as they came, and as day chunks, into which these are folded.
    retention_check_ins_days: Days = 90
    retention_changes_days: Days = 3 * 365
    retention_bodies_days: Days = 3 * 365
    retention_counters_in_full_days: Annotated[int, Field(ge=2)] = 2
    retention_counters_days: Days = 2 * 365

    @property
    def keys(self) -> Path:
        """The folder of key files."""
        return self.keys_folder or self.home / "keys"

    @field_validator("trusted_proxies")
    @classmethod
    def _check_proxies(cls, given: str) -> str:
        for each in _listed(given):
            ipaddress.ip_network(each, strict=True)
        return given

    @field_validator("allowed_hosts")
    @classmethod
    def _check_hosts(cls, given: str) -> str:
        for each in _listed(given):
            if not re.fullmatch(r"[A-Za-z0-9._-]{1,253}|\[?[0-9A-Fa-f:.]+\]?", each):
                raise ValueError(f"{each} is no name or address: list them with commas between, without https:// and without ports")
        return given

    @property
    def extra_hosts(self) -> list[str]:
        """The further names of this server, one by one."""
        return _listed(self.allowed_hosts)

    @property
    def proxies(self) -> list[str]:
        """The trusted proxies, one by one."""
        return _listed(self.trusted_proxies)


def _listed(given: str) -> list[str]:
    return [each.strip() for each in given.split(",") if each.strip()]


# Names that settings and database roles had before they were renamed. They are read for one release.
RETIRED_NAMES = {
    "PLUMBLINE_HANDS_PASSWORD": "PLUMBLINE_EXECUTOR_PASSWORD",
    "PLUMBLINE_DESK_PASSWORD": "PLUMBLINE_BACKGROUND_PASSWORD",
    "PLUMBLINE_PACE_LEASE": "PLUMBLINE_JOB_LEASE_SECONDS",
    "PLUMBLINE_PACE_POLL": "PLUMBLINE_JOB_POLL_SECONDS",
    "PLUMBLINE_PACE_BACK_OFF": "PLUMBLINE_JOB_BACK_OFF_SECONDS",
    "PLUMBLINE_PACE_UNKNOWN": "PLUMBLINE_JOB_UNKNOWN_SECONDS",
    "PLUMBLINE_PACE_SETTLE": "PLUMBLINE_JOB_SETTLE_SECONDS",
    "PLUMBLINE_PACE_RETRY": "PLUMBLINE_JOB_RETRY_SECONDS",
    "PLUMBLINE_PACE_VERIFY": "PLUMBLINE_JOB_VERIFY_SECONDS",
    "PLUMBLINE_PACE_VERIFY_AGAIN": "PLUMBLINE_JOB_VERIFY_AGAIN_SECONDS",
    "PLUMBLINE_PACE_SWEEP": "PLUMBLINE_JOB_RECONCILE_SECONDS",
    "PLUMBLINE_PACE_RING_AGAIN": "PLUMBLINE_JOB_ENQUEUE_AGAIN_SECONDS",
    "PLUMBLINE_PACE_UNDO_HOURS": "PLUMBLINE_JOB_UNDO_HOURS",
    "PLUMBLINE_PACE_REVIEW_HOURS": "PLUMBLINE_JOB_REVIEW_HOURS",
}
RETIRED_ROLES = {"plumbline_hands": "plumbline_executor", "plumbline_desk": "plumbline_background"}


def read_retired_settings(environment: MutableMapping[str, str]) -> None:
    """Copies settings given under a retired name to the present one, and corrects a retired role in the database URL, with a warning
    each."""
    for retired, name in RETIRED_NAMES.items():
        if retired in environment and name not in environment:
            log.warning("retired setting", given=retired, use=name)
            environment[name] = environment[retired]
    url = environment.get("PLUMBLINE_DATABASE_URL", "")
    for retired, role in RETIRED_ROLES.items():
        if f"//{retired}:" in url:
            log.warning("retired database role in PLUMBLINE_DATABASE_URL", given=retired, use=role)
            environment["PLUMBLINE_DATABASE_URL"] = url.replace(f"//{retired}:", f"//{role}:", 1)


@cache
def get_settings() -> Settings:
    """The settings of this process, read once."""
    read_retired_settings(os.environ)
    return Settings()
