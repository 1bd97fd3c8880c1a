"""What people call the subjects of a host, and sentences that name them."""

from plumbline.facts.configuration import Subject
from plumbline.facts.document import Document
from plumbline.facts.paths import Path, PathMap, Volume, volume_names
from plumbline.hosts.documents import Labels
from tests.scoring.builders import configuration

ARRAY = "iqn.2001-05.com.equallogic:0-8a0906-f9911c487-372f6a2bfc407a7b-"


def volume(end: str, name: str = "EQLOGIC 100E-00") -> Volume:
    return Volume(f"naa.6090a0{end}", name, 1, "round_robin", "Microsoft DSM")


def path(end: str, target: str, adapter: str = "00101882f781") -> Path:
    return Path(f"naa.6090a0{end}", "iqn.host", target, "10.20.5.11", "10.20.5.110", adapter, "healthy")


def test_a_volume_is_called_as_its_array_calls_it() -> None:
    both = PathMap(
        (volume("aaaaaa"), volume("bbbbbb")),
        (
            path("aaaaaa", ARRAY + "vol-erp-b-log"),
            path("bbbbbb", "vmhba64>" + ARRAY + "ds-vdi"),
            path("bbbbbb", "vmhba65>" + ARRAY + "ds-vdi"),
        ),
    )
    assert volume_names(both) == {"naa.6090a0aaaaaa": "vol-erp-b-log", "naa.6090a0bbbbbb": "ds-vdi"}


def test_a_target_of_another_make_keeps_all_that_follows_the_naming_authority() -> None:
    one = PathMap((volume("aaaaaa"),), (path("aaaaaa", "iqn.1992-08.com.vendor:sn.1234:vol7"),))
    assert volume_names(one) == {"naa.6090a0aaaaaa": "sn.1234:vol7"}


def test_volumes_behind_one_target_keep_the_host_s_name_with_the_end_of_their_id() -> None:
    shared = PathMap((volume("aaaaaa"), volume("bbbbbb")), (path("aaaaaa", ARRAY + "both"), path("bbbbbb", ARRAY + "both")))
    assert volume_names(shared) == {"naa.6090a0aaaaaa": "EQLOGIC 100E-00 (…aaaaaa)", "naa.6090a0bbbbbb": "EQLOGIC 100E-00 (…bbbbbb)"}


def test_a_volume_without_paths_or_name_goes_by_its_id() -> None:
    assert volume_names(PathMap((volume("aaaaaa", name=""),))) == {"naa.6090a0aaaaaa": "naa.6090a0aaaaaa"}


def test_sentences_name_adapters_and_volumes_instead_of_their_ids() -> None:
    paths = PathMap((volume("aaaaaa"),), (path("aaaaaa", ARRAY + "vol-erp"),))
    host = Document(configuration({"adapter/001b21aa33f2": {"name": "SAN2"}}), paths)
    labels = Labels.of(host)
    assert labels.in_words("L3 MTU is 9000 bytes here and 1500 bytes on 001b21aa33f2") == "L3 MTU is 9000 bytes here and 1500 bytes on SAN2"
    assert labels.in_words("naa.6090a0aaaaaa: one path") == "vol-erp: one path"
    assert labels.in_words("001b21aa33f2x, 001b21aa33f9 and 9000") == "001b21aa33f2x, 001b21aa33f9 and 9000"
    assert labels.of_subject(Subject("adapter", "001b21aa33f2")) == "SAN2"
    assert Labels().in_words("on 001b21aa33f2") == "on 001b21aa33f2"


def test_an_offload_engine_is_called_by_its_adapter() -> None:
    engine = "B06BDRV\\L4SC&PCI_168E14E4\\5&2D5F0A01&0&30150000_0"
    host = Document(
        configuration({"adapter/pci-1": {"name": "iSCSI Offload #1"}, f"initiator/{engine}": {"adapter": "pci-1", "mode": "isoe"}}),
        PathMap(),
    )
    assert Labels.of(host).of_subject(Subject("initiator", engine)) == "iSCSI Offload #1"
    assert Labels().of_subject(Subject("initiator", engine)) == engine
