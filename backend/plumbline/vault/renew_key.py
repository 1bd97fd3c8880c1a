"""Renewing the vault's key while everything runs: make the next pair, seal every credential again under it, then remove the old file.

At no moment is a credential unreadable: both private keys are there until the last row is sealed under the new one, and each row changes in
one transaction from one to the other.
"""

from pathlib import Path

from sqlmodel import Session, col, select, text

from plumbline import audit
from plumbline.infra.errors import Conflict
from plumbline.models.vault import VaultSecret
from plumbline.vault import seal

_CHUNK = 100
_BY_KEY = "SELECT key_id, count(*) FROM vault_secret GROUP BY key_id ORDER BY CAST(key_id AS int)"


def make_next(session: Session, *, folder: Path) -> str:
    """Makes the next pair in a folder that has the present private key; returns its id. Raises `Conflict`."""
    newest = seal.newest_public(folder)
    if newest is None or seal.private_key(folder, newest[0]) is None:
        raise Conflict(f"{folder} does not hold the private key of the vault: run this with the executor's folder of keys")
    made = seal.make_keys(folder)
    audit.record(session, actor=audit.account(), action="vault_key.made", about=audit.Object("installation"), after={"key_id": made})
    return made


def reseal_chunk(session: Session, *, folder: Path) -> int:
    """Seals up to 100 credentials again under the newest key; how many. 0: none is left. Raises `Conflict`."""
    newest = seal.newest_public(folder)
    if newest is None:
        raise Conflict(f"{folder} has no key of the vault")
    key_id, public = newest
    if seal.private_key(folder, key_id) is None:
        raise Conflict(f"{folder} has vault-{key_id}.pub without its private key: nothing sealed under it could be opened here")
    rows = session.exec(
        select(VaultSecret).where(VaultSecret.key_id != key_id).order_by(col(VaultSecret.id)).limit(_CHUNK).with_for_update()
    ).all()
    for row in rows:
        private = seal.private_key(folder, row.key_id)
        if private is None:
            raise Conflict(f"the credential {row.name!r} is sealed under vault-{row.key_id}.key, which is not in {folder}: store it again")
        data = seal.associated_data(row.id or 0, row.version, row.purpose)
        try:
            plain = seal.unseal(row.sealed, private=private, data=data)
        except seal.SealBroken as error:
            raise Conflict(f"the credential {row.name!r} does not open: it was altered; store it again, or remove it") from error
        row.key_id, row.sealed = key_id, seal.seal(plain, public=public, data=data)
        session.add(row)
    if rows:
        after = {"key_id": key_id, "credentials": len(rows)}
        audit.record(session, actor=audit.account(), action="vault_key.resealed", about=audit.Object("installation"), after=after)
    session.flush()
    return len(rows)


def credentials_by_key(session: Session) -> list[tuple[str, int]]:
    """How many credentials are sealed under each key, the oldest key first."""
    return [(str(key), int(count)) for key, count in session.execute(text(_BY_KEY))]
