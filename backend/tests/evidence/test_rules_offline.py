"""The checking program gives the product's outcomes, scores and figures: on any configuration, and on every host of the lab."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST, Configuration, SectionReading
from plumbline.core.rules.compile import compile_packs
from plumbline.core.rules.peer_questions import gather
from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.core.rules.rule import Verdict
from plumbline.core.rules.score import score
from plumbline.core.rules.unlisted_kinds import unlisted_kinds
from plumbline.core.rules.weights import Weights, traits_of
from plumbline.evidence import verify_bundle
from plumbline.infra import resources
from plumbline.packs.files import load_builtin
from tests.core.rules.test_compile import COMPILED, PACKS, UNREAD, configurations, surroundings
from tests.evidence.as_records import host_of, rules_of, verdicts_of

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.host import LabHost
from lab.windows.render import sections

EVERY = rules_of(PACKS)
BUILTIN = tuple(load_builtin())
BUILTIN_RULES = rules_of(BUILTIN)
WEIGHTS = Weights(BUILTIN)
COMPILED_BUILTIN = {platform: compile_packs(BUILTIN, platform) for platform in ("windows", "esxi")}

Identity = tuple[str, tuple[str, str]]


def outcomes_of(verdicts: Sequence[Verdict]) -> dict[Identity, str]:
    return {(verdict.rule.address, (verdict.subject.kind, verdict.subject.id)): verdict.outcome for verdict in verdicts}


@given(configurations(), surroundings(), UNREAD)
@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
def test_outcomes_are_those_of_the_product(host: Configuration, peers: Peers, unread: dict[str, str]) -> None:
    expected = outcomes_of(COMPILED[host.platform].evaluate(host, peers, unread))
    assert verdicts_of(EVERY, host_of(host, peers, unread)) == expected


def lab_hosts(folder: Path) -> dict[str, tuple[Configuration, dict[str, str], str]]:
    """Every host of the lab's fleet: its configuration, the kinds that could not be listed, and its cluster."""
    found = {}
    for spec in fleet.load():
        host = LabHost(spec, folder / spec.name)
        if spec.platform == "windows":
            failing = spec.behaviour.failing
            readings = {name: SectionReading("ok", body) for name, body in sections(host).items() if name not in failing}
            readings |= {name: SectionReading("failed", error=error) for name, error in failing.items()}
        else:
            readings = _collected(host)
        read = assemble(spec.platform, readings).configuration
        cluster = read.value(HOST, "cluster")
        found[spec.name] = (read, unlisted_kinds(spec.platform, readings), cluster if isinstance(cluster, str) else "")
    return found


def _collected(host: LabHost) -> dict[str, SectionReading]:
    machine = EsxiMachine(host)
    host.tick()
    machine.refresh()
    command = machine.command_line(["--collect-only"])
    shown = subprocess.run(command, env=machine.environment(), capture_output=True, cwd=host.folder, timeout=120, check=True).stdout
    lines = shown.split(b"\n")
    bodies = {hashlib.sha256(line).hexdigest(): line for line in lines[1:] if line}
    return {
        name: SectionReading(one["status"], bodies.get(one.get("sha256", ""), b""), one.get("error", ""))
        for name, one in json.loads(lines[0])["sections"].items()
    }


def test_outcomes_and_scores_of_the_whole_lab_fleet_are_those_of_the_product(tmp_path: Path) -> None:
    hosts = lab_hosts(tmp_path)
    assert len(hosts) == len(fleet.load())
    seen: set[str] = set()
    scores = []
    for name, (configuration, unread, cluster) in hosts.items():
        others = {other: read for other, (read, _, theirs) in hosts.items() if other != name and cluster and theirs == cluster}
        peers = gather(BUILTIN, cluster=others) if cluster else NO_PEERS
        verdicts = COMPILED_BUILTIN[configuration.platform].evaluate(configuration, peers, unread)
        host = host_of(configuration, peers, unread)
        recomputed = verdicts_of(BUILTIN_RULES, host)
        assert recomputed == outcomes_of(verdicts), name
        seen |= set(recomputed.values())
        traits = traits_of(configuration)
        failing = [verdict for verdict in verdicts if verdict.outcome == "fail"]
        # Without waivers, then with every second failing finding waived and every third one excluded.
        for waived, excluded in ([], []), (failing[::2], failing[1::3]):
            expected = score(
                verdicts,
                WEIGHTS,
                traits,
                waived={(each.rule.address, each.subject) for each in waived},
                excluded={(each.rule.address, each.subject) for each in excluded},
            )
            left_out = [set(outcomes_of(each)) for each in (waived, excluded)]
            figures = verify_bundle.figures(BUILTIN_RULES, host, recomputed, *left_out)
            assert figures == {
                "score": expected.score,
                "score_without_waivers": expected.without_waivers,
                "is_capped": bool(expected.caps),
                "rule_coverage": expected.rule_coverage,
                **expected.counts,
            }, name
            scores.append(expected.score)
    assert seen == {"pass", "fail", "unknown", "not_applicable"}
    assert len(set(scores)) > 10


def test_every_operator_of_the_product_is_known() -> None:
    """One that this file does not know would make its rules unknown; the product's form of it would say so here first."""
    nodes: list[Any] = [rule["expect"] for rule in EVERY.rules.values()]
    operators = set()
    while nodes:
        node = nodes.pop()
        nodes += node.get("parts", [])
        operators.add(node.get("operator", node["is"]))
    host = host_of(Configuration("windows", {}), NO_PEERS, {})
    for operator in operators - {"exists", "all_of", "any_of", "attested"}:
        check = {"is": "check", "operator": operator, "key": "host.x", "type": "plain", "values": [1, 2], "scope": "host", "where": []}
        host._readings[verify_bundle.HOST] = {"x": ("v", 1)}
        verify_bundle._check(host, {"address": "a/b", "subject_kind": "host", "subject": []}, verify_bundle.HOST, check)
    unknown = {"operator": "resembles", "key": "host.x", "type": "plain", "values": []}
    with pytest.raises(ValueError, match="does not know the operator"):
        verify_bundle._check(host, {"address": "a/b"}, verify_bundle.HOST, unknown)
