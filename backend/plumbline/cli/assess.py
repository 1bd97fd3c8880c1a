"""`plumbline assess PATH...`: hosts from support bundles, evaluated without a server or a database."""

import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from xml.etree.ElementTree import Element, SubElement, tostring

import typer

from plumbline.cli.assess_plan import print_plan

if TYPE_CHECKING:
    from plumbline.core.facts.bundles.kept import KeptHost

app = typer.Typer()


@app.command()
def assess(
    paths: Annotated[list[Path], typer.Argument(help="Support bundles, or folders of them or of command outputs.", metavar="PATH...")],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write a PDF report to this file.", metavar="FILE.pdf")] = None,
    as_junit: Annotated[bool, typer.Option("--junit", help="Print the findings as JUnit XML: one suite a host.")] = False,
    with_plan: Annotated[
        bool, typer.Option("--plan", help="Add what a plan would change on each host, with the commands. Nothing is run.")
    ] = False,
) -> None:
    """Assess hosts from support bundles: vm-support, vCenter log bundles, Get-NetView, Get-SDDCDiagnosticInfo, RVTools, command outputs.

    Nothing is stored and no server is needed. Ends with 1 where a path could not be read or shows no host.
    """
    from plumbline.bundles.assess import Assessment
    from plumbline.bundles.limits import BadBundle

    hosts: list[dict[str, Any]] = []
    assessment = Assessment(lambda told, kept, _: hosts.append(told | {"plan": _plan_of(told, kept)} if with_plan else told))
    problems: list[tuple[Path, str]] = []
    for path in paths:
        try:
            assessment.add_path(path)
        except BadBundle as error:
            problems.append((path, error.message))
    problems_told = [{"path": str(path), "message": message} for path, message in problems]
    told = assessment.told() | {"hosts": hosts, "problems": problems_told}
    if as_json:
        print(json.dumps(told, indent=1, ensure_ascii=False))
    elif as_junit:
        sys.stdout.write(_junit(told))
    else:
        _print(told, datetime.now(UTC))
    if report is not None and told["hosts"]:
        _write_report(told, report)
        print(f"Report written to {report}", file=sys.stderr)
    for path, message in problems:
        print(f"plumbline: {path}: {message}", file=sys.stderr)
    if problems:
        raise typer.Exit(1)


def _plan_of(told: dict[str, Any], kept: "KeptHost") -> dict[str, Any]:
    """The plan preview of a host as plain data."""
    from plumbline.bundles.plan_preview import preview_plan

    return preview_plan(kept, name=told["name"], captured_at=told["captured_at"], bundle=told["bundle"]).model_dump()


# --- Text -----------------------------------------------------------------------------------------------------------------------------


def _print(told: dict[str, Any], now: datetime) -> None:
    from plumbline.bundles.assess import worst_first

    for host in worst_first(told["hosts"]):
        _print_host(host, now)
    for bundle in told["bundles"]:
        for note in bundle["notes"]:
            print(f"{bundle['name']}: {note}")
        for refused in bundle["refused"]:
            print(f"{bundle['name']}: not read: {refused['path']}: {refused['reason']}")
        if bundle["unused"]:
            more = bundle["unused_count"] - len(bundle["unused"])
            print(f"{bundle['name']}: not used: {', '.join(bundle['unused'])}" + (f" and {more} more" if more > 0 else ""))


def _print_host(host: dict[str, Any], now: datetime) -> None:
    from plumbline.bundles.assess import OLD_AFTER_DAYS, age_days

    age = age_days(host["captured_at"], now)
    system = " · ".join(filter(None, (host["os"] + (f" build {host['build']}" if host["build"] else ""), host["model"])))
    print(f"{host['name']}" + (f" · {system}" if system else ""))
    taken = f"as of {host['captured_at'].replace('T', ' ').replace('Z', ' UTC')}" if host["captured_at"] else "time of collection unknown"
    old = f" ({age} days old: collect a new bundle before you act)" if age is not None and age > OLD_AFTER_DAYS else ""
    print(f"  {host['kind_label']}, {taken}{old}")
    rules = host["rules"]
    score = "no score" if host["score"] is None else f"score {host['score']} of 100"
    partly = f", {rules['partly']} in part" if rules["partly"] else ""
    print(
        f"  {score} · {rules['answered']} of {rules['applicable']} rules answered{partly} · {len(host['failing'])} failing · {len(host['unknown'])} unknown"
    )
    for reason in host["capped_by"]:
        print(f"  score capped: {reason}")
    for note in host["notes"]:
        print(f"  note: {note}")
    for finding in host["failing"]:
        print(f"  fail     {finding['headline']}")
        print(f"           {finding['rule']} · {_evidence_line(finding)}")
    for finding in host["advice"]:
        print(f"  advice   {finding['headline']}")
        print(f"           {finding['rule']} · {_evidence_line(finding)}")
    for reason, titles in _by_reason(host["unknown"]).items():
        print(f"  unknown  {', '.join(titles)}")
        print(f"           {reason}")
    for file in host["unread"]:
        print(f"  unread   {file['file']}: {file['reason']}")
    if "plan" in host:
        print_plan(host["plan"])
    print()


def _evidence_line(finding: dict[str, Any]) -> str:
    """Where the value stands: the member of the bundle, else the command; what stands there; what is expected."""
    evidence = finding["evidence"]
    place = (evidence["member"] or evidence["command"]) if evidence else ""
    said = f"{place}: {finding['observed'] or evidence['raw']}" if evidence and place else finding["reason"]
    return f"{said}; expected {finding['expected']}" if finding["expected"] else said


def _by_reason(findings: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in findings:
        titles = found.setdefault(finding["reason"], [])
        if finding["title"] not in titles:
            titles.append(finding["title"])
    return found


# --- JUnit and PDF --------------------------------------------------------------------------------------------------------------------

_STATUSES = ("failing", "advice", "unknown", "passing")


def _junit(told: dict[str, Any]) -> str:
    """One suite a host, one case a finding: failing is a failure, unknown is skipped with its reason."""
    root = Element("testsuites", name="Plumbline assessment")
    for host in told["hosts"]:
        count = sum(len(host[status]) for status in _STATUSES)
        suite = SubElement(
            root, "testsuite", name=host["name"], tests=str(count), failures=str(len(host["failing"])), skipped=str(len(host["unknown"]))
        )
        for status in _STATUSES:
            for finding in host[status]:
                item = f" on {finding['item']}" if finding["item"] else ""
                case = SubElement(suite, "testcase", classname=f"{finding['pack']}.{finding['rule']}", name=_clean(finding["title"] + item))
                if status == "failing":
                    SubElement(case, "failure", message=_clean(finding["headline"])).text = _clean(_evidence_line(finding))
                elif status == "unknown":
                    SubElement(case, "skipped", message=_clean(finding["reason"]))
    for problem in told["problems"]:
        suite = SubElement(root, "testsuite", name=_clean(problem["path"]), tests="1", errors="1")
        SubElement(SubElement(suite, "testcase", name="bundle is read"), "error", message=_clean(problem["message"]))
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _clean(text: str) -> str:
    """Without the characters that XML does not allow."""
    return "".join(char for char in text if char in "\t\n" or (ord(char) >= 32 and ord(char) not in (0xFFFE, 0xFFFF)))


def _write_report(told: dict[str, Any], path: Path) -> None:
    from plumbline.infra.errors import BadInput
    from plumbline.reports.assessment import report_of
    from plumbline.reports.formats import to_pdf

    pdf = to_pdf(report_of(told, title="Assessment of support bundles", made_by="", now=datetime.now(UTC)))
    try:
        path.write_bytes(pdf)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}") from None
