"""API schemas of packs and rules."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from plumbline.infra.schemas import Schema


class EvidenceOut(Schema):
    """One place in one paper and what was seen there. `percent` or `from`/`to` only where the paper's text prints the figure."""

    paper: str
    edition: str
    at: str
    says: str
    workload: str
    condition: str
    metric: str
    from_: float | None = Field(alias="from")
    to: float | None
    percent: float | None
    strength: str
    band: str
    note: str


class FixLine(Schema):
    """One setting that a step would write; `to` in words.

    `until_restart`: the value lasts until the next restart of the host, and how to keep it, in words; empty where it lasts.
    """

    setting: str
    label: str
    to: str
    until_restart: str


class Counts(Schema):
    """Hosts, or subjects, by the word shown."""

    pass_: int = Field(default=0, alias="pass")
    fail: int = 0
    unknown: int = 0
    not_applicable: int = 0
    waived: int = 0
    excluded: int = 0
    advice: int = 0


class LinkedRule(Schema):
    """A linked rule of another pack: listed under the first, and counted once with it."""

    pack: str
    pack_version: str
    rule: str
    rule_no: int


class RuleRow(Schema):
    """A rule as lists show it. In `hosts` and `subjects`, findings of the rules in `also` count once."""

    pack: str
    pack_version: str
    rule: str
    rule_no: int
    title: str
    kind: str
    state: str
    platforms: list[str]
    weight: float
    effect: str
    hosts: Counts
    subjects: Counts
    also: list[LinkedRule]


class PackRow(Schema):
    """An active version of a pack."""

    pack: str
    version: str
    title: str
    published_at: datetime
    rules: int
    papers: list[str]


class RuleList(Schema):
    """All rules that match and the packs they come from."""

    items: list[RuleRow]
    packs: list[PackRow]


class AppliesClause(Schema):
    """One clause of where a rule applies; `else` is what hosts outside it read."""

    words: str
    else_: str = Field(alias="else")


class RuleWeight(Schema):
    """w = `band_points` x `strength_factor` x fit, for the best evidence; 1 without any. Fit is 1 here, since it depends on the host."""

    w: float
    band: str
    band_points: float
    strength: str
    strength_factor: float
    fit: float


class RuleSettingSource(Schema):
    """Where a setting is read on one platform."""

    platform: str
    section: str
    command: str
    field: str
    versions: str


class RuleSetting(Schema):
    """A setting that a rule reads."""

    key: str
    label: str
    meaning: str
    sources: list[RuleSettingSource]


class RuleCase(Schema):
    """A test case of the rule: `about` is the author's description, `holds` is the host that is evaluated, as YAML."""

    name: str
    expected: str
    about: str
    holds: str


class PaperLine(Schema):
    """One statement of a paper that this rule covers; `at` is its place there."""

    id: str
    at: str
    says: str


class PaperBed(Schema):
    """What a paper behind the rule was measured on, in words."""

    paper: str
    edition: str
    words: str


class FieldChange(Schema):
    """One field of a rule before and after, as its author wrote it."""

    field: str
    old: str
    new: str


class RuleVersion(Schema):
    """A published version of the pack that has this rule. `fields` differ from the version before; none where it only was published."""

    version: str
    published_at: datetime
    is_first: bool
    fields: list[FieldChange]


class RuleDetail(Schema):
    """One rule, whole."""

    pack: str
    pack_version: str
    rule: str
    rule_no: int
    title: str
    kind: str
    state: str
    platforms: list[str]
    effect: str
    hosts: Counts
    subjects: Counts
    summary: str
    why: str
    applies_to: list[AppliesClause]
    expect_words: str
    expect: Any
    yaml: str
    evidence: list[EvidenceOut]
    beds: list[PaperBed]
    weight: RuleWeight
    impact: str
    impact_words: str
    fix: list[FixLine]
    manual: list[str]
    manual_because: str
    covers: list[PaperLine]
    same_as: list[str]
    settings: list[RuleSetting]
    cases: list[RuleCase]
    versions: list[RuleVersion]


Area = Literal["adapter", "tcp", "iscsi", "mpio", "qos", "paths", "host"]
