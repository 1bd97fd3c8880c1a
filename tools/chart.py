"""Finds what checks the Helm chart, or gets it where Go is: `python tools/chart.py`. It is tests' only; nothing ships it.

Helm and kubeconform are built from their modules; the API's schemas are made of the OpenAPI document in Kubernetes' own module. All of it
is in `tools/.chart/`, about three and a half minutes the first time on two cores.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / ".chart"
SCHEMAS = FOLDER / "schemas"
PROGRAMS = {"helm": "helm.sh/helm/v4/cmd/helm@v4.3.1", "kubeconform": "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0"}
KUBERNETES = "k8s.io/kubernetes@v1.34.4"
# For each command; Helm takes some minutes on a slow machine. Without a network Go gives up long before.
LIMIT_SECONDS = 900


def find() -> dict[str, Path] | None:
    """Helm and kubeconform, and the schemas below `schemas`; None where one of them is not there."""
    found = {name: FOLDER / "bin" / name for name in PROGRAMS} | {"schemas": SCHEMAS}
    return found if all(each.exists() for each in found.values()) else None


def main() -> int:
    """Gets them where that is possible; says why where it is not, which fails nothing."""
    if find():
        return 0
    go = shutil.which("go")
    if go is None:
        print("Go is not on PATH: Helm is not built, and the tests of the chart are skipped.")
        return 0
    print("Building Helm and kubeconform for the tests of the chart ...", flush=True)
    try:
        for module in PROGRAMS.values():
            _run([go, "install", "-trimpath", "-ldflags", "-s -w", module], {"GOBIN": str(FOLDER / "bin"), "GOFLAGS": "-mod=mod"})
        document = Path(json.loads(_run([go, "mod", "download", "-json", KUBERNETES], {}))["Dir"]) / "api/openapi-spec/swagger.json"
        _write_schemas(json.loads(document.read_text("utf-8")))
    except (subprocess.SubprocessError, OSError, ValueError, KeyError) as error:
        told = getattr(error, "stderr", None) or str(error)
        print(f"They could not be built, and the tests of the chart are skipped: {told.strip()[-500:]}")
    return 0


def _run(command: list[str], more: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=FOLDER.parent, env=os.environ | more, capture_output=True, text=True, check=True, timeout=LIMIT_SECONDS
    )
    return done.stdout


def _write_schemas(document: dict[str, Any]) -> None:
    """One file for each kind, as kubeconform names them; a field that the API does not know is wrong."""
    draft = SCHEMAS.with_suffix(".part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    definitions = {name: _strict(each) for name, each in document["definitions"].items()}
    for name, schema in definitions.items():
        for kind in schema.get("x-kubernetes-group-version-kind", ()):
            group = kind["group"].split(".")[0]
            words = [kind["kind"], group, kind["version"]] if group else [kind["kind"], kind["version"]]
            file = draft / ("-".join(words).lower() + ".json")
            file.write_text(json.dumps({"$ref": f"definitions.json#/definitions/{name}"}))
    (draft / "definitions.json").write_text(json.dumps({"definitions": definitions}))
    draft.rename(SCHEMAS)


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    given = json.loads(json.dumps(schema).replace('"#/definitions/', '"definitions.json#/definitions/'))
    if "properties" in given and "additionalProperties" not in given:
        given["additionalProperties"] = False
    if given.get("format") == "int-or-string":
        return {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    return dict(given)


if __name__ == "__main__":
    sys.exit(main())
