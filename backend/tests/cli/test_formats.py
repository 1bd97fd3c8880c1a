"""JUnit and SARIF of findings of every status: what counts as what, and text that would break a file."""

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from plumbline.cli.remote.formats import junit, sarif

# The schema is OASIS', and not copied here: PLUMBLINE_SARIF_SCHEMA names a file with it (errata 01).
SCHEMA = os.environ.get("PLUMBLINE_SARIF_SCHEMA", "")


def finding(standing: str, **more: Any) -> dict[str, Any]:
    return {
        "pack": "p", "pack_version": "1.0.0", "rule": f"r.{standing}", "title": "Jumbo frames", "headline": "MTU is 1500",
        "why": "Because.",
        "kind": "recommended", "severity": "high", "standing": standing, "reason": "MTU is 1500; expected 9000", "observed": "MTU 1500",
        "expected": "MTU 9000", "subject": {"kind": "adapter", "id": "aa", "label": "SAN1"}, "waiver": None, **more,
    }  # fmt: skip


HOST = {"id": "a" * 32, "name": "sql-01"}
FOUND = [
    finding("fail"),
    finding("fail", rule="r.medium", severity="medium"),
    finding("waived", waiver={"reason": "replaced in spring"}),
    finding("unknown"),
    finding("excluded", severity="none"),
    finding("advice", severity="none"),
    finding("pass", subject={"kind": "host", "id": "", "label": "host"}),
    finding("not_applicable"),
]


def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sarif([(HOST, FOUND)], url="https://plumbline.example.com"))
    return found


def test_junit_counts_each_status_once() -> None:
    suite = ET.fromstring(junit([(HOST, FOUND)]))[0]
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "8", "failures": "2", "errors": "1", "skipped": "4",
    }  # fmt: skip
    case = suite[0]
    assert (case.get("classname"), case.get("name")) == ("sql-01.p.r.fail", "Jumbo frames [SAN1]")
    assert case[0].get("message") == "MTU is 1500"


@pytest.mark.parametrize("text", ["a\x00b", "a\x1b[31mb", "<x>&\"'", "\ud800", "日本 \U0001f600"])
def test_no_text_breaks_the_xml(text: str) -> None:
    made = junit([({**HOST, "name": text}, [finding("fail", reason=text, headline=text, observed=text)])])
    suite = ET.fromstring(made)[0]
    assert "\x00" not in str(suite.get("name"))
    assert suite.get("failures") == "1"


def test_sarif_has_a_level_for_failures_only_and_suppresses_waived_ones() -> None:
    results = document()["runs"][0]["results"]
    assert [(each["ruleId"], each["kind"], each["level"]) for each in results] == [
        ("p/r.fail", "fail", "error"),
        ("p/r.medium", "fail", "warning"),
        ("p/r.waived", "fail", "error"),
        ("p/r.unknown", "review", "none"),
        ("p/r.excluded", "open", "none"),
        ("p/r.advice", "informational", "none"),
        ("p/r.pass", "pass", "none"),
    ]
    assert [each.get("suppressions") for each in results if "suppressions" in each] == [
        [{"kind": "external", "status": "accepted", "justification": "replaced in spring"}]
    ]


@pytest.mark.skipif(not SCHEMA, reason="PLUMBLINE_SARIF_SCHEMA names no schema")
def test_sarif_is_valid_by_the_standards_schema() -> None:
    schema = json.loads(Path(SCHEMA).read_text())
    jsonschema.validators.validator_for(schema)(schema).validate(document())
