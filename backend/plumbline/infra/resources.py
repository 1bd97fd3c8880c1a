"""Folders of the files that come with the program: next to `backend/` in a checkout, under `_data/` in an installed wheel."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parent.parent


def _folder(checkout: Path, name: str) -> Path:
    installed = PACKAGE / "_data" / name
    return installed if installed.is_dir() else checkout


RULESETS = _folder(CHECKOUT / "backend" / "rulesets", "rulesets")
AGENTS = _folder(CHECKOUT / "agents", "agents")
MIGRATIONS = _folder(CHECKOUT / "migrations", "migrations")
WEB = _folder(CHECKOUT / "frontend" / "dist", "web")
SCHEMA = AGENTS / "schema"
