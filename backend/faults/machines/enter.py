"""Starts the run in namespaces of its own (network, mounts, processes, shared memory), so that nothing of it is left when it ends."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

INSIDE = "PLUMBLINE_FAULTS_INSIDE"
# `unshare` starts it as the first process of its namespace; the shell stays that first process, since only it takes care of orphans.
_SCRIPT = """
mount -t tmpfs none /run/netns && mount -t tmpfs none /dev/shm || exit 70
"$@"
exit $?
"""


def run_inside(arguments: Sequence[str]) -> int:
    """Runs `python -m faults` with these arguments inside; the folder of the run is removed at the end. Returns its exit code."""
    home = Path(tempfile.mkdtemp(prefix="plumbline-machines-"))
    home.chmod(0o755)
    Path("/run/netns").mkdir(exist_ok=True)
    words = ["unshare", "--net", "--mount", "--pid", "--ipc", "--fork", "--kill-child=KILL", "--mount-proc"]
    command = [*words, "sh", "-c", _SCRIPT, "sh", sys.executable, "-m", "faults", *arguments]
    try:
        return subprocess.run(command, env={**os.environ, INSIDE: str(home)}, check=False).returncode
    finally:
        shutil.rmtree(home, ignore_errors=True)


def inside() -> Path | None:
    """The folder of this run; None: not inside."""
    named = os.environ.get(INSIDE, "")
    return Path(named) if named else None
