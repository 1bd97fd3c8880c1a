"""The versions of the lab team's own pack that the past publishes: the short past of `test_build` begins after both."""

import pytest

from plumbline.ops.lab_past.site_pack import pack_files
from plumbline.packs.uploads import check_files


@pytest.mark.parametrize(("version", "seconds"), [("1.0.0", 30), ("1.1.0", 90)])
def test_a_version_is_a_pack_that_can_be_uploaded(version: str, seconds: int) -> None:
    files = pack_files(version, seconds, why="Our array takes long.", evidence="failover took long")
    checked = check_files({name: content.encode() for name, content in files.items()})
    assert checked.mistakes == ()
    assert checked.cases == 4
    assert checked.loaded is not None
    pack = checked.loaded.pack
    assert (pack.id, pack.version) == ("acme-san", version)
    assert f"at_least: {seconds}" in files["rules/acme.login_timeout.yaml"]
