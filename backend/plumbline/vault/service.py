"""Storing secrets in the vault and, in the executor, opening them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from sqlmodel import Session, text

from plumbline import audit
from plumbline.infra.errors import Conflict, NotFound, Unavailable
from plumbline.infra.settings import get_settings
from plumbline.models.vault import VaultSecret
from plumbline.vault import seal


class VaultClosed(Unavailable):
    """This process has no vault key."""

    code = "vault_closed"


class SecretUnusable(Conflict):
    """The secret was stopped, or its seal does not match."""

    code = "secret_unusable"


def _folder() -> Path:
    return get_settings().keys


def is_open(folder: Path | None = None) -> bool:
    """This process can open secrets."""
    keys = folder or _folder()
    newest = seal.newest_public(keys)
    return newest is not None and seal.private_key(keys, newest[0]) is not None


@dataclass(frozen=True, slots=True)
class NewSecret:
    """A secret to be sealed. `values` are its parts, such as a password or a private key; it opens for its `purpose` only."""

    name: str
    purpose: str
    values: Mapping[str, str] = field(repr=False)
    account: str = ""
    kind: str = ""
    group_id: int = 1


def put_secret(session: Session, new: NewSecret, *, actor: str, is_audited: bool = True) -> int:
    """Seals a new secret and returns its id."""
    row = VaultSecret(
        name=new.name, purpose=new.purpose, account=new.account, kind=new.kind, group_id=new.group_id, key_id="", sealed=b"",
        created_by=actor,
    )  # fmt: skip
    session.add(row)
    session.flush()
    _seal(row, new.values)
    session.add(row)
    session.flush()
    if is_audited:
        _audit(session, actor, "secret.stored", row)
    assert row.id is not None
    return row.id


def replace_secret(session: Session, secret_id: int, *, actor: str, values: Mapping[str, str], account: str = "", kind: str = "") -> None:
    """Seals a new version; a stopped secret is used again."""
    row = _get(session, secret_id)
    before = _audited(row)
    row.version += 1
    row.account, row.kind = account or row.account, kind or row.kind
    row.stopped_at, row.stopped_reason = None, ""
    row.changed_at = _now(session)
    _seal(row, values)
    session.add(row)
    session.flush()
    _audit(session, actor, "secret.replaced", row, before=before)


def stop_secret(session: Session, secret_id: int, *, actor: str, reason: str) -> None:
    """Ends the use of the secret until it is replaced."""
    row = _get(session, secret_id)
    if row.stopped_at is not None:
        return
    row.stopped_at, row.stopped_reason = _now(session), reason
    session.add(row)
    session.flush()
    _audit(session, actor, "secret.stopped", row, reason=reason)


def reveal(session: Session, secret_id: int, *, purpose: str) -> dict[str, str]:
    """Opens a secret for the purpose that it was sealed for. Raises VaultClosed outside the executor, SecretUnusable, NotFound."""
    row = _get(session, secret_id)
    if row.stopped_at is not None:
        raise SecretUnusable(f"Credential {row.name!r} is disabled: {row.stopped_reason}")
    private = seal.private_key(_folder(), row.key_id)
    if private is None:
        raise VaultClosed("This process can't decrypt credentials; only executor workers can.")
    try:
        plain = seal.unseal(row.sealed, private=private, data=seal.associated_data(secret_id, row.version, purpose))
    except seal.SealBroken as error:
        raise SecretUnusable(f"the credential {row.name!r} was not encrypted for {purpose}, or was altered: store it again") from error
    return {str(key): str(value) for key, value in json.loads(plain).items()}


def _seal(row: VaultSecret, values: Mapping[str, str]) -> None:
    newest = seal.newest_public(_folder())
    if newest is None:
        raise VaultClosed("Vault public key missing. Start an executor worker once, then copy its vault-<n>.pub to the API's keys folder.")
    assert row.id is not None
    row.key_id, public = newest
    row.sealed = seal.seal(json.dumps(dict(values)).encode(), public=public, data=seal.associated_data(row.id, row.version, row.purpose))


def _get(session: Session, secret_id: int) -> VaultSecret:
    row = session.get(VaultSecret, secret_id)
    if row is None:
        raise NotFound("Credential not found.")
    return row


def _audit(
    session: Session, actor: str, action: str, row: VaultSecret, *, before: dict[str, object] | None = None, reason: str = ""
) -> None:
    audit.record(
        session,
        actor=actor,
        action=action,
        about=audit.Object("secret", str(row.id), row.group_id),
        before=before,
        after=_audited(row),
        reason=reason,
    )


def _audited(row: VaultSecret) -> dict[str, object]:
    return {"name": row.name, "purpose": row.purpose, "account": row.account, "kind": row.kind, "version": row.version}


def _now(session: Session) -> datetime:
    now: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
    return now
