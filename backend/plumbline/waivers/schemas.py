"""API schemas of waivers and attestations."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from plumbline.core.rules.finding_status import FindingStatus
from plumbline.infra.schemas import HostId, Input, NamedHost, RowId, Schema, SubjectOut, Words, plain

WaiverStateOut = Literal["requested", "active", "refused", "expired", "tripped", "withdrawn", "replaced"]
AttestationStateOut = Literal["active", "expired", "withdrawn", "replaced"]
EndsWithin = Literal["7", "30", "90"]
Age = Literal["30", "90", "older"]

Pack = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
Rule = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=160)]
Reason = Annotated[Words, Field(min_length=10)]
Because = Annotated[Words, Field(min_length=3)]
Ticket = Annotated[Words, Field(max_length=120)]
# A web address, or a page of this interface (a proof, a chart).
Link = Annotated[str, Field(max_length=1000, pattern=r"^$|^https?://[^\s\x00-\x1f]+$|^/[^/\\\s\x00-\x1f][^\s\x00-\x1f]*$")]
SubjectKind = Annotated[str, Field(pattern=r"^[a-z_]*$", max_length=40)]
SubjectId = Annotated[str, Field(max_length=400), AfterValidator(plain)]


class WaiverScopeInput(Input):
    """What is to be waived: a rule on hosts (one subject of a single host, or all), or on a group with every host that is or comes
    below it. Exactly one of `host_ids` and `group_id` is given.
    """

    pack: Pack
    rule: Rule
    host_ids: Annotated[list[HostId], Field(max_length=500, default_factory=list)]
    group_id: RowId | None = None
    subject_kind: SubjectKind = ""
    subject_id: SubjectId = ""
    # The waiver that this one takes the place of once it is approved.
    replaces_id: RowId | None = None


class WaiverCreate(WaiverScopeInput):
    """A request for a waiver."""

    reason: Reason
    expires_at: datetime
    owner_id: RowId | None = None
    ticket: Ticket = ""
    evidence: Words = ""
    evidence_link: Link = ""


class WaiverReason(Input):
    """Why a request is refused, or a waiver withdrawn."""

    reason: Because


class PersonName(Schema):
    """A person by name."""

    id: int
    name: str


class EvidenceFileOut(Schema):
    """A file attached as evidence."""

    id: int
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    uploaded_at: datetime


class WaivedRule(Schema):
    """A rule that a waiver or an attestation is about."""

    pack: str
    rule: str
    title: str


class WaiverScopeOut(Schema):
    """The scope of a waiver. `label` is a one-line text; `hosts` are those listed or met that this person may see, at most 50."""

    kind: Literal["subject", "host", "hosts", "group"]
    label: str
    host: NamedHost | None
    subject: SubjectOut | None
    group_id: int | None
    group_name: str
    hosts: int


class WaiverRow(Schema):
    """A waiver in a list. `state` is `expired` as soon as its time is over, even if its row is not updated yet."""

    id: int
    state: WaiverStateOut
    rule: WaivedRule
    scope: WaiverScopeOut
    reason: str
    ticket: str
    owner: PersonName
    requested_by: PersonName
    approved_by: PersonName | None
    requested_at: datetime
    approved_at: datetime | None
    expires_at: datetime
    ended_at: datetime | None
    end_words: str
    # Failing findings that it takes out of the score now.
    findings: int
    may_decide: bool
    may_withdraw: bool


class WaiverFacetValue(Schema):
    """One value of a facet with the number of waivers that have it."""

    value: str
    label: str
    count: int


class WaiverFacets(Schema):
    """Facets of the list, each counted under the filters of the others."""

    state: list[WaiverFacetValue]
    owner: list[WaiverFacetValue]
    age: list[WaiverFacetValue]
    ends_within: list[WaiverFacetValue]


class WaiverPage(Schema):
    """A page of the list."""

    items: list[WaiverRow]
    facets: WaiverFacets
    next: str | None
    total: int


class WaiverEvent(Schema):
    """One entry of the audit log about a waiver."""

    at: datetime
    actor: str
    action: str
    reason: str


class WiredHost(Schema):
    """A host under a waiver, and the change that ended the waiver there early."""

    host: NamedHost
    watched: int
    tripped_at: datetime | None
    words: str


class WaiverDetail(WaiverRow):
    """A waiver in full. `also` are the rules that were linked to its rule when it was requested; they are waived with it. `asked_since` are
    and are not: nobody approved that.
    """

    also: list[WaivedRule]
    asked_since: list[WaivedRule]
    evidence: str
    evidence_link: str
    files: list[EvidenceFileOut]
    ended_by: PersonName | None
    replaces_id: int | None
    replaced_by: int | None
    history: list[WaiverEvent]
    hosts: list[WiredHost]
    may_attach: bool
    why_not_decide: str


class WaivedFinding(Schema):
    """A failing finding that a waiver covers."""

    host: NamedHost
    rule: WaivedRule
    subject: SubjectOut
    standing: FindingStatus
    observed: str
    expected: str
    failing_since: datetime | None


class WaivedFindings(Schema):
    """The findings under a waiver; `total` may be more than what is listed."""

    items: list[WaivedFinding]
    total: int


class PreviewHost(Schema):
    """What a waiver would change on one host."""

    host: NamedHost
    findings: int
    score: int | None
    score_after: int | None
    capped_by: str
    cap_after: str


class WaiverPreview(Schema):
    """What a waiver would change. Counts are of the whole scope; scores of the hosts in `items`, at most `looked_at`."""

    rules: list[WaivedRule]
    hosts: int
    findings: int
    already_waived: int
    passing_hosts: int
    items: list[PreviewHost]
    looked_at: int
    score_mean: float | None
    score_mean_after: float | None
    caps_lifted: int
    is_ticket_required: bool
    longest_days: int
    # Why this waiver cannot be requested; empty if it can.
    problem: str


class WaiverNotices(Schema):
    """Waivers and attestations that the reader has to act on."""

    to_decide: int
    ending: list[WaiverRow]
    ended: list[WaiverRow]
    attestations_ending: int
    reminder_days: int


class AttestationCreate(Input):
    """A statement about something that hosts can't report. Exactly one of `host_id` and `group_id` is given."""

    pack: Pack
    rule: Rule
    host_id: HostId | None = None
    group_id: RowId | None = None
    is_so: bool
    statement: Reason
    expires_at: datetime
    evidence_link: Link = ""


class AttestationRow(Schema):
    """An attestation: the rule that it was made for, and the linked rules that it counts for as well (`also`)."""

    id: int
    state: AttestationStateOut
    rule: WaivedRule
    also: list[WaivedRule]
    expected: str
    host: NamedHost | None
    group_id: int | None
    group_name: str
    is_so: bool
    statement: str
    evidence_link: str
    author: PersonName
    made_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    end_words: str
    files: list[EvidenceFileOut]
    may_withdraw: bool


class AttestableRule(Schema):
    """A rule that people attest, with the linked rules (`also`), and its hosts by their current status."""

    rule: WaivedRule
    also: list[WaivedRule]
    expected: str
    why: str
    manual: list[str]
    attested: int
    not_so: int
    unknown: int
    not_applicable: int


class Attestations(Schema):
    """What can be attested, and what was."""

    rules: list[AttestableRule]
    items: list[AttestationRow]
    longest_days: int
