"""The data of an assessment's report, for the template `assessment.typ`."""

from datetime import datetime
from typing import Any

from plumbline.bundles.assess import OLD_AFTER_DAYS, age_days, titles_of, worst_first
from plumbline.infra.clock import iso

# More rows of one host than this are counted in a sentence.
_MOST_ROWS = 60


def report_of(told: dict[str, Any], *, title: str, made_by: str, now: datetime) -> dict[str, Any]:
    """What the template reads: every host worst first, its findings with the line of the bundle that says so, and what is unknown."""
    return {
        "report": {"template": "assessment", "title": title, "as_of": iso(now), "made_by": made_by},
        "packs": told["packs"],
        "bundles": told["bundles"],
        "hosts": [_host(host, now) for host in worst_first(told["hosts"])],
    }


def _host(host: dict[str, Any], now: datetime) -> dict[str, Any]:
    age = age_days(host["captured_at"], now)
    unknown: dict[str, list[str]] = {}
    for finding in host["unknown"]:
        titles = unknown.setdefault(finding["reason"], [])
        if finding["title"] not in titles:
            titles.append(finding["title"])
    return {
        **{
            key: host[key]
            for key in ("name", "os", "build", "model", "bundle", "kind_label", "captured_at", "score", "capped_by", "rules", "notes")
        },
        "old_days": age if age is not None and age > OLD_AFTER_DAYS else None,
        "failing": [_row(finding) for finding in host["failing"][:_MOST_ROWS]],
        "failing_count": len(host["failing"]),
        "advice": [_row(finding) for finding in host["advice"][:_MOST_ROWS]],
        "passing": len(host["passing"]),
        "unknown": [{"reason": reason, "titles": ", ".join(titles)} for reason, titles in unknown.items()][:_MOST_ROWS],
        "unknown_count": len(host["unknown"]),
        "plan": _plan(host["plan"]) if "plan" in host else None,
    }


def _plan(plan: dict[str, Any]) -> dict[str, Any]:
    """A preview (`bundles.schemas.PlanPreview` as plain data) as the template draws it."""
    return {
        "words": _capital(plan["words"]),
        "steps": [_step(step) for step in plan["steps"]],
        "left_out": [
            {
                "titles": titles_of(part),
                "words": _capital(part["words"]),
                "command": part["command"],
                "steps": [_step(step) for step in part["steps"]],
            }
            for part in plan["left_out"]
        ],
        "manual": [{"titles": titles_of(part), "because": _capital(part["because"]), "steps": part["steps"]} for part in plan["manual"]],
    }


def _step(step: dict[str, Any]) -> dict[str, Any]:
    values = [f"{each['label']}: {each['seen']} → {each['target']}" for each in step["elements"]]
    return {key: step[key] for key in ("number", "title", "words", "commands", "undo", "needed")} | {"values": values}


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _row(finding: dict[str, Any]) -> dict[str, str]:
    evidence = finding["evidence"] or {"member": "", "command": ""}
    return {
        "headline": finding["headline"],
        "rule": finding["rule"],
        "observed": finding["observed"],
        "expected": finding["expected"],
        "place": evidence["member"] or evidence["command"],
    }
