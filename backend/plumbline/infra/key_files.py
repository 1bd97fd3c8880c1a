"""Key files of a process: 32 random bytes as hex, created once, readable by their owner only."""

import os
import secrets
from pathlib import Path


def write_once(path: Path) -> None:
    """Creates a key where there is none. Two processes that start together agree on one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(32))
        file.flush()
        os.fsync(file.fileno())
    try:
        # A link, unlike a rename, refuses to replace a key that another process wrote meanwhile.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
