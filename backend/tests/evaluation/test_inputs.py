"""Stored configurations are read again whatever they were packed with; a damaged one costs only itself."""

import zstandard
from sqlmodel import Session, select, text

from plumbline.core.facts.document import decode
from plumbline.evaluation.inputs import read_documents
from plumbline.evaluation.reevaluate import raw_connection
from plumbline.models.configurations import CompressionDictionary, HostConfiguration
from tests.api.world import add_host, first_samples


def test_packed_with_a_dictionary_without_one_or_damaged(session: Session) -> None:
    sample = first_samples()[0]
    # Waiting hosts, so that nothing evaluates them.
    hosts = [add_host(session, f"sql-{number}", group_id=1, sample=sample, state="waiting") for number in range(4)]
    rows = {row.host_id: row for row in session.exec(select(HostConfiguration))}
    content = zstandard.decompress(rows[hosts[0]].document)
    for number in (0, 1):
        dictionary = CompressionDictionary(purpose="configuration", content=content[number * 4096 : number * 4096 + 8192])
        session.add(dictionary)
        session.flush()
        packer = zstandard.ZstdCompressor(dict_data=zstandard.ZstdCompressionDict(dictionary.content))
        rows[hosts[number]].document = packer.compress(content)
        rows[hosts[number]].dictionary_id = dictionary.id
    rows[hosts[3]].document = b"damaged"
    session.flush()
    found = read_documents(raw_connection(session), [row.id or 0 for row in rows.values()])
    assert set(found) == set(hosts[:3])
    assert all(document == decode(content) for document in found.values())
    session.execute(text("DELETE FROM compression_dictionary"))
    assert set(read_documents(raw_connection(session), [row.id or 0 for row in rows.values()])) == {hosts[2]}
