"""Damaged and hostile archives: whatever is changed in one, reading ends with hosts or the one declared error, in little memory."""

import io
import random
import tracemalloc

from plumbline.bundles.assess import Assessment
from plumbline.bundles.limits import MIB, BadBundle, Budget, Limits
from plumbline.bundles.walk import read_archive
from tests.bundles import esxi_bundle, windows_bundle
from tests.bundles.archives import in_parts, tar, tgz, zipped

MUTANTS = 2_400
_SMALL = Limits(seconds=20.0, ratio_from_bytes=4 * MIB)


def seeds() -> list[bytes]:
    files = {path: content[:3000] for path, content in esxi_bundle.files_of("6.7").items()}
    bundle = tgz(in_parts(files), top="esx-a-2026-01-12--13.56-1")
    listed = windows_bundle.net_view(windows_bundle.Host("x520-2012r2-default"))
    view = {path: content[:2000] for path, content in listed.items()}
    sddc = {path: content[:4000] for path, content in windows_bundle.sddc(windows_bundle.Host("bcm57810-2012-default")).items()}
    book = {
        "xl/workbook.xml": b'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets>'
        b'<sheet name="vHost" r:id="a" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": b'<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": b"<worksheet/>",
    }
    return [
        bundle,
        tar(files, top="esx-a"),
        zipped({"esxi-a.tgz": bundle}, stored=True),
        zipped(dict(list(view.items())[:25])),
        zipped(dict(list(sddc.items())[:8])),
        zipped(book),
        b"".join(files.values())[:6000],
    ]


def mutated(seed: bytes, source: random.Random) -> bytes:
    """One of the damages that storage, networks and attackers do."""
    data = bytearray(seed)
    kind = source.randrange(7)
    at = source.randrange(len(data))
    if kind == 0:
        for _ in range(source.randrange(1, 12)):
            data[source.randrange(len(data))] = source.randrange(256)
    elif kind == 1:
        del data[at:]
    elif kind == 2:
        del data[at : at + source.randrange(1, 600)]
    elif kind == 3:
        data[at:at] = bytes(source.randrange(256) for _ in range(source.randrange(1, 200)))
    elif kind == 4:
        length = source.randrange(1, 64)
        data[at : at + length] = source.choice((b"\xff", b"\x00", b"7")) * length
    elif kind == 5:
        data[at:at] = data[max(0, at - 600) : at]
    else:
        mark = source.choice((b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"ustar", b"\x1f\x8b"))
        place = data.find(mark, source.randrange(len(data)))
        place = place if place >= 0 else data.find(mark)
        if place >= 0:
            for offset in range(source.randrange(4, 46)):
                if place + offset < len(data) and source.random() < 0.3:
                    data[place + offset] = source.randrange(256)
    return bytes(data)


def test_mutants_of_archives_raise_nothing_else_and_stay_small() -> None:
    source = random.Random(20261125)
    listed = seeds()
    refused = read = 0
    messages: set[str] = set()
    tracemalloc.start()
    for number in range(MUTANTS):
        content = mutated(listed[number % len(listed)], source)
        assessment = Assessment()
        try:
            budget = Budget(_SMALL)
            assessment.add("mutant", read_archive(io.BytesIO(content), "mutant", budget), budget)
            read += 1
        except BadBundle as error:
            refused += 1
            messages.add(error.message)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert all(message and "\n" not in message for message in messages)
    assert refused > 100
    assert read > 100
    assert peak < 150 * MIB
