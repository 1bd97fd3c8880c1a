"""The structure of pack.yaml, no-rule.yaml, papers.yaml and of a rule file, as an author writes them, before anything is resolved.

These structs are its only definition: `schema.json` in the folder of packs is made from them (`plumbline.packs.files.schema`), and a
test fails when it is not current. What a schema cannot express (known keys, values inside an enumeration, one operator at a time) is
checked in `resolve.py`.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from plumbline.core.rules.rule import Band, Impact, Kind, Scope, Strength

Text = Annotated[str, Meta(min_length=1)]
RuleId = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9_-]*)+$")]
PackId = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]*$")]
ItemId = Annotated[str, Meta(pattern=r"^[A-Z]+(-[A-Z]+)?[0-9]+[a-z]?$")]
Version = Annotated[str, Meta(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")]
Scalar = bool | int | str
PlatformName = Literal["windows", "esxi"]


class _Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A mapping that refuses a name it does not know."""


class ConditionDocument(_Struct, frozen=True, kw_only=True):
    """One test of a setting in `applies_to` or `where`; exactly one of the first seven is given, `else` is the reason if it fails."""

    is_: Scalar | UnsetType = msgspec.field(default=UNSET, name="is")
    one_of: list[Scalar] | UnsetType = UNSET
    is_not: Scalar | UnsetType = UNSET
    at_least: int | UnsetType = UNSET
    at_most: int | UnsetType = UNSET
    contains: Scalar | UnsetType = UNSET
    contains_value_of: str | UnsetType = UNSET
    else_: Text | UnsetType = msgspec.field(default=UNSET, name="else")


# A bare value means `is`, a bare list means `one_of`.
ConditionShorthand = Scalar | list[Scalar] | ConditionDocument


class HasDocument(_Struct, frozen=True, kw_only=True):
    """The host must have such a subject."""

    kind: Text
    where: dict[str, ConditionShorthand] = {}
    id_contains: str = ""
    initiator_mode: ConditionShorthand | UnsetType = UNSET
    else_: Text | UnsetType = msgspec.field(default=UNSET, name="else")


class AppliesToDocument(_Struct, frozen=True, kw_only=True):
    """Whom the rule applies to: the platform, settings of the host, settings of the subject (under the name of its kind)."""

    platform: PlatformName | UnsetType = UNSET
    host: dict[str, ConditionShorthand] = {}
    has: list[HasDocument] = []
    initiator_mode: ConditionShorthand | UnsetType = UNSET
    adapter: dict[str, ConditionShorthand] = {}
    vnic: dict[str, ConditionShorthand] = {}
    initiator: dict[str, ConditionShorthand] = {}
    target: dict[str, ConditionShorthand] = {}
    volume: dict[str, ConditionShorthand] = {}
    vswitch: dict[str, ConditionShorthand] = {}
    portgroup: dict[str, ConditionShorthand] = {}
    team: dict[str, ConditionShorthand] = {}
    tcp_template: dict[str, ConditionShorthand] = {}
    module: dict[str, ConditionShorthand] = {}
    transport_filter: dict[str, ConditionShorthand] = {}
    qos_class: dict[str, ConditionShorthand] = {}
    qos_policy: dict[str, ConditionShorthand] = {}


class SubjectSelection(_Struct, frozen=True, kw_only=True):
    """The subject that must, or must not, be there; `words` is how a person calls it ("a QoS policy for SMB Direct")."""

    kind: Text
    where: dict[str, ConditionShorthand] = {}
    words: Text


# A number; for a setting that is a version, its text in quotes: "1.2".
Least = int | Text


class ExpectDocument(_Struct, frozen=True, kw_only=True):
    """What is expected: `setting` with one operator, or a whole subject, or parts."""

    setting: Text | UnsetType = UNSET
    equals: Scalar | list[Scalar] | UnsetType = UNSET
    one_of: list[Scalar] | UnsetType = UNSET
    at_least: Least | UnsetType = UNSET
    at_most: int | UnsetType = UNSET
    between: Annotated[list[int], Meta(min_length=2, max_length=2)] | UnsetType = UNSET
    # The paper's figure, which counts where the driver's own maximum cannot be read.
    driver_maximum: int | UnsetType = UNSET
    present: Literal[True] | SubjectSelection | UnsetType = UNSET
    absent: Literal[True] | SubjectSelection | UnsetType = UNSET
    same_across: Scope | UnsetType = UNSET
    distinct: Literal[True] | UnsetType = UNSET
    sum_at_most: int | UnsetType = UNSET
    proves: Text | UnsetType = UNSET
    all_of: Annotated[list["ExpectDocument"], Meta(min_length=2)] | UnsetType = UNSET
    any_of: Annotated[list["ExpectDocument"], Meta(min_length=2)] | UnsetType = UNSET
    attested: Text | UnsetType = UNSET
    where: dict[str, ConditionShorthand] = {}
    tested: str | int | UnsetType = UNSET


class EvidenceDocument(_Struct, frozen=True, kw_only=True):
    """One place in one paper. Figures are given only if the paper's text prints them."""

    paper: Text
    at: Text
    says: Text
    strength: Strength
    band: Band
    workload: str = ""
    condition: str = ""
    metric: str = ""
    change_percent: float | UnsetType = UNSET
    from_: float | UnsetType = msgspec.field(default=UNSET, name="from")
    to: float | UnsetType = UNSET
    families: list[str] = []
    os_releases: list[str] = []


class FixSettingDocument(_Struct, frozen=True, kw_only=True):
    """One setting a step would write; `to: driver_maximum` takes the driver's own largest value, or `fallback`."""

    setting: Text
    to: Scalar | list[Scalar]
    fallback: int | UnsetType = UNSET


class FixDocument(_Struct, frozen=True, kw_only=True):
    """Settings that a plan may write, or the steps that only a person takes and why."""

    set: list[FixSettingDocument] = []
    manual_only: list[Text] = []
    because: str = ""


class RetiredOnDocument(_Struct, frozen=True, kw_only=True):
    """From this host condition on the advice no longer holds."""

    host: dict[str, ConditionShorthand]
    why: Text


class StatusDocument(_Struct, frozen=True, kw_only=True):
    """Whether the rule is still evaluated, and where its recommendation was withdrawn."""

    state: Literal["active", "retired"]
    retired_on: RetiredOnDocument | UnsetType = UNSET


class RuleDocument(_Struct, frozen=True, kw_only=True):
    """One rule file."""

    id: RuleId
    kind: Kind
    # A noun phrase, without a verb and without a state: it stands beside a pass and beside a fail.
    title: Text
    # What is wrong where the rule fails: one text, or one for each part of `all_of`. `{value}` is the value read, `{items}` the items.
    headline: Text | Annotated[list[Text], Meta(min_length=1)] | UnsetType = UNSET
    # What could not be checked, where "{title}: could not be checked" is not enough; or by the value read.
    headline_unknown: Text | dict[str, Text] | UnsetType = UNSET
    summary: Text
    why: Text
    status: StatusDocument
    applies_to: AppliesToDocument
    expect: ExpectDocument
    impact: Impact
    fix: FixDocument
    subject: str | UnsetType = UNSET
    covers: list[str] = []
    same_as: list[str] = []
    evidence: list[EvidenceDocument] = []


class TestBedDocument(_Struct, frozen=True, kw_only=True):
    """What a paper measured on."""

    __test__ = False

    platform: PlatformName
    os_releases: list[str]
    families: list[str]
    words: str = ""


class PaperDocument(_Struct, frozen=True, kw_only=True):
    """One paper that the pack rests on."""

    title: Text
    publisher: Text
    edition: Text
    # None for a paper without measurements, such as a site's own standard: it then fits all hosts equally.
    beds: list[TestBedDocument] = []
    notes: str = ""


# no-rule.yaml: the items of the papers without a rule in this pack, each with the reason.
NoRuleDocument = dict[ItemId, Text]


class PaperItemDocument(_Struct, frozen=True, kw_only=True):
    """One row, finding, default, method or trap of a paper: its place and its content, in our words."""

    at: Text
    says: Text
    # The packs that must account for it; those of its family where this is left out.
    packs: list[PackId] | UnsetType = UNSET


class PaperFamilyDocument(_Struct, frozen=True, kw_only=True):
    """Items that belong together; every id in it begins with the family's name."""

    about: Text
    packs: list[PackId]
    items: dict[ItemId, PaperItemDocument]


# papers.yaml, in the folder of the packs: all statements of the papers, by family.
PapersDocument = dict[str, PaperFamilyDocument]


class PackDocument(_Struct, frozen=True, kw_only=True):
    """pack.yaml."""

    pack: PackId
    version: Version
    title: Text
    summary: Text
    papers: dict[str, PaperDocument] = {}
    # Packs that this one replaces: older editions of its papers. A new installation publishes them and does not activate them.
    supersedes: list[PackId] = []
