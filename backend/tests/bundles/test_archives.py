"""Archives in every form that people send: the same host comes out of each, and what is wrong with one is said in a sentence."""

import gzip
import io
import random
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from plumbline.bundles.assess import Assessment
from plumbline.bundles.limits import MIB, BadBundle, Budget, Limits
from plumbline.bundles.walk import Gathered, read_archive, read_folder
from tests.bundles import esxi_bundle
from tests.bundles.archives import in_parts, tar, tgz, zipped

TOP = "esx-esx-b07-2026-01-12--13.56-2107676"
FILES = esxi_bundle.files_of("6.7")


def walked(content: bytes, name: str = "bundle.tgz", limits: Limits | None = None) -> list[Gathered]:
    return list(read_archive(io.BytesIO(content), name, Budget(limits or Limits())))


def assessed(content: bytes, tmp_path: Path, name: str = "bundle") -> dict[str, object]:
    path = tmp_path / name
    path.write_bytes(content)
    assessment = Assessment()
    assessment.add_path(path)
    return assessment.told()


def verdicts(told: dict[str, object], at: int = 0) -> dict[str, object]:
    host = told["hosts"][at]  # type: ignore[index]
    return {key: host[key] for key in ("name", "score", "failing", "passing", "unknown", "captured_at")}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return verdicts(assessed(tgz(FILES, top=TOP), tmp_path_factory.mktemp("expected")))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(tgz(FILES, top=TOP, shuffled=True), id="tgz with shuffled members"),
        pytest.param(tar(FILES, top=TOP), id="tar, not packed"),
        pytest.param(tgz(FILES), id="packed again without its top folder"),
        pytest.param(tgz({"./" + path: content for path, content in FILES.items()}), id="names beginning with ./"),
        pytest.param(zipped({f"{TOP}/{path}": content for path, content in FILES.items()}), id="zip"),
        pytest.param(zipped({f"{TOP}\\{path}".replace("/", "\\"): content for path, content in FILES.items()}), id="zip with backslashes"),
        pytest.param(zipped({"VMware-vCenter-support.zip/esxi.tgz": tgz(FILES, top=TOP)}, stored=True), id="vCenter log bundle"),
        pytest.param(zipped({"a.zip": zipped({"b.tgz": tgz(FILES, top=TOP)})}), id="three archives deep"),
        pytest.param(tgz(FILES, top=TOP) + b"\0" * 4096, id="zeros behind the end"),
    ],
)
def test_every_packing_shows_the_same_host(content: bytes, tmp_path: Path, expected: dict[str, object]) -> None:
    assert verdicts(assessed(content, tmp_path)) == expected


def test_an_unpacked_folder_shows_the_same_host(tmp_path: Path, expected: dict[str, object]) -> None:
    for path, content in FILES.items():
        target = tmp_path / TOP / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    assessment = Assessment()
    assessment.add_path(tmp_path)
    assert verdicts(assessment.told()) == expected


def test_parts_are_joined_in_their_order(tmp_path: Path, expected: dict[str, object]) -> None:
    filler = b"=============== 7. vim.Nothing::none ===============\n" * 45_000
    files = FILES | {"commands/vmware-vimdump_-o----U-dcui.txt": FILES["commands/vmware-vimdump_-o----U-dcui.txt"] + filler}
    parts = in_parts(files)
    assert "commands/vmware-vimdump_-o----U-dcui.txt.FRAG-00002" in parts
    assert verdicts(assessed(tgz(parts, top=TOP, shuffled=True), tmp_path)) == expected


def test_without_its_first_part_a_file_is_not_read(tmp_path: Path) -> None:
    files = dict(FILES)
    dump = files.pop("commands/vmware-vimdump_-o----U-dcui.txt")
    told = assessed(tgz(files | {"commands/vmware-vimdump_-o----U-dcui.txt.FRAG-00001": dump}, top=TOP), tmp_path)
    host = told["hosts"][0]  # type: ignore[index]
    assert any("its first part is not in the bundle" in note for note in host["notes"])
    assert any("Delayed ACK" in line["title"] and "vmware-vimdump" in line["reason"] for line in host["unknown"])


def test_a_second_file_of_a_command_counts_only_without_the_first(tmp_path: Path, expected: dict[str, object]) -> None:
    other = FILES["commands/esxcfg-vmknic_-l.txt"].replace(b" 9000 ", b" 1500 ")
    assert verdicts(assessed(tgz(FILES | {"commands/1.esxcfg-vmknic_-l.txt": other}, top=TOP), tmp_path)) == expected
    only = {path: content for path, content in FILES.items() if "vmknic" not in path}
    told = assessed(tgz(only | {"commands/1.esxcfg-vmknic_-l.txt": other}, top=TOP), tmp_path)
    assert any(line["rule"] == "esxi55.jumbo.vmkernel" for line in told["hosts"][0]["failing"])  # type: ignore[index]


def test_a_cut_download_gives_what_is_whole(tmp_path: Path) -> None:
    content = tgz(FILES, top=TOP)
    told = assessed(content[: len(content) * 2 // 3], tmp_path)
    assert any("is cut off" in note for note in told["bundles"][0]["notes"])  # type: ignore[index]
    assert told["hosts"][0]["unknown"]  # type: ignore[index]


def test_several_hosts_of_a_vcenter_bundle_come_one_by_one(tmp_path: Path) -> None:
    inner = {f"esxi-{host}.tgz": tgz(esxi_bundle.files_of(host), top=f"esx-{host}-2026-01-12--13.56-1") for host in ("6.7", "8.0")}
    vcenter = {"README": b"Command line: /usr/bin/vc-support -l\n", "usr/lib/vmware-sca/conf/vc-support.properties": b""}
    path = tmp_path / "VMware-vCenter-support-2026-01-12@14-49-25.zip"
    path.write_bytes(zipped(inner | {"vc-vcsa.tgz": tgz(vcenter, top="vc-vcsa-2026-01-12")}, stored=True))
    seen: list[str] = []
    assessment = Assessment(on_host=lambda host, *_: seen.append(host["name"]))
    assessment.add_path(path)
    assert len(seen) == 2
    assert any("vCenter server's own part" in note for note in assessment.told()["bundles"][0]["notes"])


# --- What is wrong with an archive ----------------------------------------------------------------------------------------------------


def encrypted() -> bytes:
    content = bytearray(zipped({"a/nicinfo.sh.txt": b"x" * 100}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + at] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "it is empty", id="empty"),
        pytest.param(b"7z\xbc\xaf\x27\x1c", "7-Zip", id="7z"),
        pytest.param(encrypted(), "protected by a password", id="encrypted"),
        pytest.param(zipped({"a": b"x" * 5000})[:-40], "ends before its list of files", id="cut zip"),
        pytest.param(tgz({"vm/vmware.log": b"x"}), "logs of a virtual machine", id="logs of a VM"),
        pytest.param(tgz({"holiday.jpg": b"x"}), "no host is recognised in it (holiday.jpg)", id="something else"),
        pytest.param(gzip.compress(b"no tar at all " * 100), "no host is recognised", id="one packed text"),
        pytest.param(tgz({"a": random.Random(1).randbytes(9000)})[:4000] + b"\xff" * 900, "is damaged", id="damaged stream"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(content: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(BadBundle) as caught:
        assessed(content, tmp_path)
    assert words in caught.value.message


def odd_tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, kind, target in (
            ("top/../../etc/cron.d/evil.txt", tarfile.REGTYPE, ""),
            ("/etc/evil.txt", tarfile.REGTYPE, ""),
            ("C:/evil.txt", tarfile.REGTYPE, ""),
            ("top/commands/uname_-a.txt", tarfile.SYMTYPE, "/etc/passwd"),
            ("top/commands/date.txt", tarfile.LNKTYPE, "/etc/shadow"),
            ("top/null", tarfile.CHRTYPE, ""),
            ("top/pipe", tarfile.FIFOTYPE, ""),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            archive.addfile(info)
    return buffer.getvalue()


def test_odd_members_are_refused_and_named() -> None:
    (found,) = walked(odd_tar())
    assert found.files == {}
    assert dict(found.refused) == {
        "top/../../etc/cron.d/evil.txt": "its name leads out of the archive or is none that a collector writes",
        "/etc/evil.txt": "its name leads out of the archive or is none that a collector writes",
        "C:/evil.txt": "its name leads out of the archive or is none that a collector writes",
        "top/commands/uname_-a.txt": "it is a symbolic link",
        "top/commands/date.txt": "it is a link",
        "top/null": "it is a device",
        "top/pipe": "it is a pipe",
    }


def test_links_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    folder = tmp_path / "bundle"
    (folder / "commands").mkdir(parents=True)
    (folder / "commands" / "uname_-a.txt").symlink_to(tmp_path / "secret")
    (found,) = read_folder(folder, Budget())
    assert (found.files, found.refused) == ({}, [("commands/uname_-a.txt", "it is a link")])


def test_nothing_is_written_beside_the_archive(tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    walked(odd_tar())
    walked(zipped({"a.zip": zipped({"b.zip": zipped({"x/Get-NetAdapter.txt": b"x" * 100})})}), "x.zip")
    assert sorted(tmp_path.rglob("*")) == before


def test_deeper_archives_stay_closed() -> None:
    content = zipped({"1.zip": zipped({"2.zip": zipped({"3.zip": zipped({"Get-NetAdapter.txt": b"x"})})})})
    (found,) = walked(content, "x.zip")
    assert found.files == {}
    assert found.refused == [("1.zip!2.zip!3.zip", "archives are opened 3 levels deep, and this one lies deeper")]


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(members=50), "more than 50 files"),
        (Limits(unpacked_bytes=MIB), "unpacks to more than 1 MiB"),
        (Limits(ratio_from_bytes=MIB), "more than 200 times its size"),
        (Limits(seconds=0.0), "takes longer than 0 seconds"),
    ],
)
def test_each_limit_ends_the_reading(limits: Limits, words: str) -> None:
    files = {f"top/var/log/{number}.log": b"\0" * 40_000 for number in range(100)}
    with pytest.raises(BadBundle) as caught:
        walked(gzip.compress(tar(files), 9), limits=limits)
    assert words in caught.value.message


def test_a_bomb_costs_no_memory() -> None:
    bomb = gzip.compress(tar({"top/commands/nicinfo.sh.txt": b"\0" * (300 * MIB)}), 9)
    tracemalloc.start()
    with pytest.raises(BadBundle) as caught:
        walked(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "times its size" in caught.value.message
    assert peak < 100 * MIB


def test_a_zip_of_overlapping_members_is_refused() -> None:
    """One member's bytes under many names: the list is whole, and its sizes add up to far more than the file."""
    content = zipped({"x/Get-NetAdapter.txt": b"\0" * MIB})
    start = content.index(b"PK\x01\x02")
    entry = content[start : content.index(b"PK\x05\x06")]
    end = bytearray(content[content.index(b"PK\x05\x06") :])
    count = 2000
    end[8:10] = end[10:12] = count.to_bytes(2, "little")
    end[12:16] = (len(entry) * count).to_bytes(4, "little")
    hostile = content[:start] + entry * count + bytes(end)
    try:
        found = walked(hostile, "x.zip")
    except BadBundle:
        return
    assert sum(len(data) for data in found[0].files.values()) <= MIB


def test_a_folder_entry_and_zero_sizes_are_no_files() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.mkdir("commands")
        archive.writestr("commands/date.txt", "")
    (found,) = walked(buffer.getvalue(), "x.zip")
    assert found.files == {"commands/date.txt": b""}


def test_packed_members_are_unpacked() -> None:
    (found,) = walked(tgz({"top/commands/date.txt.gz": gzip.compress(b"Mon Jan 12 13:56:01 UTC 2026\n")}))
    assert found.files == {"top/commands/date.txt": b"Mon Jan 12 13:56:01 UTC 2026\n"}


def test_a_limit_ends_the_reading_inside_an_inner_archive_too() -> None:
    inner = tgz({f"top/var/log/{number}.log": bytes(50_000) for number in range(60)})
    with pytest.raises(BadBundle) as caught:
        walked(zipped({"a.tgz": inner, "b.tgz": inner}), "x.zip", Limits(unpacked_bytes=MIB))
    assert "unpacks to more than 1 MiB" in caught.value.message


def test_a_damaged_host_of_a_site_leaves_the_others(tmp_path: Path) -> None:
    whole = tgz(FILES, top=TOP)
    damaged = whole[: len(whole) // 2] + random.Random(2).randbytes(4000)
    told = assessed(zipped({"a.tgz": damaged, "b.tgz": whole}, stored=True), tmp_path)
    assert any(host["score"] is not None for host in told["hosts"])  # type: ignore[attr-defined]
    about = told["bundles"][0]  # type: ignore[index]
    assert about["refused"] or any("is cut off" in note for note in about["notes"])
