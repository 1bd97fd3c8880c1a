"""The filter grammar of host lists: the same for the list, its facets and exports.

Values of one filter are joined by or, filters by and.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from plumbline.infra.schemas import Freshness, HostId, RowId, plain

Sort = Literal["score", "-score", "name", "-name", "last_seen", "-last_seen", "paths", "-paths"]
# The host has at least one such finding.
HasOutcome = Literal["fail", "unknown", "waived", "guard_rail", "pass", "excluded", "not_applicable"]
# The host differs from this drift reference.
Reference = Literal["standard", "baseline", "peers", "persisted"]
_Value = Annotated[str, Field(max_length=200), AfterValidator(plain)]
_Values = Annotated[list[_Value], Field(max_length=100)]


class HostFilters(BaseModel):
    """Which hosts. Every list may hold several values."""

    model_config = ConfigDict(extra="ignore")

    q: _Value = ""
    # Hosts by their id, such as those selected in a list; as many as fit into an address.
    host: Annotated[list[HostId], Field(max_length=300)] = []
    group: Annotated[list[RowId], Field(max_length=100)] = []
    platform: _Values = []
    os: _Values = []
    family: _Values = []
    mode: _Values = []
    managed: Annotated[list[Literal["observe", "remediate"]], Field(max_length=2)] = []
    outcome: Annotated[list[HasOutcome], Field(max_length=7)] = []
    drift: Annotated[list[Reference], Field(max_length=4)] = []
    freshness: Annotated[list[Freshness], Field(max_length=4)] = []
    rule: _Values = []
    cluster: _Values = []
    state: Annotated[list[Literal["waiting", "active", "retired", "quarantined"]], Field(max_length=4)] = []
    tag: _Values = []
    score_below: Annotated[int, Field(ge=0, le=101)] | None = None
    changed_hours: Annotated[int, Field(ge=1, le=24 * 366)] | None = None


class HostListing(HostFilters):
    """Which hosts, in which order, and which page of them."""

    sort: Sort = "score"
    after: Annotated[str, Field(max_length=400)] | None = None
    limit: Annotated[int, Field(ge=1, le=500)] = 100


class ClusterSearch(HostFilters):
    """Which hosts, and a part of the cluster names to search for."""

    named: _Value
