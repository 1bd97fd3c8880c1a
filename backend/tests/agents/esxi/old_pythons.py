"""The Pythons of ESXi hosts: which of them are on this machine. ESXi 5.5 brings 2.6, 6.0 brings 2.7 before 2.7.9, 6.5 to 7.0 bring 3.5."""

import os
import subprocess
from functools import cache
from pathlib import Path

VERSIONS = ("2.6", "2.7", "3.5")
# Further interpreters, such as ones that were built for the tests: paths with `:` between them.
VARIABLE = "PLUMBLINE_OLD_PYTHONS"


@cache
def old_python(version: str) -> list[str] | None:
    """The command line of a real CPython of that version, None where none is here: named in the variable, on PATH, or among pyenv's."""
    candidates = [Path(path) for path in os.environ.get(VARIABLE, "").split(":") if path]
    candidates += [Path(folder) / f"python{version}" for folder in os.environ.get("PATH", "").split(":") if folder]
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates += sorted(root.glob(f"versions/{version}.*/bin/python{version}"))
    for path in candidates:
        if os.access(path, os.X_OK) and is_version([str(path)], version):
            return [str(path)]
    return None


def is_version(command: list[str], version: str) -> bool:
    """Whether a command line starts a Python of that version."""
    code = "import sys; sys.stdout.write('%d.%d' % tuple(sys.version_info)[:2])"
    try:
        done = subprocess.run([*command, "-c", code], capture_output=True, timeout=60, check=False)
    except OSError:
        return False
    return done.stdout.decode() == version


def missing(version: str) -> str:
    """Why a test of an old Python is skipped."""
    return f"no CPython {version} here, so the runner is not tried under it either: name one in {VARIABLE}, or put python{version} on PATH"
