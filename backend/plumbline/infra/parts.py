"""What is wrong with this machine's part of the installation: processes of `plumbline up` that are down, and a disk that fills."""

import shutil
from pathlib import Path

from plumbline.infra.pid_files import is_alive

# A disk that is fuller than this is reported.
FULL_SHARE = 0.9


def parts_down(run: Path) -> list[str]:
    """Names of the parts of `plumbline up` that have started once and do not run now; none where nothing runs from this folder."""
    try:
        return sorted(file.stem for file in run.glob("*.pid") if not is_alive(file))
    except OSError:
        return []


def full_disk(home: Path) -> str:
    """A sentence about the disk of the home where it is nearly full; empty otherwise, or where it cannot be read."""
    try:
        usage = shutil.disk_usage(home)
    except OSError:
        return ""
    # What is kept for root counts as used: PostgreSQL cannot use it.
    share = 1 - usage.free / usage.total if usage.total else 0.0
    if share < FULL_SHARE:
        return ""
    return f"the disk of {home} is {100 * share:.0f}% full: {usage.free // 2**20} MB are left"
