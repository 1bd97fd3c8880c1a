"""How findings are grouped and named on screen: area, severity, impact."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.core.rules import words
from plumbline.core.rules.rule import Check, Pack, Rule, keys_of, walk
from plumbline.core.rules.score import severity
from plumbline.infra.schemas import Severity
from plumbline.packs.rule_schemas import Area, EvidenceOut, FixLine
from plumbline.packs.rule_text import effect_of, evidence_of, fix_lines, weight

IMPACT_WORDS = {
    "none": "Takes effect immediately, no interruption",
    "new_sessions": "Affects new iSCSI sessions only",
    "adapter_restart": "Restarts the adapter; its paths are down for several seconds",
    "path_loss": "Takes paths down during the change",
    "maintenance": "Needs maintenance mode",
    "reboot": "Takes effect after a host restart",
    "unknown": "Disruption unknown",
}


def area_of(rule: Rule) -> Area:
    """The area under which a rule is listed, from its item and the settings that it reads."""
    keys = set(keys_of(rule.expect))
    names = {rule.subject_kind, *(key.split(".", 1)[0] for key in keys)}
    if any("qos" in key or "pfc" in key or "dcb" in key for key in keys) or names & {"qos_class", "qos_policy"}:
        return "qos"
    if "volume" in names or any("path" in key or "probe" in key for key in keys):
        return "paths"
    if any("mpio" in key for key in keys):
        return "mpio"
    if names & {"initiator", "target"} or any("iscsi" in key for key in keys if not key.startswith("host.tcp")):
        return "iscsi"
    if names & {"tcp_template", "transport_filter"} or any(key.startswith("host.tcp") for key in keys):
        return "tcp"
    if names & {"adapter", "vnic", "vswitch", "portgroup", "team", "module"}:
        return "adapter"
    return "host"


def urgency(rule: Rule) -> int:
    """The place of a failing rule in a list that begins with the most urgent: 0 for paths and other symptoms, 1 for settings.

    A lost path, sessions on too few adapters, or a frame that does not arrive harm the host now. A setting harms it under load.
    """
    return 0 if rule.kind == "proof" or area_of(rule) == "paths" else 1


def severity_of(rule: Rule, status: str, *, has_capped: bool, w: float | None = None) -> Severity:
    """Severity of a failing finding; none for everything else. `w` is the rule's weight on this host, where it is known."""
    if status != "fail":
        return "none"
    return severity(weight(rule) if w is None else w, caused_cap=has_capped)


def tested_value(rule: Rule) -> str:
    """The paper's own figure, if it differs from what the rule requires."""
    return "; ".join(node.tested for node in walk(rule.expect) if isinstance(node, Check) and node.tested)


@dataclass(frozen=True, slots=True)
class ShownRule:
    """What a finding of the rule shows on every host."""

    area: Area
    effect: str
    expected: str
    tested_value: str
    evidence: Sequence[EvidenceOut]
    fix: Sequence[FixLine]


def shown_rule(rule: Rule, pack: Pack) -> ShownRule:
    """The words of a rule of this pack."""
    return ShownRule(
        area=area_of(rule),
        effect=effect_of(rule),
        expected=words.expected(rule.expect),
        tested_value=tested_value(rule),
        evidence=evidence_of(rule, pack),
        fix=fix_lines(rule),
    )
