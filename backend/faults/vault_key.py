"""S8: the key of the vault is renewed while credentials are read; then the old key opens nothing, and swapped rows neither."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlmodel import Session, col, select

from faults.rig import FaultResult, Rig
from plumbline import vault
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.vault import VaultSecret
from plumbline.vault import renew_key, seal
from plumbline.vault.service import SecretUnusable

_PURPOSE = "remediation"
_READERS = 4


def renewed(_rig: Rig, count: int, seed: int) -> FaultResult:
    """S8: `count` credentials are sealed again under a new key while four readers open them in random order; then the old private key is
    tried on each, and the sealed values of each two neighbours are swapped."""
    result = FaultResult(seed)
    folder = get_settings().keys
    with session_scope() as session:
        ids = [_store(session, number) for number in range(count)]
    old_key = seal.newest_public(folder)
    if old_key is None or (old := seal.private_key(folder, old_key[0])) is None:
        result.wrong.append(f"{folder} has no key of the vault")
        return result
    with _readers(ids, result, seed) as reads:
        with session_scope() as session:
            renew_key.make_next(session, folder=folder)
        resealed = 0
        while True:
            with session_scope() as session:
                done = renew_key.reseal_chunk(session, folder=folder)
            resealed += done
            if not done:
                break
    result.faults["credential sealed again"] = resealed
    result.faults["credential opened meanwhile"] = len(reads)
    result.wrong += [f"{each} credentials were sealed again" for each in (resealed,) if each < count]
    result.wrong += ["too few credentials were opened meanwhile for a load"] * (len(reads) < count // 2)
    _check_old_key(ids, old, result)
    _check_swapped(ids, result)
    return result


def _store(session: Session, number: int) -> int:
    new = vault.NewSecret(name=f"s8-{number}", purpose=_PURPOSE, values=_values(number))
    return vault.put_secret(session, new, actor="faults", is_audited=False)


def _values(number: int) -> dict[str, str]:
    return {"password": f"the password of {number}"}


@contextmanager
def _readers(ids: list[int], result: FaultResult, seed: int) -> Iterator[list[int]]:
    """Opens credentials until the block ends; yields those that were opened."""
    is_over = threading.Event()
    reads: list[int] = []

    def read(reader: int) -> None:
        chosen = random.Random(seed * 100 + reader)
        while not is_over.is_set():
            number = chosen.randrange(len(ids))
            try:
                with session_scope() as session:
                    found = vault.reveal(session, ids[number], purpose=_PURPOSE)
            except Exception as error:
                result.wrong.append(f"credential {number} could not be opened: {error}")
                continue
            result.wrong += [f"credential {number} opened to another value"] * (found != _values(number))
            reads.append(number)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(_READERS)]
    for thread in threads:
        thread.start()
    try:
        yield reads
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def _check_old_key(ids: list[int], old: bytes, result: FaultResult) -> None:
    opened = 0
    with session_scope() as session:
        for row in session.exec(select(VaultSecret).where(col(VaultSecret.id).in_(ids))):
            result.faults["the old key tried"] += 1
            try:
                seal.unseal(row.sealed, private=old, data=seal.associated_data(row.id or 0, row.version, row.purpose))
            except seal.SealBroken:
                continue
            opened += 1
    result.notes.append(f"the old key opened {opened} credentials")
    result.wrong += [f"the old key opened {opened} credentials"] * bool(opened)


def _check_swapped(ids: list[int], result: FaultResult) -> None:
    opened = 0
    with session_scope() as session:
        rows = {row.id: row for row in session.exec(select(VaultSecret).where(col(VaultSecret.id).in_(ids)))}
        for first, second in zip(ids[::2], ids[1::2], strict=False):
            rows[first].sealed, rows[second].sealed = rows[second].sealed, rows[first].sealed
        session.flush()
        for each in ids[: len(ids) // 2 * 2]:
            result.faults["credential in the place of another"] += 1
            try:
                vault.reveal(session, each, purpose=_PURPOSE)
            except SecretUnusable:
                continue
            opened += 1
        session.rollback()
    result.notes.append(f"{opened} credentials opened in the place of others")
    result.wrong += [f"{opened} credentials opened in the place of others"] * bool(opened)
