"""API schemas of collection: credentials (written, never read), hosts that Plumbline reads, and keys that a person confirms."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from plumbline.hosts.schemas import Platform
from plumbline.infra.schemas import HostId, Input, Name, NamedHost, RowId, Schema, Words, plain

CredentialKind = Literal["ssh_key", "ssh_password", "certificate", "kerberos", "ntlm", "vcenter"]
Channel = Literal["ssh", "winrm"]
TrialState = Literal["waiting", "running", "accepted", "rejected", "not_tried"]

# A secret is text of any kind without NUL; a PEM with its chain fits into 32 KiB.
SecretText = Annotated[str, Field(max_length=32_768), AfterValidator(plain)]
Account = Annotated[str, Field(max_length=120), AfterValidator(plain)]
Address = Annotated[str, Field(min_length=1, max_length=253, pattern=r"^[A-Za-z0-9][A-Za-z0-9.:_-]*$")]
Port = Annotated[int, Field(ge=1, le=65535)]


class SecretValues(Input):
    """The parts of a credential. Which ones it needs depends on its kind; they are sealed at once and never returned."""

    private_key: SecretText = ""
    password: SecretText = ""
    certificate: SecretText = ""


class CredentialCreate(SecretValues):
    """A new credential for reading hosts of a group and of the groups below it, or for changing them: never the same for both."""

    name: Name
    purpose: Literal["collection", "remediation"] = "collection"
    group_id: RowId
    kind: CredentialKind
    account: Account = ""


class CredentialReplace(SecretValues):
    """New values of the same kind; the old ones are gone. A stopped credential is used again."""

    account: Account | None = None


class CredentialStop(Input):
    """Why the credential may no longer be used."""

    reason: Annotated[Words, Field(min_length=3)]


class CredentialTest(Input):
    """The host to sign in to; its key or certificate has to be confirmed."""

    host_id: HostId


class Trial(Schema):
    """One check of a credential that a person requested."""

    id: int
    credential_id: int
    host: NamedHost
    asked_at: datetime
    state: TrialState
    words: str
    finished_at: datetime | None


class CredentialRow(Schema):
    """What people may see of a credential: never the secret."""

    id: int
    name: str
    purpose: str
    kind: str
    account: str
    group_id: int
    group_name: str
    version: int
    created_by: str
    changed_at: datetime
    stopped_at: datetime | None
    stopped_reason: str
    hosts: int
    last_trial: Trial | None = None


class CollectedHostCreate(Input):
    """A host to be read by Plumbline: a new one by name, or one that ran an agent of its own by its id."""

    name: Name | None = None
    host_id: HostId | None = None
    platform: Platform
    group_id: RowId | None = None
    address: Address
    port: Port | None = None
    credential_id: RowId
    # PEM of the CA that a Windows host's certificate comes from, instead of a confirmed certificate.
    ca_certificate: SecretText = ""
    # The host keeps its own agent; Plumbline only starts it when a person requests a check-in.
    keeps_agent: bool = False


class CollectedHostUpdate(Input):
    """Changes where a host is read, or with what."""

    address: Address | None = None
    port: Port | None = None
    credential_id: RowId | None = None


class FingerprintConfirm(Input):
    """The fingerprint as a person read it: `SHA256:…` of an SSH key, or the SHA-256 of a certificate in hex."""

    fingerprint: Annotated[str, Field(min_length=40, max_length=120), AfterValidator(plain)]


ImportState = Literal["set", "replaced", "same", "differs", "no_host", "passed_over", "fault"]
# Some thousand lines of known_hosts. Windows ends lines its own way, and Excel begins a file with a mark of its encoding.
KeysText = Annotated[
    str, Field(min_length=1, max_length=900_000), AfterValidator(lambda text: plain(text.replace("\r\n", "\n").removeprefix("\ufeff")))
]


class KeysImport(Input):
    """Keys of hosts, from a file that was made on a trusted network: known_hosts, or CSV (`host,key` or `host,port,key`)."""

    text: KeysText
    form: Literal["known_hosts", "csv"]
    # False: only say what each line would do.
    is_applied: bool = False
    # True: a host that has another key takes the file's instead.
    replaces: bool = False


class ImportedLine(Schema):
    """What one line means for one host."""

    line: int
    names: str
    pin: str
    state: ImportState
    words: str
    host: NamedHost | None = None


class ImportedKeys(Schema):
    """What a file of keys means, line by line; `pinned` counts the hosts whose key was set, or would be."""

    is_applied: bool
    lines: list[ImportedLine]
    pinned: int
    faults: int


class HostCollection(Schema):
    """How the data of a host gets here, for the host's page."""

    source: Literal["agent", "collector", "bundle"]
    words: str
    is_running: bool = False
    channel: Channel | None = None
    address: str = ""
    port: int | None = None
    last_tried_at: datetime | None = None
    last_ok_at: datetime | None = None
    last_error: str = ""
    next_at: datetime | None = None


class CollectedHost(Schema):
    """A host that Plumbline reads, with the outcome of the last attempt."""

    host_id: str
    name: str
    state: str
    # "agent": the host has an agent of its own, which Plumbline starts when a person requests a check-in.
    source: Literal["agent", "collector", "bundle"]
    platform: Platform
    group_id: int
    group_name: str
    channel: Channel
    address: str
    port: int
    credential_id: int
    credential_name: str
    account: str
    # Fingerprints that the host must show; empty: nothing is sent to it.
    pins: list[str]
    is_ca_trusted: bool
    shown_pin: str
    shown_at: datetime | None
    look_error: str
    confirmed_by: str
    confirmed_at: datetime | None
    is_running: bool
    last_tried_at: datetime | None
    last_ok_at: datetime | None
    last_error: str
    # `host_identity_wrong` where the host presented another key than the verified one.
    last_error_code: str
    failures: int
    next_at: datetime
