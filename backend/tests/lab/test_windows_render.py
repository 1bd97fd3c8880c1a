"""What Windows lab hosts send: valid by the schema, and read by `facts` as the settings of the host file."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
import yaml

from lab import fleet
from lab.checkin import WindowsClient
from lab.host import LabHost
from lab.windows.render import sections
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST, Configuration, SectionReading, Subject, Value
from plumbline.core.facts.paths import PathMap
from plumbline.infra import resources

Make = Callable[[str], LabHost]
WINDOWS = [spec.name for spec in fleet.load() if spec.platform == "windows"]


@pytest.fixture(scope="module")
def agreement() -> dict[str, Any]:
    return dict(yaml.safe_load((resources.SCHEMA / "windows-sections.yaml").read_text("utf-8")))


def _read(host: LabHost) -> tuple[Configuration, PathMap]:
    bodies = {name: SectionReading("ok", body) for name, body in sections(host).items()}
    assembled = assemble("windows", bodies)
    assert assembled.problems in ([], ())
    return assembled.configuration, assembled.path_map


def _adapters(configuration: Configuration, role: str) -> list[Subject]:
    return [subject for subject in configuration.subjects("adapter") if configuration.value(subject, "role") == role]


@pytest.mark.parametrize("name", WINDOWS)
def test_every_read_and_field_is_in_the_agreement_and_its_order(name: str, lab_host: Make, agreement: dict[str, Any]) -> None:
    rendered = sections(lab_host(name))
    assert list(rendered) == list(agreement)
    for section, body in rendered.items():
        reads = json.loads(body)
        assert body.isascii()
        assert list(reads) == list(agreement[section])
        for read, answer in reads.items():
            fields = agreement[section][read]["fields"]
            assert answer["status"] in ("ok", "unavailable", "failed")
            assert ("error" in answer) == (answer["status"] != "ok")
            for row in answer["rows"]:
                assert list(row) == [field for field in fields if field in row], (section, read)
                for part in row["keywords"].values() if "keywords" in row else [row]:
                    for field in agreement[section][read].get("list", []):
                        assert isinstance(part[field], list)
                    if "keywords" in row:
                        assert list(part) == agreement[section][read]["keyword_fields"]


@pytest.mark.parametrize("name", WINDOWS)
def test_line_1_holds_to_the_schema_of_check_ins(name: str, lab_host: Make) -> None:
    schema = json.loads((resources.SCHEMA / "check-in.schema.json").read_text("utf-8"))
    _, line, bodies = WindowsClient.show(lab_host(name))
    jsonschema.validate(json.loads(line), schema)
    shown = json.loads(line)["sections"]
    assert {section for section, row in shown.items() if row["status"] == "ok"} == set(bodies)


def test_two_renders_of_an_unchanged_host_are_the_same_bytes(lab_host: Make) -> None:
    host = lab_host("sql-01")
    first = sections(host)
    host.state["counters"]["at"] -= 600
    host.tick()
    assert sections(host) == first


def test_bcm57810_ndis_as_the_paper_recommends(lab_host: Make) -> None:
    configuration, paths = _read(lab_host("sql-01"))
    adapters = _adapters(configuration, "san_iscsi")
    assert len(adapters) == 2
    for adapter in adapters:
        read = {
            key: configuration.value(adapter, key) for key in ("family", "mtu", "mtu_operational", "flow_control", "tcp_connection_offload")
        }
        assert read == {
            "family": "bcm57810",
            "mtu": 9600,
            "mtu_operational": 9600,
            "flow_control": "rx_tx",
            "tcp_connection_offload": "enabled",
        }
        assert (configuration.value(adapter, "receive_buffers"), configuration.value(adapter, "receive_buffers_maximum")) == (3000, 3000)
        assert (configuration.value(adapter, "transmit_buffers"), configuration.value(adapter, "transmit_buffers_maximum")) == (5000, 5000)
    assert configuration.value(HOST, "tcp.chimney") == "enabled"
    assert configuration.value(HOST, "tcp.delayed_ack_iscsi") == "disabled"
    assert paths.problem == ""
    assert [paths.healthy(volume.id) for volume in paths.volumes] == [4, 4, 4]


def test_half_on_shows_toe_without_chimney(lab_host: Make) -> None:
    configuration, _ = _read(lab_host("sql-04"))
    assert [configuration.value(adapter, "tcp_connection_offload") for adapter in _adapters(configuration, "san_iscsi")] == ["enabled"] * 2
    assert configuration.value(HOST, "tcp.chimney") == "disabled"


def test_x520_at_the_papers_defaults(lab_host: Make) -> None:
    configuration, _ = _read(lab_host("sql-05"))
    adapters = _adapters(configuration, "san_iscsi")
    assert len(adapters) == 2
    for adapter in adapters:
        read = [configuration.value(adapter, key) for key in ("family", "mtu", "receive_buffers", "transmit_buffers", "flow_control")]
        assert read == ["x520", 1500, 512, 512, "rx_tx"]
    assert configuration.value(HOST, "tcp.delayed_ack_iscsi") == "enabled"


def test_isoe_hides_the_adapters_and_says_so(lab_host: Make) -> None:
    configuration, paths = _read(lab_host("fs-01"))
    assert {configuration.value(subject, "mode") for subject in configuration.subjects("initiator")} == {"isoe"}
    hidden = _adapters(configuration, "san_iscsi")
    assert hidden
    assert not any(isinstance(configuration.read(adapter, "mtu"), Value) for adapter in hidden)
    assert [paths.healthy(volume.id) for volume in paths.volumes] == [2, 2]


def test_s2d_node_with_t520(lab_host: Make) -> None:
    configuration, _ = _read(lab_host("hv-11"))
    (adapter,) = _adapters(configuration, "s2d_storage")
    read = [configuration.value(adapter, key) for key in ("family", "rdma", "rdma_technology", "qos")]
    assert read == ["t520", "enabled", "iwarp", "enabled"]
    assert configuration.value(Subject("qos_class", "rdma"), "bandwidth_percent") == 80
    assert configuration.value(Subject("qos_policy", "rdma"), "priority") == 5
    assert configuration.value(HOST, "s2d") == "enabled"


def test_qle3142_index_becomes_a_count(lab_host: Make) -> None:
    configuration, _ = _read(lab_host("tst-win-01"))
    adapters = _adapters(configuration, "san_iscsi")
    assert len(adapters) == 2
    for adapter in adapters:
        assert [configuration.value(adapter, key) for key in ("family", "mtu", "receive_buffers")] == ["qle3142", 1500, 16384]


@pytest.mark.parametrize(("name", "family", "mtu", "flow"), [("app-de-01", "x520", 9000, "off"), ("app-jp-01", "bcm57810", 9600, "rx_tx")])
def test_the_language_of_the_host_does_not_matter(lab_host: Make, name: str, family: str, mtu: int, flow: str) -> None:
    configuration, _ = _read(lab_host(name))
    adapters = _adapters(configuration, "san_iscsi")
    assert len(adapters) == 2
    assert {tuple(configuration.value(adapter, key) for key in ("family", "mtu", "flow_control")) for adapter in adapters} == {
        (family, mtu, flow)
    }


def test_a_changed_setting_shows_in_what_is_read(lab_host: Make) -> None:
    host = lab_host("sql-03")
    host.set("SAN1.flow_control", "off", cause="test")
    host.set("SAN2.link", "down", cause="test")
    configuration, paths = _read(host)
    by_name = {configuration.value(adapter, "name"): adapter for adapter in configuration.subjects("adapter")}
    assert configuration.value(by_name["SAN1"], "flow_control") == "off"
    assert configuration.value(by_name["SAN2"], "link_up") is False
    assert [paths.healthy(volume.id) for volume in paths.volumes] == [2, 2]


def test_a_team_over_san_adapters_is_seen(lab_host: Make) -> None:
    configuration, _ = _read(lab_host("tst-win-03"))
    assert [subject.id for subject in configuration.subjects("team")] == ["SANTeam"]
