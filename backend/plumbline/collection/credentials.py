"""What people do with credentials: add, replace, stop, check. Secrets are written and never read back.

Who points a credential at an address could collect it there: so naming a credential for a host or a vCenter, moving its address and
confirming its key all need the right on the credential's group too. A credential serves only hosts of its group and of the groups below.
"""

from collections.abc import Sequence

from sqlmodel import Session, text

from plumbline import audit, vault
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.channels.ssh import load_key
from plumbline.collection import queries
from plumbline.collection.endpoints import managed_endpoint
from plumbline.collection.schemas import CredentialCreate, CredentialReplace, CredentialRow, SecretValues, Trial
from plumbline.infra.errors import BadInput, Conflict, NotFound, PlumblineError
from plumbline.infra.task_queue import enqueue
from plumbline.models.collection import CredentialCheck
from plumbline.models.hosts import HostGroup
from plumbline.models.vault import VaultSecret

# The secret parts of each kind of credential.
_PARTS = {
    "ssh_key": ("private_key",),
    "ssh_password": ("password",),
    "certificate": ("certificate", "private_key"),
    # The ticket is in the worker's own cache, kept fresh by a keytab: there is nothing to seal.
    "kerberos": (),
    "ntlm": ("password",),
    "vcenter": ("password",),
}
# The channel over which each kind signs in.
_CHANNEL_OF_KIND = {
    "ssh_key": "ssh",
    "ssh_password": "ssh",
    "certificate": "winrm",
    "kerberos": "winrm",
    "ntlm": "winrm",
    "vcenter": "vcenter",
}
_PART_NAMES = {"private_key": "the private key", "password": "the password", "certificate": "the certificate"}


def add_credential(session: Session, *, actor: Actor, request: CredentialCreate) -> CredentialRow:
    """Seals a new credential for hosts of a group. Raises `BadInput` where a part is missing or cannot be read."""
    group = session.get(HostGroup, request.group_id)
    require(actor, "credential.manage", group.path if group else "", missing="Group not found.")
    if request.kind != "certificate" and not request.account.strip():
        raise BadInput("Enter the account name.")
    if request.kind == "vcenter" and request.purpose != "collection":
        raise BadInput("vCenter credentials are read-only.")
    secret_id = vault.put_secret(
        session,
        vault.NewSecret(
            name=request.name,
            purpose=request.purpose,
            values=_secret_parts(request.kind, request),
            account=request.account.strip(),
            kind=request.kind,
            group_id=request.group_id,
        ),
        actor=actor.audit_name,
    )
    return queries.list_credentials(session, actor=actor, credential_id=secret_id)[0]


def replace_credential(session: Session, *, actor: Actor, credential_id: int, request: CredentialReplace) -> CredentialRow:
    """Seals new values in the place of the old; a stopped credential is used again from now on."""
    secret, _ = managed_credential(session, actor=actor, credential_id=credential_id)
    vault.replace_secret(
        session,
        credential_id,
        actor=actor.audit_name,
        values=_secret_parts(secret.kind, request),
        account=(request.account or "").strip(),
    )
    session.execute(
        text("UPDATE collection_endpoint SET failures = 0, next_at = clock_timestamp() WHERE credential_id = :id"), {"id": credential_id}
    )
    session.execute(text("UPDATE vcenter SET failures = 0, next_at = clock_timestamp() WHERE credential_id = :id"), {"id": credential_id})
    return queries.list_credentials(session, actor=actor, credential_id=credential_id)[0]


def stop_credential(session: Session, *, actor: Actor, credential_id: int, reason: str) -> CredentialRow:
    """The credential is not used until it is replaced."""
    managed_credential(session, actor=actor, credential_id=credential_id)
    vault.stop_secret(session, credential_id, actor=actor.audit_name, reason=reason)
    return queries.list_credentials(session, actor=actor, credential_id=credential_id)[0]


def check_credential(session: Session, *, actor: Actor, credential_id: int, host_id: str) -> Trial:
    """Has the executor sign in to a host once with the credential; nothing is run there. Counted like any login."""
    secret, owner = managed_credential(session, actor=actor, credential_id=credential_id)
    host, group, endpoint = managed_endpoint(session, actor=actor, host_id=host_id)
    require_fit(secret, owner, channel=endpoint.channel, group=group)
    if not endpoint.pins and not endpoint.ca_certificate:
        raise Conflict(f"Verify the host key of {host.name} first.")
    if secret.stopped_at is not None:
        raise Conflict(f"This credential is disabled: {secret.stopped_reason}. Replace it first.")
    check = CredentialCheck(credential_id=credential_id, host_id=host_id, asked_by=actor.audit_name)
    session.add(check)
    session.flush()
    session.refresh(check)
    assert check.id is not None
    audit.record(
        session,
        actor=actor.audit_name,
        action="secret.tested",
        about=audit.Object("secret", str(credential_id), secret.group_id),
        after={"host": host.name},
    )
    enqueue(session, "collection.check_credential", check.id, queue="collection")
    return queries.trial_of(check, host.name)


def managed_credential(
    session: Session, *, actor: Actor, credential_id: int, purposes: Sequence[str] = ("collection", "remediation")
) -> tuple[VaultSecret, HostGroup]:
    """A credential that this person may manage, and its group. Raises `NotFound` where there is none, or none for these purposes."""
    secret = session.get(VaultSecret, credential_id)
    if secret is None or secret.purpose not in purposes:
        raise NotFound("Credential not found.")
    owner = session.get_one(HostGroup, secret.group_id)
    require(actor, "credential.manage", owner.path, missing="Credential not found.")
    return secret, owner


def require_fit(secret: VaultSecret, owner: HostGroup, *, channel: str, group: HostGroup) -> None:
    """Raises `BadInput` unless the credential, which belongs to `owner`, can sign in over this channel to hosts of `group`."""
    if secret.purpose != "collection":
        raise BadInput(f"Credential {secret.name!r} is for remediation, not collection.")
    require_in_group(secret, owner, group=group)
    if _CHANNEL_OF_KIND.get(secret.kind, channel) != channel:
        raise BadInput(f"the credential {secret.name!r} can't sign in over {'SSH' if channel == 'ssh' else 'WinRM'}")


def require_in_group(secret: VaultSecret, owner: HostGroup, *, group: HostGroup) -> None:
    """Raises `BadInput` unless `group` is the credential's group or one below it."""
    if not group.path.startswith(owner.path):
        raise BadInput(f"the credential {secret.name!r} is for hosts of {owner.name} and below, not of {group.name}")


def _secret_parts(kind: str, request: SecretValues) -> dict[str, str]:
    """The parts that a credential of this kind consists of. Raises `BadInput` for one that is missing, too many or unreadable."""
    needed = _PARTS.get(kind, ())
    parts = {name: getattr(request, name) for name in _PART_NAMES if getattr(request, name)}
    for name in needed:
        if name not in parts:
            raise BadInput(f"{name}: {_PART_NAMES[name]} is missing")
    for name in parts:
        if name not in needed:
            raise BadInput(f"{name}: a credential of this kind has none")
    if kind == "ssh_key":
        try:
            load_key(parts["private_key"])
        except PlumblineError as error:
            raise BadInput(f"private_key: {error.message}") from None
        except ValueError:
            raise BadInput("private_key: it is not a private key in PEM or OpenSSH form") from None
    if kind == "certificate" and "-----BEGIN" not in parts["certificate"]:
        raise BadInput("certificate: give it as PEM text")
    return parts
