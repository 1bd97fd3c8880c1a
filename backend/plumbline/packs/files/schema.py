"""`backend/rulesets/schema.json`: the schemas of the files of a pack, for editors and tests, made from the structs in `document.py`.

The schema of a rule file is the document's own; `#/$defs/pack.yaml`, `no-rule.yaml` and `papers.yaml` are those of the other files.

python -m plumbline.packs.files.schema        # writes it again
"""

import json
from typing import Any

import msgspec

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.infra.resources import RULESETS
from plumbline.packs.files.document import NoRuleDocument, PackDocument, PapersDocument, RuleDocument

_CONDITION_TESTS = ("is", "one_of", "is_not", "at_least", "at_most", "contains", "contains_value_of")
_EXPECTATIONS = (
    "equals", "one_of", "at_least", "at_most", "between", "driver_maximum", "present", "absent",
    "same_across", "distinct", "sum_at_most", "proves", "all_of", "any_of", "attested",
)  # fmt: skip


def rule_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a rule file. It adds what an editor can use: one operator at a time, and the known settings."""
    structs = [RuleDocument, PackDocument, NoRuleDocument, PapersDocument]
    (reference, pack, no_rule, papers), definitions = msgspec.json.schema_components(structs, ref_template="#/$defs/{name}")
    definitions |= {"pack.yaml": pack, "no-rule.yaml": no_rule, "papers.yaml": papers}
    definitions["ConditionDocument"]["oneOf"] = [{"required": [test]} for test in _CONDITION_TESTS]
    definitions["ExpectDocument"]["oneOf"] = [{"required": [operator]} for operator in _EXPECTATIONS]
    definitions["SettingKey"] = {"enum": sorted(BY_KEY), "description": "A setting of the catalogue."}
    for name in ("ExpectDocument", "FixSettingDocument"):
        definitions[name]["properties"]["setting"] = {"$ref": "#/$defs/SettingKey"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Plumbline rule",
        **reference,
        "$defs": definitions,
    }


def text() -> str:
    """The file's content."""
    return json.dumps(rule_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    (RULESETS / "schema.json").write_text(text(), encoding="utf-8")
