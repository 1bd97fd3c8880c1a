"""What people call the subjects of a host, and sentences that name them."""

import zstandard
from sqlalchemy import event
from sqlmodel import Session, select

from plumbline.configurations.read import Labels, read_documents, read_labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.facts.document import Document, decode
from plumbline.core.facts.partial import PartialConfiguration
from plumbline.core.facts.paths import Path, PathMap, Volume, volume_names
from plumbline.models.configurations import CompressionDictionary, HostConfiguration
from tests.api.world import SAMPLES, add_host
from tests.core.rules.builders import configuration

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


def test_labels_of_several_hosts_are_those_of_their_whole_documents(session: Session) -> None:
    # Waiting hosts, so that nothing evaluates them.
    for path in sorted(SAMPLES.glob("*/*.checkin")):
        add_host(session, path.stem, group_id=1, sample=path, state="waiting")
    never_read = add_host(session, "new", group_id=1, state="waiting")
    rows = session.exec(select(HostConfiguration)).all()
    contents = {row.host_id: zstandard.decompress(row.document) for row in rows}
    dictionaries = [CompressionDictionary(purpose="configuration", content=contents[row.host_id][:8192]) for row in rows[:2]]
    session.add_all(dictionaries)
    session.flush()
    # Packed with one dictionary, with another, or with none.
    for row, dictionary in zip(rows, [*dictionaries, None] * len(rows), strict=False):
        if dictionary is not None:
            packer = zstandard.ZstdCompressor(dict_data=zstandard.ZstdCompressionDict(dictionary.content))
            row.document, row.dictionary_id = packer.compress(contents[row.host_id]), dictionary.id
    session.flush()
    documents = read_documents(session, [*contents, never_read])
    assert documents == {host_id: decode(content) for host_id, content in contents.items()}
    statements: list[str] = []
    event.listen(session.connection(), "before_cursor_execute", lambda *told: statements.append(told[2]))
    found = read_labels(session, [*contents, never_read])
    # The dictionaries are known since the documents were read.
    assert len(statements) == 1
    assert set(found) == set(contents)
    for host_id, document in documents.items():
        mine, whole = found[host_id], Labels.of(document)
        assert mine.volumes == whole.volumes
        for subject in document.configuration.all_subjects():
            assert mine.of_subject(subject) == whole.of_subject(subject)
            assert mine.in_words(f"on {subject.id}: 1500") == whole.in_words(f"on {subject.id}: 1500")
        # Nothing that labels need is left out, or every document would be read twice.
        assert isinstance(mine.configuration, PartialConfiguration)
        assert not mine.configuration.is_whole
