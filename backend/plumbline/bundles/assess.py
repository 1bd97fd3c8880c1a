"""An assessment: bundles opened, their hosts recognised and evaluated, as plain data for the command, the page and the report."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from plumbline.bundles.findings import findings_on, headline_of, unread_of
from plumbline.bundles.limits import BadBundle, Budget, Limits
from plumbline.bundles.walk import Gathered, Progress, read_archive, read_folder
from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.bundles.hosts import KIND_LABELS, BundledHost, collected_at
from plumbline.core.facts.bundles.kept import KeptHost, keep
from plumbline.core.facts.bundles.recognise import recognise
from plumbline.core.facts.captures.output import subject_text
from plumbline.core.facts.configuration import HOST, Configuration, Source, label_of
from plumbline.core.facts.document import Document
from plumbline.core.rules.conflicts import Contradiction, conflicts_on, contradictions
from plumbline.core.rules.evaluate import Finding
from plumbline.core.rules.finding_status import status_of
from plumbline.core.rules.rule import Pack, Rule, Verdict
from plumbline.core.rules.score import Identity, score
from plumbline.core.rules.weights import Weights, traits_of
from plumbline.packs.files import load_builtin

# A capture that is older says less about the host of today.
OLD_AFTER_DAYS = 30
_MOST_HOSTS = 2_000
_LISTED = 200
_HINTS = (
    (re.compile(r"(?:^|/)vmware(?:-\d+)?\.log$"), "it holds the logs of a virtual machine: a bundle of the ESXi host is needed"),
    (
        re.compile(r"wcp-support|(?:^|/)wcp/|supervisor", re.IGNORECASE),
        "it is a bundle of a Tanzu supervisor: a bundle of the ESXi host is needed",
    ),
    (re.compile(r"zdump", re.IGNORECASE), "it holds core dumps only: collect a whole bundle with vm-support"),
    (
        re.compile(r"vmware-sca|vc-support|/vpxd/", re.IGNORECASE),
        "it is the vCenter server's own part: tick the hosts when you export the logs",
    ),
)

Out = dict[str, Any]


@cache
def _packs() -> tuple[tuple[Pack, ...], Weights, tuple[Contradiction, ...]]:
    """The packs that a new installation activates: of two editions of a paper the newer one alone (docs/adr/0035)."""
    found = list(load_builtin())
    superseded = {older for pack in found for older in pack.supersedes}
    packs = tuple(pack for pack in found if pack.id not in superseded)
    return packs, Weights(packs), contradictions(packs)


class Assessment:
    """Hosts and sentences gathered over one or several bundles.

    With `on_host` each host is handed over as soon as it is read and is not held here, so that memory does not grow with their number.
    """

    def __init__(self, on_host: Callable[[Out, KeptHost, BundledHost], None] | None = None) -> None:
        self.hosts: list[Out] = []
        self.bundles: list[Out] = []
        self._count = 0
        self._on_host = on_host

    def add(self, name: str, gathered: Iterable[Gathered], budget: Budget, size: int = 0, sha256: str = "") -> None:
        """Reads one bundle to its end. Raises BadBundle where no host is found in it."""
        about: Out = {
            "name": name,
            "size_bytes": size,
            "sha256": sha256,
            "hosts": 0,
            "notes": [],
            "unused": [],
            "unused_count": 0,
            "refused": [],
        }
        hints: list[str] = []
        for part in gathered:
            found = recognise(part.files, part.name)
            budget.let_go(sum(map(len, part.files.values())))
            part.files.clear()
            about["notes"].extend(found.notes)
            if part.is_cut:
                about["notes"].append(
                    f"{part.name} is cut off: what comes before the cut was read, the rest is unknown. Collect or copy it again"
                )
            about["refused"].extend({"path": path, "reason": why} for path, why in part.refused)
            if not found.hosts or all(host.kind != "vm-support" for host in found.hosts):
                about["unused"].extend([*found.unused, *part.unused])
            about["unused_count"] += len(found.unused) + part.unused_count
            hints.extend([*found.unused, *part.unused])
            for host in found.hosts:
                if self._count >= _MOST_HOSTS:
                    raise BadBundle(f"more than {_MOST_HOSTS:,} hosts are in it: upload a part of them")
                told, kept = assess_and_keep(host, name)
                self._count += 1
                about["hosts"] += 1
                if self._on_host is not None:
                    self._on_host(told, kept, host)
                else:
                    self.hosts.append(told)
        for key in ("notes", "unused", "refused"):
            about[key] = about[key][:_LISTED]
        if not about["hosts"]:
            raise BadBundle(_why_no_host(about, hints))
        self.bundles.append(about)

    def add_path(self, path: Path, limits: Limits | None = None, progress: Progress | None = None) -> None:
        """Reads a file or folder. Raises BadBundle with what is wrong with it."""
        budget = Budget(limits or Limits())
        try:
            if path.is_dir():
                self.add(path.name or path.resolve().name, read_folder(path, budget), budget)
                return
            if not path.is_file():
                raise BadBundle("it does not exist" if not path.exists() else "it is neither a folder nor an ordinary file")
            with path.open("rb") as file:
                self.add(path.name, read_archive(file, path.name, budget, progress), budget, path.stat().st_size)
        except OSError as error:
            raise BadBundle(f"it cannot be read: {error.strerror or error}") from None

    def told(self) -> Out:
        """The assessment as plain data."""
        return {"hosts": self.hosts, "bundles": self.bundles, "packs": packs_told()}


def packs_told() -> list[Out]:
    """The packs that assessments evaluate: those that come with the program, without superseded editions."""
    return [{"pack": pack.id, "version": pack.version, "title": pack.title} for pack in _packs()[0]]


def _why_no_host(about: Out, hints: list[str]) -> str:
    for pattern, why in _HINTS:
        if any(pattern.search(path) for path in hints):
            return why
    if about["notes"]:
        return str(about["notes"][0])
    if about["refused"] and not hints:
        first = about["refused"][0]
        return f"nothing in it can be read: {first['path']}: {first['reason']}"
    names = ", ".join(hints[:3])
    return (
        "no host is recognised in it"
        + (f" ({names}{' and more' if len(hints) > 3 else ''})" if names else "")
        + ": vm-support, a vCenter log bundle, Get-NetView, Get-SDDCDiagnosticInfo, RVTools and command outputs are read"
    )


# --- One host -------------------------------------------------------------------------------------------------------------------------


def assess_host(host: BundledHost, bundle: str) -> Out:
    """What the rules find on one host of a bundle: its score, findings with the line that says so, and what the bundle leaves unknown."""
    return assess_and_keep(host, bundle)[0]


def assess_and_keep(host: BundledHost, bundle: str) -> tuple[Out, KeptHost]:
    """The same, and what is kept of the host to compare and to plan with."""
    assembled = assemble(host.platform, host.sections, agent_version=host.agent_version)
    unread = unread_of(host.platform, host.sections)
    kept = keep(host, Document(assembled.configuration, assembled.path_map, assembled.problems), unread, assembled.routes)
    return _told(host, bundle, assembled, unread), kept


def found_on(configuration: Configuration, unread: Mapping[str, str]) -> tuple[list[tuple[Rule, Finding]], set[Identity]]:
    """The findings of the packs that come with the program, and those among them that a contradiction takes out of the score."""
    packs, _, known_contradictions = _packs()
    found = list(findings_on(configuration, unread, packs))
    verdicts = [Verdict(rule, finding.subject, finding.outcome) for rule, finding in found]
    return found, {identity for conflict in conflicts_on(known_contradictions, verdicts) for identity in conflict.identities}


def _told(host: BundledHost, bundle: str, assembled: Assembled, unread: Mapping[str, str]) -> Out:
    weights = _packs()[1]
    found, excluded = found_on(assembled.configuration, unread)
    verdicts = [Verdict(rule, finding.subject, finding.outcome) for rule, finding in found]
    explained = score(verdicts, weights, traits_of(assembled.configuration), excluded=excluded)
    lines = [_line(assembled, host, rule, finding, excluded) for rule, finding in found]
    name = assembled.configuration.value(HOST, "name")
    return {
        "name": name if isinstance(name, str) and name else host.name or bundle,
        "platform": host.platform,
        "os": _shown(assembled, "os_name"),
        "build": _shown(assembled, "os_build"),
        "model": " ".join(filter(None, (_shown(assembled, "manufacturer"), _shown(assembled, "model")))),
        "bundle": bundle,
        "kind": host.kind,
        "kind_label": KIND_LABELS[host.kind],
        "captured_at": host.captured_at,
        "identity": list(host.identity),
        "score": explained.score,
        "capped_by": [cap.reason for cap in explained.caps],
        "rule_coverage": explained.rule_coverage,
        "counts": dict(explained.counts),
        "rules": _answered(lines),
        "failing": [line for line in lines if line["status"] in ("fail", "excluded")],
        "advice": [line for line in lines if line["status"] == "advice"],
        "passing": [line for line in lines if line["status"] == "pass"],
        "unknown": [line for line in lines if line["status"] == "unknown"],
        "notes": list(host.notes),
        "unread": [{"file": file, "reason": why} for file, why in host.unread][:_LISTED],
        "problems": list(assembled.problems)[:_LISTED],
    }


def _shown(assembled: Assembled, key: str) -> str:
    value = assembled.configuration.value(HOST, key)
    return "" if value is None else str(value)


def _line(assembled: Assembled, host: BundledHost, rule: Rule, finding: Finding, excluded: set[Identity]) -> Out:
    why_excluded = "conflict" if (rule.address, finding.subject) in excluded else ""
    return {
        "pack": finding.pack,
        "rule": finding.rule,
        "title": rule.title,
        "kind": finding.kind,
        "status": status_of(finding.outcome, None, why_excluded, finding.kind),
        "subject": subject_text(finding.subject),
        "item": "" if finding.subject == HOST else label_of(assembled.configuration, finding.subject),
        "headline": headline_of(assembled, rule, finding),
        "reason": finding.reason,
        "observed": finding.observed,
        "expected": finding.expected,
        "evidence": _evidence(host, finding.source),
    }


def _evidence(host: BundledHost, source: Source | None) -> Out | None:
    """The member of the bundle that a reading came from, and what stands there."""
    if source is None:
        return None
    member = host.members.get((source.section, source.command), "")
    return {"member": member, "command": source.command, "field": source.field, "raw": source.raw[:200]}


def _answered(lines: Iterable[Out]) -> Out:
    """How many rules the bundle answers: for all items that they apply to, for some, or for none. Rules that only a person answers are
    counted apart."""
    by_rule: dict[tuple[str, str], set[str]] = {}
    manual: set[tuple[str, str]] = set()
    for line in lines:
        key = line["pack"], line["rule"]
        if line["kind"] == "attestation":
            manual.add(key)
        elif line["status"] != "not_applicable":
            by_rule.setdefault(key, set()).add("unknown" if line["status"] == "unknown" else "known")
    counts = Counter("answered" if states == {"known"} else "unknown" if states == {"unknown"} else "partly" for states in by_rule.values())
    return {
        "applicable": len(by_rule),
        "answered": counts["answered"],
        "partly": counts["partly"],
        "unknown": counts["unknown"],
        "by_person": len(manual),
    }


def age_days(captured_at: str, now: datetime) -> int | None:
    """Whole days since a bundle was collected; None where it does not say when."""
    taken = collected_at(captured_at)
    return (now - taken).days if taken is not None else None


def worst_first(hosts: Iterable[Out]) -> Iterator[Out]:
    """Hosts by score, the lowest first; those without one at the end."""
    return iter(sorted(hosts, key=lambda host: (host["score"] is None, host["score"] or 0, host["name"])))


def titles_of(part: Mapping[str, Any]) -> str:
    """The findings of one part of a plan preview, as plain data, each named once: "Flow control on vmnic4, MEM version"."""
    return ", ".join(dict.fromkeys(f"{each['title']} on {each['item']}" if each["item"] else each["title"] for each in part["findings"]))
