"""Outputs of real collectors and the shapes that parsers of real bundles know, kept beside the repository; skipped where they are not."""

import json
from pathlib import Path
from typing import Any

import pytest

from plumbline.bundles.assess import Assessment
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.bundles.clixml import read_clixml
from plumbline.core.facts.bundles.esx_conf import read_conf, teaming
from plumbline.core.facts.bundles.hosts import BundledHost
from plumbline.core.facts.bundles.recognise import recognise
from plumbline.core.facts.configuration import Configuration, Subject
from tests.bundles.archives import tgz, zipped

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "bundles"


def files_of(folder: str, top: str = "") -> dict[str, bytes]:
    base = SAMPLES / folder
    if not base.is_dir():
        pytest.skip("samples of bundles are not here")
    return {top + path.relative_to(base).as_posix(): path.read_bytes() for path in base.rglob("*") if path.is_file()}


def host_of(files: dict[str, bytes]) -> tuple[BundledHost, Configuration]:
    (host,) = recognise(files, "bundle").hosts
    return host, assemble(host.platform, host.sections).configuration


def test_real_outputs_of_a_host() -> None:
    host, read = host_of(files_of("vm-support/placed-esx6x-real-outputs", "top/"))
    assert host.kind == "vm-support"
    vmnic0 = Subject("adapter", "0000:81:00.0")
    assert read.value(vmnic0, "name") == "vmnic0"
    assert read.value(vmnic0, "flow_control") == "off"
    assert read.value(vmnic0, "firmware_version") == "8.15 0x80009621 1.2829.0"
    # Sizes of the queues as the driver's private statistics print them.
    assert (read.value(vmnic0, "receive_buffers"), read.value(vmnic0, "transmit_buffers")) == (1024, 2048)
    assert read.value(Subject("vnic", "vmk2"), "mtu") == 1600
    assert read.value(Subject("vnic", "vmk1"), "addresses") == ("172.18.0.114",)
    assert read.value(Subject("vswitch", "TESTvSwitch"), "mtu") == 9000
    assert read.value(Subject("vswitch", "TestSwitch"), "uplinks") == ("vmnic0", "vmnic1")
    volume = Subject("volume", "naa.6000d31000771000000000000000000d")
    assert read.value(volume, "paths_healthy") == 1
    assert read.value(Subject("host", ""), "mem") == ""


def test_shapes_of_the_files_that_only_a_bundle_has() -> None:
    host, read = host_of(files_of("vm-support/_made", "esx-a/"))
    assert host.captured_at == "2026-01-12T13:56:02Z"
    initiator = Subject("initiator", "vmhba64")
    assert read.value(initiator, "delayed_ack") == "disabled"
    assert read.value(initiator, "login_timeout_seconds") == 60
    assert read.value(Subject("vnic", "vmk1"), "bound_to") == "vmhba64"
    assert read.value(Subject("host", ""), "net.lro") == "enabled"
    member = host.members["iscsi", "esxcli iscsi adapter param get -A vmhba64"]
    assert member == "commands/vmware-vimdump_-o----U-dcui.txt"


def test_the_daemons_database_answers_where_the_api_tree_is_missing() -> None:
    files = files_of("vm-support/_made", "esx-a/")
    del files["esx-a/commands/vmware-vimdump_-o----U-dcui.txt"]
    adapters = (
        "HBA Name  Driver     Link State  UID                                    Capabilities  Description\n" + "-" * 8 + "  " + "-" * 9
    )
    adapters += "  " + "-" * 10 + "  " + "-" * 37 + "  " + "-" * 12 + "  " + "-" * 22 + "\n"
    adapters += "vmhba64   iscsi_vmk  online      iqn.1998-01.com.vmware:esx01-1a2b3c4d                iSCSI Software Adapter\n"
    files["esx-a/commands/localcli_storage-core-adapter-list.txt"] = adapters.encode()
    host, read = host_of(files)
    initiator = Subject("initiator", "iqn.1998-01.com.vmware:esx01-1a2b3c4d")
    assert read.value(initiator, "delayed_ack") == "disabled"
    assert read.value(initiator, "login_timeout_seconds") == 60
    target = Subject("target", f"{initiator.id}>iqn.2001-05.com.equallogic:4-42a846-example")
    assert read.value(target, "address") == "10.10.5.10:3260"
    assert host.members["iscsi", "esxcli iscsi adapter param get -A vmhba64"] == "commands/vmkiscsid_--dump-db.txt"


def test_two_files_that_disagree_are_no_value() -> None:
    files = files_of("vm-support/_made", "esx-a/")
    dump = "esx-a/commands/vmware-vimdump_-o----U-dcui.txt"
    files[dump] = files[dump].replace(b"device = 'vmhba64',", b"device = 'vmhba64',\niScsiName = 'iqn.1998-01.com.vmware:esx01-1a2b3c4d',")
    files[dump] = files[dump].replace(b"value = false", b"value = true")
    _, read = host_of(files)
    reading: Any = read.read(Subject("initiator", "iqn.1998-01.com.vmware:esx01-1a2b3c4d"), "delayed_ack")
    assert "true in commands/vmware-vimdump" in reading.reason
    assert "false in commands/vmkiscsid" in reading.reason


def test_a_configuration_file_tells_the_order_of_uplinks() -> None:
    files = files_of("vm-support/esx50-vcap")
    found = teaming(read_conf(files["etc/vmware/esx.conf"].decode()))
    assert found["Management Network"][0] == ["vmnic0"]


def test_get_net_view_is_known_by_its_frames() -> None:
    host, read = host_of(files_of("get-netview"))
    assert (host.kind, host.name) == ("get-netview", "S2D01")
    assert read.value(Subject("tcp_template", "Datacenter"), "delayed_ack_timeout_ms") == 10
    assert read.value(Subject("vswitch", "managementvSwitch"), "type") is not None
    assert b"Administrator" not in b"".join(section.body for section in host.sections.values())


def test_exported_objects_are_read_as_data() -> None:
    files = files_of("sddc/_clixml")
    rows, why = read_clixml(files["TaskRepetition.xml"])
    assert (rows, why) == ([{"Duration": "P1D", "Interval": "PT30M", "StopAtDurationEnd": False, "PSComputerName": None}], "")
    (row,) = read_clixml(files["Node_S2D01/GetNetAdapterRsc.xml"])[0]
    assert (row["Name"], row["IPv4Enabled"], row["IPv4FailureReason"]) == ("SAN1", True, 3)


def test_what_is_not_used_is_listed_by_name(tmp_path: Path) -> None:
    path = tmp_path / "sddc.zip"
    path.write_bytes(zipped(files_of("sddc")))
    assessment = Assessment()
    assessment.add_path(path)
    told = assessment.told()
    assert [host["name"] for host in told["hosts"]] == ["S2D01"]
    assert "MSLab-S2D-Cluster-20180522/SDDCReport.txt" in told["bundles"][0]["unused"]
    assert json.dumps(told)


@pytest.mark.parametrize("folder", ["vm-support/placed-esx6x-real-outputs", "vm-support/_made"])
def test_samples_are_the_same_packed_and_unpacked(folder: str, tmp_path: Path) -> None:
    files = files_of(folder)
    (tmp_path / "a.tgz").write_bytes(tgz(files, top="esx-a-2026-01-12--13.56-1", shuffled=True))
    packed, unpacked = Assessment(), Assessment()
    packed.add_path(tmp_path / "a.tgz")
    unpacked.add_path(SAMPLES / folder)
    for key in ("score", "failing", "passing", "unknown"):
        assert packed.hosts[0][key] == unpacked.hosts[0][key]
