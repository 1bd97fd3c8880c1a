"""The path map: witnesses that agree, that do not, a dead path, a DSM that cannot be read, no MPIO at all."""

from typing import Any

import pytest

from plumbline.core.facts.paths import Path
from tests.core.facts.builders import (
    DISK,
    IQN,
    TARGET,
    VOLUME,
    SectionReading,
    dsm_path,
    iscsi,
    mac,
    mpio,
    not_there,
    read,
    refused,
    san_adapters,
    session,
    storage,
    system,
    value,
    why,
    windows,
)

TWO = (session("10.10.5.1", "10.10.5.20"), session("10.10.5.2", "10.10.5.21"))


def host(**sections: Any) -> Any:
    good = {
        "system": system(),
        "adapters": san_adapters(),
        "iscsi": iscsi(*TWO),
        "mpio": mpio(dsm_path(), dsm_path()),
        "storage": storage(),
    }
    return windows(**{**good, **sections})


def test_two_healthy_paths_over_two_adapters() -> None:
    assembled = host()
    assert assembled.path_map.problem == ""
    assert assembled.path_map.paths == (
        Path(VOLUME, IQN, TARGET, "10.10.5.20", "10.10.5.1", mac(1), "healthy"),
        Path(VOLUME, IQN, TARGET, "10.10.5.21", "10.10.5.2", mac(2), "healthy"),
    )
    found = assembled.configuration
    assert [value(found, f"volume/{VOLUME}/{key}") for key in ("paths_total", "paths_healthy", "adapters")] == [2, 2, 2]
    assert value(found, f"volume/{VOLUME}/policy") == "round_robin"
    assert value(found, f"volume/{VOLUME}/module") == "Microsoft DSM"
    assert assembled.path_map.without_adapter(VOLUME, mac(1)) == 1


def test_a_local_disk_is_no_volume_of_the_san() -> None:
    assert [volume.id for volume in host().path_map.volumes] == [VOLUME]
    assert value(host().configuration, "boot_from_san") is False
    assert value(host(storage=storage(IsBoot=True)).configuration, "boot_from_san") is True


@pytest.mark.parametrize("count", [1, 2])
def test_a_failed_path_is_dead_whether_or_not_mpio_still_counts_it(count: int) -> None:
    assembled = host(iscsi=iscsi(TWO[0]), mpio=mpio(dsm_path(), dsm_path(FailedPath=1, PrimaryPath=0, OptimizedPath=0), count=count))
    assert assembled.path_map.problem == ""
    assert [(path.state, path.adapter) for path in assembled.path_map.paths] == [("dead", ""), ("healthy", mac(1))]
    assert value(assembled.configuration, f"volume/{VOLUME}/paths_healthy") == 1
    assert assembled.path_map.without_adapter(VOLUME, mac(1)) == 0


def test_standby_and_unoptimized_are_distinguished() -> None:
    paths = mpio(dsm_path(OptimizedPath=0), dsm_path(PrimaryPath=0))
    assembled = host(mpio=paths)
    assert sorted(path.state for path in assembled.path_map.paths) == ["healthy", "standby"]
    # The output does not say which session is the standby one, so neither path has an adapter.
    assert {path.adapter for path in assembled.path_map.paths} == {""}
    assert why(assembled.configuration, f"volume/{VOLUME}/adapters") == "adapter of a path unknown"
    assert assembled.path_map.without_adapter(VOLUME, mac(1)) == 0


def test_states_differ_but_one_adapter_carries_all() -> None:
    both = (session("10.10.5.1", "10.10.5.20"), session("10.10.5.1", "10.10.5.21"))
    assembled = host(iscsi=iscsi(*both), mpio=mpio(dsm_path(), dsm_path(PrimaryPath=0)))
    assert {path.adapter for path in assembled.path_map.paths} == {mac(1)}


def test_witnesses_that_disagree_make_the_paths_unknown() -> None:
    assembled = host(mpio=mpio(dsm_path(), dsm_path(), count=3))
    assert assembled.path_map.problem == f"volume {VOLUME}: sources disagree: 3 paths in MPIO_DISK_INFO, 2 in DSM_QueryLBPolicy_V2"
    assert {path.state for path in assembled.path_map.paths} == {"unknown"}
    assert "sources disagree" in why(assembled.configuration, f"volume/{VOLUME}/paths_healthy")


def test_sessions_that_disagree_with_the_dsm_make_the_paths_unknown() -> None:
    assembled = host(iscsi=iscsi(TWO[0]))
    assert "1 sessions, but 2 live paths in DSM_QueryLBPolicy_V2" in assembled.path_map.problem


MPCLAIM_LIST = """
MPIO-Datenträger    Systemdatenträger  LB-Richtlinie    DSM-Name
-------------------------------------------------------------------------------
MPIO Datenträger0   Datenträger 1      RR           Microsoft DSM
"""
MPCLAIM_DISK = """
MPIO Datenträger0: 02 Pfade, Roundrobin
    Pfad-ID          Zustand             SCSI-Adresse      Gewichtung
    0000000077030000 Aktiv/Optimiert    003|000|000|000   0
    0000000077030001 Aktiv/Optimiert    003|000|001|000   0
"""


@pytest.mark.parametrize(
    ("text", "problem"), [(MPCLAIM_DISK, ""), (MPCLAIM_DISK + "    0000000077030002 Aktiv   003|000|002|000 0\n", "3 paths in mpclaim")]
)
def test_mpclaim_is_read_in_any_language(text: str, problem: str) -> None:
    rows = read({"argument": "-s -d", "text": MPCLAIM_LIST}, {"argument": "-s -d 0", "text": text})
    assembled = host(mpio=mpio(dsm_path(), dsm_path(), mpclaim=rows))
    assert (problem in assembled.path_map.problem) if problem else assembled.path_map.problem == ""


def test_a_dsm_that_does_not_answer_leaves_states_unknown() -> None:
    section = mpio(dsm_path(), dsm_path())
    section["MPIO_DISK_INFO"]["rows"][0]["DriveInfo"][0]["DsmName"] = "Dell EqualLogic DSM"
    section["DSM_QueryLBPolicy_V2"] = read()
    assembled = host(mpio=section)
    assert "Dell EqualLogic DSM does not answer DSM_QueryLBPolicy_V2" in assembled.path_map.problem
    assert value(assembled.configuration, f"volume/{VOLUME}/module") == "Dell EqualLogic DSM"
    assert "states of its paths are unknown" in why(assembled.configuration, f"volume/{VOLUME}/paths_healthy")
    section["DSM_QueryLBPolicy_V2"] = refused("Invalid class")
    assert "DSM_QueryLBPolicy_V2 failed: Invalid class" in host(mpio=section).path_map.problem


def test_without_mpio_two_sessions_are_not_two_paths() -> None:
    features = {"Get-WindowsFeature": read({"Name": "Multipath-IO", "InstallState": "Available"})}
    unavailable = {
        name: refused("not recognized", "unavailable") for name in ("Get-MPIOSetting", "MPIO_DISK_INFO", "DSM_QueryLBPolicy_V2", "mpclaim")
    }
    assembled = host(system=system(**features), mpio=unavailable, storage=storage(Path="\\\\?\\scsi#disk&ven_eqlogic"))
    assert assembled.path_map.problem == ""
    assert value(assembled.configuration, f"volume/{VOLUME}/paths_healthy") == 1
    assert not_there(assembled.configuration, "mpio.policy") == "the feature Multipath-IO is not installed"


def test_a_disk_that_mpio_has_not_claimed_has_one_path() -> None:
    assembled = host(storage=storage(Path="\\\\?\\scsi#disk&ven_eqlogic"))
    assert value(assembled.configuration, f"volume/{VOLUME}/paths_total") == 1


def test_a_failed_section_makes_every_count_unknown() -> None:
    assembled = host(mpio=SectionReading("failed", error="time limit"))
    assert "section mpio failed: time limit" in assembled.path_map.problem
    assert "section mpio failed: time limit" in why(assembled.configuration, f"volume/{VOLUME}/paths_healthy")
    assert why(assembled.configuration, "mpio.retry_count") == "section mpio failed: time limit"


def test_sessions_without_source_take_it_from_their_connection() -> None:
    anywhere = (session("0.0.0.0", "10.10.5.20"), session("0.0.0.0", "10.10.5.21"))
    connections = read(
        {"LocalAddress": "10.10.5.1", "RemoteAddress": "10.10.5.20", "RemotePort": 3260, "AppliedSetting": "Datacenter"},
        {"LocalAddress": "10.10.5.2", "RemoteAddress": "10.10.5.21", "RemotePort": 3260, "AppliedSetting": "Datacenter"},
    )
    assembled = host(iscsi=iscsi(*anywhere), tcp={"Get-NetTCPConnection": connections})
    assert [path.adapter for path in assembled.path_map.paths] == [mac(1), mac(2)]
    connections["rows"][1]["RemoteAddress"] = "10.10.5.20"
    assembled = host(iscsi=iscsi(*anywhere), tcp={"Get-NetTCPConnection": connections})
    assert [path.adapter for path in assembled.path_map.paths] == ["", ""]


def test_volume_ids_are_those_of_the_fabric() -> None:
    from plumbline.core.facts.windows.storage import volume_id

    assert volume_id(DISK, "") == VOLUME
    assert volume_id("naa.6090A0", "") == "naa.6090a0"
    assert volume_id("50060E8010203040", "") == "naa.50060e8010203040"
    assert volume_id("0017380014A60001", "") == "eui.0017380014a60001"
    assert volume_id("{b1c2}", "SN-7") == "SN-7"
