"""Prints the bill of materials (CycloneDX) of the web interface's packages, without those that only developers need.

`npm sbom --omit dev` leaves out each package that a development package needs too, React among them; so npm lists all, marked.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

FRONTEND = Path(__file__).resolve().parents[1] / "frontend"
COMMAND = ["npm", "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--loglevel=error"]


def without_development(bill: dict[str, Any]) -> dict[str, Any]:
    """The bill with the components of a release and what these depend on."""
    kept = [each for each in bill["components"] if {"name": "cdx:npm:package:development", "value": "true"} not in each["properties"]]
    named = {each["bom-ref"] for each in kept} | {bill["metadata"]["component"]["bom-ref"]}
    dependencies = [
        {"ref": each["ref"], "dependsOn": [ref for ref in each["dependsOn"] if ref in named]}
        for each in bill["dependencies"]
        if each["ref"] in named
    ]
    return {**bill, "components": kept, "dependencies": dependencies}


if __name__ == "__main__":
    listed = subprocess.run(COMMAND, cwd=FRONTEND, check=True, capture_output=True, text=True).stdout
    print(json.dumps(without_development(json.loads(listed)), indent=1))
