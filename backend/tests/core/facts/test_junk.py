"""Whatever a body holds, reading it never raises and never gives a value outside the catalogue."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.core.facts import windows
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.captures import windows_text
from plumbline.core.facts.captures.folder import recognise
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import SectionReading, Value
from tests.core.facts.builders import WINDOWS_SAMPLES, sections_of

SAMPLE = sections_of(WINDOWS_SAMPLES / "x520-2022-recommended.checkin")
BODIES = {name: json.loads(reading.body) for name, reading in SAMPLE.items() if reading.status == "ok"}

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=8
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.sampled_from(windows.SECTIONS), st.binary(max_size=200))
def test_bytes_that_are_no_body(section: str, body: bytes) -> None:
    windows.parse_section(section, body)


def mutate(value: Any, data: st.DataObject, depth: int = 0) -> Any:
    """A body with some of its parts replaced by anything at all."""
    if data.draw(st.integers(0, 14)) == 0:
        return data.draw(anything)
    if isinstance(value, dict):
        return {key: mutate(part, data, depth + 1) for key, part in value.items()}
    if isinstance(value, list) and depth < 6:
        return [mutate(part, data, depth + 1) for part in value[:2]]
    return value


@settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(st.data())
def test_a_host_with_odd_parts(data: st.DataObject) -> None:
    sections = dict(SAMPLE)
    for name in data.draw(st.sets(st.sampled_from(sorted(BODIES)), min_size=1, max_size=3)):
        sections[name] = SectionReading("ok", json.dumps(mutate(BODIES[name], data)).encode())
    assembled = assemble("windows", sections)
    assert assembled.internal_errors == ()
    for subject, key, reading in assembled.configuration:
        entry = BY_KEY[f"{subject.kind}.{key}"]
        assert subject.kind == "host" or subject.id
        if isinstance(reading, Value) and entry.values:
            assert reading.value in entry.values


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.sampled_from(["Get-NetAdapter", "Get-NetAdapterQos", "netsh int tcp show global", "Get-NetQosTrafficClass"]), st.text(max_size=300)
)
def test_text_that_is_no_output(command: str, text: str) -> None:
    windows_text.read_printed(command, text.split("\n"))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(max_size=60))
def test_names_of_files(name: str) -> None:
    recognise(f"windows__{name}.txt")
