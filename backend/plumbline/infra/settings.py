"""Settings, from the environment only (`PLUMBLINE_…`), each with its unit in the name."""

from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

Days = Annotated[int, Field(ge=1)]


class Settings(BaseSettings):
    """One typed view of the environment. `plumbline up` sets all of it for its children; larger installs set it themselves."""

    model_config = SettingsConfigDict(env_prefix="PLUMBLINE_", extra="ignore")

    # Folder of state: keys, logs, and in the embedded shape the database and the broker.
    home: Path = Path("var")
    # SQLAlchemy URL of the role this process runs as: plumbline_api, plumbline_hands or plumbline_desk. `migrate` uses the owner's.
    database_url: SecretStr = SecretStr("")
    redis_url: str = ""
    # Folder with the key files of this kind of process: docs/security.md, "Keys".
    keys_folder: Path | None = None
    # Base address that people and agents use; printed in install commands and links.
    public_url: str = "http://127.0.0.1:8080"
    # With TLS: __Host- cookies and HSTS.
    is_tls: bool = False
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
    # Whether the API asks the system for pages of 2 MiB (docs/adr/0023). `false` where memory is counted too closely for that.
    huge_pages: bool = True
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


@cache
def get_settings() -> Settings:
    """The settings of this process, read once."""
    return Settings()
