"""Sentences as a storage engineer would write them: no token of the catalogue leaks into one."""

import re

import pytest

from plumbline.core.facts.catalogue import BY_KEY, ENTRIES
from plumbline.core.rules import words
from plumbline.core.rules.evaluate import evaluate_rule
from plumbline.core.rules.rule import Check
from plumbline.packs.files import load_builtin
from tests.core.rules.builders import configuration, san_host

# A word with an underscore, or one that no dictionary has.
_TOKEN = re.compile(r"[a-z0-9]+_[a-z0-9_]+|highlyrestricted|\b(?:isoe|ndis|iwarp|rocev2|2012r2|x520|t520|bcm57810|qle3142)\b")
RULES = [rule for pack in load_builtin() for rule in pack.rules]


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.values], ids=lambda entry: entry.key)
def test_every_value_of_an_enumeration_has_words(entry: object) -> None:
    for raw in entry.values:  # type: ignore[attr-defined]
        said = words.value(entry.key, raw)  # type: ignore[attr-defined]
        assert said
        assert not _TOKEN.search(said), said


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.address)
def test_what_a_rule_requires_has_a_text(rule: object) -> None:
    said = words.expected(rule.expect)  # type: ignore[attr-defined]
    # Component ids are what people type.
    assert not _TOKEN.search(re.sub(r"\bms_[a-z0-9]+", "", said)), said
    for text in (rule.title, rule.summary, rule.why):  # type: ignore[attr-defined]
        assert not _TOKEN.search(text), text
        assert not re.search(r"\s\s|\s[.,;:]", text), text
    assert rule.summary.endswith(".")  # type: ignore[attr-defined]
    assert rule.why.rstrip().endswith(".")  # type: ignore[attr-defined]
    assert not rule.title.endswith(".")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("rule_id", "host", "reason"),
    [
        ("bp1057.bcm57810.ndis.receive_buffers", {"receive_buffers": 512, "receive_buffers_maximum": 3000, "family": "bcm57810"},
         "Receive buffers are 512; expected driver maximum 3000"),
        ("bp1057.x520.jumbo", {"mtu": 1500}, "L3 MTU is 1500 bytes; expected at least 9000 bytes"),
        ("bp1057.unused_protocols", {"bindings": ["ms_server", "ms_tcpip"]},
         "Bound components are ms_server, ms_tcpip; expected only ms_tcpip, ms_tcpip6 or ms_pacer"),
        ("bp1057.netbios", {"netbios": "dhcp"}, "NetBIOS over TCP/IP is set by DHCP; expected disabled"),
        ("bp1057.info.rss_profile", {"rss_profile": "numa_scaling_static"},
         "RSS profile is static NUMA scaling; expected closest processor or NUMA scaling"),
        ("bp1057.info.rss_queues", {"rss_queues": 1}, "RSS queues are 1; expected from 4 to 16"),
    ],
)  # fmt: skip
def test_reasons_read_aloud(rule_id: str, host: dict[str, object], reason: str) -> None:
    rule = next(each for each in RULES if each.id == rule_id)
    (finding,) = evaluate_rule(rule, san_host(a1=host))
    assert (finding.outcome, finding.reason) == ("fail", reason)


@pytest.mark.parametrize(
    ("rule_id", "settings", "outcome", "reason"),
    [
        ("bp1057.mpio", {"mpio.installed": False}, "fail", "MPIO installed: no; expected yes"),
        ("bp1057.guard.auto_tuning", {"tcp.auto_tuning": "disabled"}, "fail",
         "Receive window auto-tuning is disabled; expected either normal, restricted, highly restricted or experimental"),
        ("core.sessions_spread", {"san_sessions_spread": 4}, "fail", "iSCSI session imbalance is 4; expected at most 1"),
    ],
)  # fmt: skip
def test_reasons_of_a_host_read_aloud(rule_id: str, settings: dict[str, object], outcome: str, reason: str) -> None:
    rule = next(each for each in RULES if each.id == rule_id)
    (finding,) = evaluate_rule(rule, san_host(a1={}, host=settings))
    assert (finding.outcome, finding.reason) == (outcome, reason)


def test_what_is_not_there_is_the_reason() -> None:
    rule = next(each for each in RULES if each.id == "bp1057.hit_kit")
    host = configuration({"host": {"hit_kit": ""}, "target/i>iqn.2001-05.com.equallogic:a": {}})
    (finding,) = evaluate_rule(rule, host)
    assert (finding.outcome, finding.reason) == ("fail", "Host Integration Toolkit not found")


def test_text_of_a_host_is_never_reworded() -> None:
    """An adapter may be called `tx`; only tokens of the catalogue have other words."""
    assert words.value("adapter.name", "tx") == "tx"
    assert words.value("adapter.flow_control", "tx") == "Tx only"


def test_units_are_shown_once() -> None:
    assert words.expected(Check("at_least", "adapter.receive_buffers", (512,))) == "Receive buffers at least 512"
    assert words.expected(Check("at_least", "initiator.login_timeout_seconds", (60,))) == "Login timeout at least 60 seconds"
    assert words.value("qos_class.bandwidth_percent", 80) == "80%"
    assert all(entry.key in BY_KEY for entry in ENTRIES)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("qos_policy", "QoS policies"),
        ("qos_class", "QoS classes"),
        ("vswitch", "virtual switches"),
        ("volume", "volumes"),
        ("vnic", "VMkernel ports or vNICs"),
    ],
)
def test_several_of_a_kind(kind: str, said: str) -> None:
    assert words.kind_unread(kind, "section failed") == f"{said} could not be read: section failed"
