"""The history of one rule: the published versions of its pack that have it, each with its changes."""

from collections.abc import Mapping
from typing import Any

import msgspec
import yaml
from sqlalchemy import text
from sqlmodel import Session

from plumbline.packs.files import document
from plumbline.packs.rule_schemas import FieldChange, RuleVersion

# Only the rule is read from each version's document, which holds the whole pack.
_READ = text(
    """
    SELECT v.version, v.published_at, rule FROM pack_version v
    CROSS JOIN LATERAL jsonb_array_elements(v.document -> 'rules') AS rule
    WHERE v.pack = :pack AND rule ->> 'id' = :rule ORDER BY v.id
    """
)


def versions_of(session: Session, pack: str, rule: str) -> list[RuleVersion]:
    """The versions with this rule, newest first; `fields` holds what differs from the version before that had it. One query."""
    found: list[RuleVersion] = []
    before: Mapping[str, Any] | None = None
    for row in session.execute(_READ, {"pack": pack, "rule": rule}):
        fields = [] if before is None else field_changes(before, row.rule)
        found.append(RuleVersion(version=row.version, published_at=row.published_at, is_first=before is None, fields=fields))
        before = row.rule
    return found[::-1]


def field_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[FieldChange]:
    """The fields of a rule's file that differ, each as YAML, in the order in which rule files have them."""
    names = sorted({*new, *old}, key=lambda name: (_RANKS.get(name, len(_RANKS)), name))
    return [FieldChange(field=name, old=_yaml(old.get(name)), new=_yaml(new.get(name))) for name in names if old.get(name) != new.get(name)]


def _yaml(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return as_written(value).strip().removesuffix("\n...").strip()


# The database does not keep the order of a document's fields. A rule's own fields are ordered as in its file, inner ones as in the schema.
_RULE = [
    "id", "covers", "kind", "title", "headline", "headline_unknown", "summary", "why", "same_as", "status", "applies_to", "subject",
    "expect", "evidence", "impact", "fix",
]  # fmt: skip
_STRUCTS = (
    document.StatusDocument,
    document.AppliesToDocument,
    document.HasDocument,
    document.ConditionDocument,
    document.SubjectSelection,
    document.ExpectDocument,
    document.EvidenceDocument,
    document.FixDocument,
    document.FixSettingDocument,
)
_NAMES = dict.fromkeys([*_RULE, *(field.encode_name for struct in _STRUCTS for field in msgspec.structs.fields(struct))])
_RANKS = {name: rank for rank, name in enumerate(_NAMES)}


def as_written(value: Any) -> str:
    """A rule, or a part of one, as YAML with its names in the order in which rule files have them."""
    return yaml.safe_dump(_in_order(value), sort_keys=False, allow_unicode=True, width=100)


def _in_order(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _in_order(value[name]) for name in sorted(value, key=lambda name: _RANKS.get(name, len(_RANKS)))}
    return [_in_order(each) for each in value] if isinstance(value, list) else value
