"""Rules that compare the ESXi hosts of a cluster, on a host as it was really read: without a known cluster they do not apply."""

from collections.abc import Mapping

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, Unknown, Value
from plumbline.core.facts.entered import CLUSTER, CLUSTER_FROM
from plumbline.core.rules.evaluate import Finding, evaluate
from plumbline.core.rules.peer_questions import gather
from plumbline.core.rules.peers import NO_PEERS, Peers
from plumbline.infra.resources import SCHEMA
from plumbline.packs.files import load_builtin
from tests.core.facts.builders import sections_of

CORE = next(pack for pack in load_builtin() if pack.id == "plumbline-core")
COMPARED = {
    "core.cluster.esxi_build",
    "core.cluster.esxi_delayed_ack",
    "core.cluster.esxi_driver_bcm57810",
    "core.cluster.esxi_driver_x520",
    "core.cluster.esxi_frame_size",
    "core.cluster.esxi_mem",
}
SECTIONS = sections_of(SCHEMA / "samples" / "esxi" / "5.5.checkin")


def read(overrides: Mapping[str, str] | None = None) -> Configuration:
    return assemble("esxi", SECTIONS, overrides).configuration


def compared(host: Configuration, peers: Peers = NO_PEERS) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {rule: [] for rule in COMPARED}
    for finding in evaluate(CORE, host, peers):
        if finding.rule in COMPARED:
            found[finding.rule].append(finding)
    return found


def test_a_host_in_no_cluster_is_never_unknown() -> None:
    host = read()
    assert isinstance(host.read(HOST, "is_clustered"), NotOffered)
    assert isinstance(host.read(HOST, "cluster"), Unknown)  # may still be entered
    for rule, findings in compared(host).items():
        assert {finding.outcome for finding in findings} == {"not_applicable"}, rule
    (build,) = compared(host)["core.cluster.esxi_build"]
    assert build.reason == "cluster unknown; add the vCenter or enter the cluster"


def test_a_cluster_entered_or_imported_makes_it_a_member() -> None:
    for overrides in ({CLUSTER: "PROD-01"}, {CLUSTER: "PROD-01", CLUSTER_FROM: "vc-berlin"}):
        host = read(overrides)
        assert isinstance(host.read(HOST, "is_clustered"), Value)
        # Its peers have not been read: only now is something unknown.
        outcomes = {finding.outcome for findings in compared(host).values() for finding in findings}
        assert "unknown" in outcomes
        assert outcomes <= {"unknown", "not_applicable"}  # what it has no subject for stays not applicable


def test_a_twin_agrees_and_another_release_differs() -> None:
    host = read({CLUSTER: "PROD-01"})
    twins = compared(host, gather([CORE], cluster={"esx-2": read({CLUSTER: "PROD-01"})}))
    assert {finding.outcome for findings in twins.values() for finding in findings} <= {"pass", "not_applicable"}
    assert [finding.outcome for finding in twins["core.cluster.esxi_build"]] == ["pass"]
    newer = assemble("esxi", sections_of(SCHEMA / "samples" / "esxi" / "7.0.checkin"), {CLUSTER: "PROD-01"}).configuration
    (build,) = compared(host, gather([CORE], cluster={"esx-7": newer}))["core.cluster.esxi_build"]
    assert build.outcome == "fail"
    assert "esx-7" in build.reason
