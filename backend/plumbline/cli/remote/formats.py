"""Findings for other tools: JUnit XML for pipelines, SARIF 2.1.0 for viewers of code-scanning results."""

import json
from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any
from xml.etree import ElementTree as ET

Findings = Sequence[tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]]  # each host with its findings

LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note"}
# What SARIF calls each status of a finding (3.27.9); only `fail` has a level.
KINDS = {"fail": "fail", "waived": "fail", "unknown": "review", "excluded": "open", "advice": "informational", "pass": "pass"}


def _xml_text(text: str) -> str:
    """Without characters that XML 1.0 cannot hold."""
    return "".join(
        char for char in text if char in "\t\n\r" or 0x20 <= ord(char) <= 0xD7FF or 0xE000 <= ord(char) <= 0xFFFD or ord(char) > 0xFFFF
    )


def _name(finding: Mapping[str, Any]) -> str:
    subject = finding["subject"]
    return f"{finding['title']}{'' if subject['kind'] == 'host' else ' [' + subject['label'] + ']'}"


def junit(findings: Findings) -> bytes:
    """A test suite for each host, a case for each finding. Failing is a failure, unknown an error; what does not count is skipped."""
    root = ET.Element("testsuites", name="Plumbline")
    totals = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for host, rows in findings:
        suite = ET.SubElement(root, "testsuite", name=_xml_text(host["name"]))
        counts = dict.fromkeys(totals, 0)
        for row in rows:
            counts["tests"] += 1
            case = ET.SubElement(
                suite, "testcase", classname=_xml_text(f"{host['name']}.{row['pack']}.{row['rule']}"), name=_xml_text(_name(row)), time="0"
            )
            status, reason = row["standing"], _xml_text(row["reason"])
            if status == "fail":
                counts["failures"] += 1
                failure = ET.SubElement(case, "failure", type=row["severity"], message=_xml_text(row["headline"] or row["reason"]))
                failure.text = _xml_text(f"{row['reason']}\nobserved: {row['observed']}\nexpected: {row['expected']}")
            elif status == "unknown":
                counts["errors"] += 1
                ET.SubElement(case, "error", type="unknown", message=reason)
            elif status != "pass":
                counts["skipped"] += 1
                ET.SubElement(case, "skipped", message=f"{status.replace('_', ' ')}: {reason}")
        for name, count in counts.items():
            suite.set(name, str(count))
            totals[name] += count
    for name, count in totals.items():
        root.set(name, str(count))
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def sarif(findings: Findings, *, url: str) -> bytes:
    """One run: a rule for each rule that has a result, a result for each finding that applies. Waived ones are suppressed."""
    rules: dict[str, dict[str, Any]] = {}
    results = []
    for host, rows in findings:
        for row in rows:
            if row["standing"] not in KINDS:
                continue
            address = f"{row['pack']}/{row['rule']}"
            rules.setdefault(
                address,
                {
                    "id": address,
                    "shortDescription": {"text": row["title"]},
                    "fullDescription": {"text": row["why"] or row["title"]},
                    "helpUri": f"{url}/rules/{address}",
                    "properties": {"kind": row["kind"], "packVersion": row["pack_version"]},
                },
            )
            results.append(_result(host, row, address, list(rules).index(address), url))
    driver = {
        "name": "Plumbline",
        "version": metadata.version("plumbline"),
        "informationUri": url,
        "rules": list(rules.values()),
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}],
    }
    return json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n"


def _result(host: Mapping[str, Any], row: Mapping[str, Any], address: str, index: int, url: str) -> dict[str, Any]:
    subject = row["subject"]
    kind = KINDS[row["standing"]]
    where = f"{host['name']}/{subject['kind']}/{subject['id']}".rstrip("/")
    result: dict[str, Any] = {
        "ruleId": address,
        "ruleIndex": index,
        "kind": kind,
        "level": LEVELS.get(row["severity"], "warning") if kind == "fail" else "none",
        "message": {"text": f"{host['name']}: {row['headline'] or row['title']}. {row['reason']}"},
        "locations": [
            {
                "logicalLocations": [{"name": subject["label"], "fullyQualifiedName": where, "kind": "resource"}],
                "physicalLocation": {"artifactLocation": {"uri": f"{url}/hosts/{host['id']}"}},
            }
        ],
        "partialFingerprints": {"plumblineFinding/v1": f"{host['id']}/{address}/{subject['kind']}/{subject['id']}"},
        "properties": {"observed": row["observed"], "expected": row["expected"], "severity": row["severity"]},
    }
    if row["standing"] == "waived":
        waiver = row.get("waiver") or {}
        justification = str(waiver.get("reason") or "waived in Plumbline")
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": justification}]
    return result
