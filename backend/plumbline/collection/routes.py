"""Routes of off-host collection."""

from typing import Annotated

from fastapi import APIRouter, Path, status

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.auth.idempotency import IdempotentRoute
from plumbline.collection import actions, credentials, import_keys, queries, vcenter_actions, vcenter_queries
from plumbline.collection.schemas import (
    CollectedHost,
    CollectedHostCreate,
    CollectedHostUpdate,
    CredentialCreate,
    CredentialReplace,
    CredentialRow,
    CredentialStop,
    CredentialTest,
    FingerprintConfirm,
    HostCollection,
    ImportedKeys,
    KeysImport,
    Trial,
)
from plumbline.collection.vcenter_schemas import HostLink, VCenterCreate, VCenterHostRow, VCenterRow, VCenterUpdate
from plumbline.infra.schemas import Done, HostId, RowId

router = APIRouter(route_class=IdempotentRoute)

Reader = Annotated[Actor, May("collection.read")]
Collector = Annotated[Actor, May("collection.manage")]
Moid = Annotated[str, Path(max_length=80, pattern=r"^[A-Za-z0-9_.-]+$")]
Keeper = Annotated[Actor, May("credential.manage")]


@router.get("/collection/credentials")
def list_credentials(session: SessionDep, actor: Keeper) -> list[CredentialRow]:
    """Credentials for reading hosts, without the secrets."""
    return queries.list_credentials(session, actor=actor)


@router.post("/collection/credentials", status_code=status.HTTP_201_CREATED)
def add_credential(body: CredentialCreate, session: SessionDep, actor: Keeper) -> CredentialRow:
    """Seals a new credential; it is never shown again."""
    return credentials.add_credential(session, actor=actor, request=body)


@router.patch("/collection/credentials/{credential_id}")
def replace_credential(credential_id: RowId, body: CredentialReplace, session: SessionDep, actor: Keeper) -> CredentialRow:
    """New values in the place of the old; a stopped credential is used again."""
    return credentials.replace_credential(session, actor=actor, credential_id=credential_id, request=body)


@router.post("/collection/credentials/{credential_id}/stop")
def stop_credential(credential_id: RowId, body: CredentialStop, session: SessionDep, actor: Keeper) -> CredentialRow:
    """The credential is not used until it is replaced."""
    return credentials.stop_credential(session, actor=actor, credential_id=credential_id, reason=body.reason)


@router.post("/collection/credentials/{credential_id}/test", status_code=status.HTTP_202_ACCEPTED)
def try_credential(credential_id: RowId, body: CredentialTest, session: SessionDep, actor: Keeper) -> Trial:
    """Signs in to one host once; the outcome is at `/collection/tests/{id}`."""
    return credentials.check_credential(session, actor=actor, credential_id=credential_id, host_id=body.host_id)


@router.get("/collection/tests/{trial_id}")
def read_credential_trial(trial_id: RowId, session: SessionDep, actor: Keeper) -> Trial:
    """State and outcome of a test of a credential."""
    return queries.read_trial(session, actor=actor, trial_id=trial_id)


@router.get("/collection/hosts")
def list_collected_hosts(session: SessionDep, actor: Reader) -> list[CollectedHost]:
    """Hosts that Plumbline reads."""
    return queries.list_hosts(session, actor=actor)


@router.post("/collection/hosts", status_code=status.HTTP_201_CREATED)
def add_collected_host(body: CollectedHostCreate, session: SessionDep, actor: Collector) -> CollectedHost:
    """Makes Plumbline the source of a host; a new one waits for approval."""
    return actions.add_host(session, actor=actor, request=body)


@router.patch("/collection/hosts/{host_id}")
def change_collected_host(host_id: HostId, body: CollectedHostUpdate, session: SessionDep, actor: Collector) -> CollectedHost:
    """Another address, port or credential."""
    return actions.change_host(session, actor=actor, host_id=host_id, request=body)


@router.delete("/collection/hosts/{host_id}", status_code=status.HTTP_204_NO_CONTENT)
def remove_collected_host(host_id: HostId, session: SessionDep, actor: Collector) -> None:
    """Plumbline no longer reads the host; its history stays."""
    actions.remove_host(session, actor=actor, host_id=host_id)


@router.post("/collection/hosts/{host_id}/look", status_code=status.HTTP_202_ACCEPTED)
def look_at_host(host_id: HostId, session: SessionDep, actor: Collector) -> Done:
    """Fetches the host's key or certificate; no credential is sent."""
    return Done(words=actions.fetch_host_key(session, actor=actor, host_id=host_id))


@router.post("/collection/hosts/{host_id}/confirm")
def confirm_host_key(host_id: HostId, body: FingerprintConfirm, session: SessionDep, actor: Collector) -> CollectedHost:
    """Pins the fingerprint that a person compared with the host's own console."""
    return actions.confirm_host_key(session, actor=actor, host_id=host_id, fingerprint=body.fingerprint)


@router.post("/collection/keys")
def import_host_keys(body: KeysImport, session: SessionDep, actor: Collector) -> ImportedKeys:
    """Shows what each line of a known_hosts or CSV file means for the hosts here; with `is_applied`, pins their keys."""
    return import_keys.import_keys(session, actor=actor, request=body)


@router.get("/hosts/{host_id}/collection")
def read_host_collection(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.read")]) -> HostCollection:
    """How the host is read, and the outcome of the last attempt."""
    return queries.read_host_collection(session, actor=actor, host_id=host_id)


@router.post("/hosts/{host_id}/check-now", status_code=status.HTTP_202_ACCEPTED)
def check_host_now(host_id: HostId, session: SessionDep, actor: Annotated[Actor, May("host.check_now")]) -> Done:
    """Requests a new check-in of the host."""
    return Done(words=actions.check_now(session, actor=actor, host_id=host_id))


@router.get("/collection/vcenters")
def list_vcenters(session: SessionDep, actor: Reader) -> list[VCenterRow]:
    """vCenters from which Plumbline reads facts of ESXi hosts."""
    return vcenter_queries.list_vcenters(session, actor=actor)


@router.post("/collection/vcenters", status_code=status.HTTP_201_CREATED)
def add_vcenter(body: VCenterCreate, session: SessionDep, actor: Collector) -> VCenterRow:
    """Adds a vCenter to read; no credential is sent before a person has confirmed its certificate."""
    return vcenter_actions.add_vcenter(session, actor=actor, request=body)


@router.patch("/collection/vcenters/{vcenter_id}")
def change_vcenter(vcenter_id: RowId, body: VCenterUpdate, session: SessionDep, actor: Collector) -> VCenterRow:
    """Another name, address, port or credential."""
    return vcenter_actions.change_vcenter(session, actor=actor, vcenter_id=vcenter_id, request=body)


@router.delete("/collection/vcenters/{vcenter_id}", status_code=status.HTTP_204_NO_CONTENT)
def remove_vcenter(vcenter_id: RowId, session: SessionDep, actor: Collector) -> None:
    """Removes a vCenter with its list of hosts and the clusters that came from it."""
    vcenter_actions.remove_vcenter(session, actor=actor, vcenter_id=vcenter_id)


@router.post("/collection/vcenters/{vcenter_id}/look", status_code=status.HTTP_202_ACCEPTED)
def look_at_vcenter(vcenter_id: RowId, session: SessionDep, actor: Collector) -> Done:
    """Fetches the vCenter's certificate; no credential is sent."""
    return Done(words=vcenter_actions.fetch_vcenter_certificate(session, actor=actor, vcenter_id=vcenter_id))


@router.post("/collection/vcenters/{vcenter_id}/confirm")
def confirm_vcenter(vcenter_id: RowId, body: FingerprintConfirm, session: SessionDep, actor: Collector) -> VCenterRow:
    """Pins the certificate that a person compared."""
    return vcenter_actions.confirm_vcenter(session, actor=actor, vcenter_id=vcenter_id, fingerprint=body.fingerprint)


@router.post("/collection/vcenters/{vcenter_id}/read", status_code=status.HTTP_202_ACCEPTED)
def read_vcenter_now(vcenter_id: RowId, session: SessionDep, actor: Collector) -> Done:
    """Reads the vCenter at once."""
    return Done(words=vcenter_actions.read_now(session, actor=actor, vcenter_id=vcenter_id))


@router.get("/collection/vcenters/{vcenter_id}/hosts")
def list_vcenter_hosts(vcenter_id: RowId, session: SessionDep, actor: Reader) -> list[VCenterHostRow]:
    """The vCenter's hosts, and the hosts in Plumbline that they are linked with."""
    return vcenter_queries.list_vcenter_hosts(session, actor=actor, vcenter_id=vcenter_id)


@router.put("/collection/vcenters/{vcenter_id}/hosts/{moid}/link")
def link_vcenter_host(vcenter_id: RowId, moid: Moid, body: HostLink, session: SessionDep, actor: Collector) -> VCenterHostRow:
    """Links it with a host in Plumbline, or marks it as none of them."""
    return vcenter_actions.link_host(session, actor=actor, vcenter_id=vcenter_id, moid=moid, host_id=body.host_id)
