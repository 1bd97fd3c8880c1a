"""Which rules a host answers by itself. A rule that none can answer helps nobody, so each that is not answered here is listed with why."""

from collections import defaultdict
from collections.abc import Callable

from lab import fleet
from lab.host import LabHost
from lab.windows.render import sections
from plumbline.cli.evaluate import _check_in
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import Configuration, SectionReading
from plumbline.core.rules.evaluate import evaluate_rule
from plumbline.core.rules.rule import Rule
from plumbline.infra.resources import SCHEMA
from plumbline.packs.files import load_builtin

PERSON = "a person attests it"
PEERS = "it compares a host with its peers, which one host alone does not have"
ENTERED = "only the vendor's own tool shows it; a person enters the value"
SERVER = "the server compares the host's clock with its own"
CASE = "it is about a case that no sample and no lab host has; the rule's own cases show each outcome"
BY_HAND = {
    "dell-bp1057-2012/bp1057.bcm57810.isoe.flow_control": ENTERED,
    "dell-bp1057-2012/bp1057.bcm57810.isoe.mtu": ENTERED,
    "dell-bp1057-2012r2/bp1057r2.bcm57810.isoe.flow_control": ENTERED,
    "dell-bp1057-2012r2/bp1057r2.bcm57810.isoe.mtu": ENTERED,
    "plumbline-core/core.clock": SERVER,
    "plumbline-core/core.mtu.fabric_agrees": PEERS,
    "qlogic-qle3142/qle3142.esxi.offloads": CASE,
    "qlogic-qle3142/qle3142.large_receive": CASE,
    "dell-bp1057-2012r2/bp1057r2.advice.registry_alone": CASE,
}


def why_never(rule: Rule) -> str:
    """Why no host answers a rule by itself; empty where one should."""
    if rule.kind == "attestation":
        return PERSON
    return (
        PEERS
        if rule.address.startswith("plumbline-core/core.cluster.") or rule.id.endswith("_in_cluster")
        else BY_HAND.get(rule.address, "")
    )


def hosts(lab_host: Callable[[str], LabHost]) -> list[Configuration]:
    """Every sample host, and the Windows hosts of the lab."""
    found = []
    for path in sorted((SCHEMA / "samples").glob("*/*.checkin")):
        platform, bodies, _ = _check_in(path)
        found.append(assemble(platform, bodies).configuration)
    for spec in fleet.load():
        if spec.platform == "windows":
            shown = {name: SectionReading("ok", body) for name, body in sections(lab_host(spec.name)).items()}
            found.append(assemble("windows", shown).configuration)
    return found


def test_each_rule_is_answered_by_a_host_or_listed_with_the_reason(lab_host: Callable[[str], LabHost]) -> None:
    rules = [rule for pack in load_builtin() for rule in pack.rules]
    outcomes: dict[str, set[str]] = defaultdict(set)
    for held in hosts(lab_host):
        for rule in rules:
            if rule.applies_to.platform in (None, held.platform):
                outcomes[rule.address] |= {finding.outcome for finding in evaluate_rule(rule, held)}
    never = {rule.address for rule in rules if not outcomes[rule.address] & {"pass", "fail"}}
    assert never == {rule.address for rule in rules if why_never(rule)}
    assert len(rules) - len(never) > 80
