"""Key files of a process: 32 random bytes as hex, created once, readable by their owner only."""

import secrets
from pathlib import Path

from plumbline.infra.durable_files import write_new


def write_once(path: Path) -> None:
    """Creates a key where there is none. Two processes that start together agree on one."""
    write_new(path, secrets.token_hex(32).encode())
