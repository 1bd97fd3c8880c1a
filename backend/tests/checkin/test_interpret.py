"""A check-in whose lists failed changes no item of its host into another one."""

import hashlib
import json

from plumbline.checkin.interpret import Interpretation, InterpretedHost, Interpreter, SectionContents
from plumbline.checkin.sections import SectionState
from plumbline.core.facts.document import encode
from tests.core.facts.esxi.reading import sample
from tests.core.facts.test_same_items import without


def interpreted(sections: dict[str, bytes], before: Interpretation | None = None) -> Interpretation:
    states = {name: SectionState("ok", sha256=hashlib.sha256(body).digest()) for name, body in sections.items()}
    stored = encode(before.document) if before is not None else None
    return Interpreter().interpret(InterpretedHost("host-1", "esxi", {}, "1.1.0"), states, SectionContents(bodies=sections), stored)


def test_a_failed_list_of_adapters_brings_no_new_adapter() -> None:
    sections = sample("6.7")
    before = interpreted(sections)
    now = interpreted(without(sections, "nics"), before)
    assert now.is_changed
    assert set(now.configuration.subject_set()) == set(before.configuration.subject_set())
    assert {path.adapter for path in now.document.path_map.paths} == {path.adapter for path in before.document.path_map.paths}
    assert not {key for key in now.changed_keys or () if key.endswith(".*") and key != "adapter.*"}
    # The list is back: the host is as it was.
    again = interpreted(sections, now)
    assert json.loads(encode(again.document)) == json.loads(encode(before.document))
