"""The pack that the lab's storage team wrote for itself: one rule, whose limit a later version raises."""

from typing import Any

import yaml

_ID = "acme.login_timeout"
_SETTING = "initiator.login_timeout_seconds"
_CASES: dict[str, dict[str, object]] = {
    "long.pass": {"mode": "software", "login_timeout_seconds": 120},
    "short.fail": {"mode": "software", "login_timeout_seconds": 5},
    "hardware.not_applicable": {"mode": "isoe", "login_timeout_seconds": 120},
    "unread.unknown": {"mode": "software"},
}


def pack_files(version: str, seconds: int, *, why: str, evidence: str) -> dict[str, str]:
    """The files of one version, by name, as a person uploads them."""
    files: dict[str, Any] = {
        "pack.yaml": {
            "pack": "acme-san",
            "version": version,
            "title": "Acme SAN standard",
            "summary": "What our storage team requires of every SAN host.",
            "papers": {"acme": {"title": "Acme SAN standard", "publisher": "Acme storage team", "edition": "2026"}},
        },
        f"rules/{_ID}.yaml": {
            "id": _ID,
            "kind": "recommended",
            "title": "iSCSI login timeout, Acme",
            "headline": f"Login timeout is {{value}}, below {seconds} seconds",
            "summary": f"The software initiator waits at least {seconds} seconds for a login.",
            "why": why,
            "status": {"state": "active"},
            "applies_to": {"platform": "esxi", "initiator": {"mode": {"is": "software", "else": "not the software initiator"}}},
            "expect": {"setting": _SETTING, "at_least": seconds},
            "evidence": [{"paper": "acme", "at": "2", "says": evidence, "strength": "own_judgement", "band": "stated"}],
            "impact": "none",
            "fix": {"set": [{"setting": _SETTING, "to": seconds}]},
        },
    }
    for name, initiator in _CASES.items():
        files[f"cases/{_ID}.{name}.yaml"] = {"platform": "esxi", "settings": {"initiator/i1": initiator}}
    return {name: yaml.safe_dump(content, sort_keys=False) for name, content in files.items()}
