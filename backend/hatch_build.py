"""Puts what stands outside `backend/` into the wheel: agents, schemas, lab, migrations, the built web interface, the bills of materials."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARTS = {"rulesets": "rulesets", "../agents": "agents", "../migrations": "migrations", "../frontend/dist": "web"}
# Beside the wheel's metadata, where PEP 770 has them.
BILLS = ("../sbom/python.cdx.json", "../sbom/web.cdx.json")


class DataHook(BuildHookInterface):
    """An editable install reads the repository's own folders (`plumbline/infra/resources.py`), so only a real wheel gets copies."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        for source, name in PARTS.items():
            path = (Path(self.root) / source).resolve()
            if not path.is_dir():
                raise FileNotFoundError(f"{path} is missing: run `make build` first, which builds the web interface")
            build_data["force_include"][str(path)] = f"plumbline/_data/{name}"
        for bill in BILLS:
            if not (Path(self.root) / bill).is_file():
                raise FileNotFoundError(f"{bill} is missing: run `make sbom` first, which writes it")
            build_data["sbom_files"].append(bill)
