"""All keys of a larger installation in one go: a folder for each kind of process, to be copied to every machine of that kind.

Made by the processes themselves, the first of each kind makes its own, and the public halves have to be copied between them in an order
(docs/operating/larger-installation.md, "Keys").
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plumbline.audit import chain
from plumbline.auth import sign_in_key
from plumbline.hosts.agent_keys import key_ring
from plumbline.infra.errors import Conflict
from plumbline.infra.settings import get_settings
from plumbline.remediation import signing_keys
from plumbline.vault import seal

API, BACKGROUND, EXECUTOR = "api", "background", "executor"


def make_keys(folder: Path, *, once: bool = False) -> list[Path]:
    """Fills the folders `api`, `background` and `executor` below `folder`; answers what it filled.

    Raises `Conflict` where one of them holds a file: keys that are in use are never replaced. `once`: nothing is done where all of them do.
    """
    folders = {kind: folder / kind for kind in (API, BACKGROUND, EXECUTOR)}
    used = [each for each in folders.values() if each.is_dir() and any(each.iterdir())]
    if once and len(used) == len(folders):
        return []
    if used:
        raise Conflict(f"{used[0]} holds files already. Keys in use must stay: choose another folder.")
    for each in folders.values():
        each.mkdir(parents=True, mode=0o700, exist_ok=True)
    seal.make_keys(folders[EXECUTOR], seal.VAULT)
    seal.make_keys(folders[BACKGROUND], seal.NOTICES)
    chain.signing_key(folders[BACKGROUND])
    with _keys_in(folders[API]):
        _ = key_ring().newest
        _, approval = signing_keys.ensure_pair()
        sign_in_key.ensure_key()
    # Who seals gets the public halves of those who open; who checks a plan gets that of who signs it.
    for kind, name in ((EXECUTOR, seal.VAULT), (BACKGROUND, seal.NOTICES)):
        shutil.copy2(folders[kind] / f"{name}-1.pub", folders[API])
    for kind in (BACKGROUND, EXECUTOR):
        shutil.copy2(folders[API] / f"approval-{approval}.pub", folders[kind])
    return list(folders.values())


@contextmanager
def _keys_in(folder: Path) -> Iterator[None]:
    """The settings of an API that has its keys there."""
    before = os.environ.get("PLUMBLINE_KEYS_FOLDER")
    os.environ["PLUMBLINE_KEYS_FOLDER"] = str(folder)
    get_settings.cache_clear()
    try:
        yield
    finally:
        if before is None:
            del os.environ["PLUMBLINE_KEYS_FOLDER"]
        else:
            os.environ["PLUMBLINE_KEYS_FOLDER"] = before
        get_settings.cache_clear()
