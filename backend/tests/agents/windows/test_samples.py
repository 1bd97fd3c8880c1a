"""The Windows samples: what the agent must send for each host, worked out here and kept under `agents/schema/samples/windows/`."""

import hashlib
import hmac
import json
import re
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from plumbline.checkin import envelope
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import SectionReading
from tests.agents.windows.expected import HOSTS, ROOT, SAMPLES, SECTIONS, check_in, read_host, section_body, write_json

PATHS = sorted(HOSTS.glob("*.json"))


def _stem(path: Path) -> str:
    return path.stem


def test_every_host_has_its_sample_and_every_sample_its_host() -> None:
    assert len(PATHS) >= 6
    assert [path.stem for path in PATHS] == sorted(path.stem for path in SAMPLES.glob("*.checkin"))


@pytest.mark.parametrize("path", PATHS, ids=_stem)
def test_sample_is_what_the_host_data_says(path: Path) -> None:
    assert (SAMPLES / f"{path.stem}.checkin").read_bytes() == check_in(read_host(path))


@pytest.mark.parametrize("path", PATHS, ids=_stem)
def test_sample_passes_the_door(path: Path) -> None:
    body = envelope.read_body((SAMPLES / f"{path.stem}.checkin").read_bytes())
    assert list(body.envelope.sections) == list(SECTIONS)
    assert set(body.bodies) == set(SECTIONS)


@pytest.mark.parametrize("path", PATHS, ids=_stem)
def test_line_1_keeps_the_schema(path: Path) -> None:
    schema = ROOT / "agents" / "schema" / "check-in.schema.json"
    if not schema.is_file():
        pytest.skip("check-in.schema.json is not there yet")
    line = (SAMPLES / f"{path.stem}.checkin").read_bytes().split(b"\n")[0]
    jsonschema.validate(json.loads(line), json.loads(schema.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", PATHS, ids=_stem)
def test_sample_is_understood(path: Path) -> None:
    body = envelope.read_body((SAMPLES / f"{path.stem}.checkin").read_bytes())
    found = assemble("windows", {name: SectionReading("ok", text) for name, text in body.bodies.items()})
    assert found.problems == ()
    assert {f"{subject.kind}.{key}" for subject, key, _ in found.configuration} <= set(BY_KEY)


@pytest.mark.parametrize("path", PATHS, ids=_stem)
def test_counters_name_the_subjects_of_settings(path: Path) -> None:
    lines = (SAMPLES / f"{path.stem}.checkin").read_bytes().split(b"\n")
    body = envelope.read_body(b"\n".join(lines))
    found = assemble("windows", {name: SectionReading("ok", text) for name, text in body.bodies.items()})
    known = {
        f"{subject.kind}/{subject.id}" for subject in (*found.configuration.subjects("adapter"), *found.configuration.subjects("volume"))
    }
    subjects = {series["subject"] for series in json.loads(lines[0])["counters"]["series"]} - {"host/"}
    assert {subject for subject in subjects if subject.startswith("adapter/")} <= known
    san = {f"volume/{volume.id}" for volume in found.path_map.volumes}
    assert san <= subjects


def test_catalogue_of_a_driver_is_the_same_on_every_host_that_has_it() -> None:
    rows: dict[tuple[str, str], str] = {}
    for path in PATHS:
        host = read_host(path)
        for row in section_body(host, "property_catalogue")["Get-NetAdapterAdvancedProperty"]["rows"]:
            if host["cim"]["root/cimv2"]["Win32_OperatingSystem"][0]["OSLanguage"] == 1033:
                key = (row["ComponentID"], row["DriverVersion"])
                assert rows.setdefault(key, write_json(row)) == write_json(row)
    assert len(rows) >= 4


def test_hosts_cover_the_odd_cases() -> None:
    hosts = {path.stem: read_host(path) for path in PATHS}
    assert {host["release"] for host in hosts.values()} >= {"2012", "2012r2", "2016", "2019", "2022"}
    texts = "".join(path.read_text(encoding="utf-8") for path in PATHS)
    for sign in ("18446744073709551615", "bxois", "Flusskontrolle", "NDISCompatibility", "NdisImPlatform.sys", "10.10.5.131"):
        assert sign in texts


def test_change_of_host_data_changes_the_sample() -> None:
    host = read_host(HOSTS / "x520-2022-recommended.json")
    before = check_in(host)
    host["cmdlets"]["Get-NetAdapterRss"][0]["NumberOfReceiveQueues"] = 3
    assert check_in(host) != before


def test_json_of_the_samples_is_json() -> None:
    value = {"a": ["ö", "\x00b", "\n", '"\\', "\x7f", "\U0001f600", 2**64 - 1, -1, True, None, {}], "b": []}
    read = json.loads(write_json(value))
    assert read["a"] == ["ö", "b", "\n", '"\\', "\x7f", "\U0001f600", str(2**64 - 1), -1, True, None, {}]
    assert write_json("\ud83d") == '"\\ufffd"'


def test_signature_in_the_pester_suite_is_right() -> None:
    """The Pester suite compares the agent's signature with a number: this is where it comes from."""
    source = (ROOT / "agents" / "windows" / "tests" / "Json.Tests.ps1").read_text(encoding="ascii")
    shown = re.search(r"\$wire \| Should -BeExactly '([0-9a-f]{64})'", source)
    assert shown
    body = hashlib.sha256(b"wire bytes").hexdigest()
    signed = (
        "plumbline-1\nPOST\n/agent/v1/check-in\n0123456789abcdef0123456789abcdef\n3\n42\nffeeddccbbaa99887766554433221100\n2\n"
        f"2026-03-02T08:15:00Z\ngzip\n{body}\n"
    )
    assert hmac.new(bytes(range(32)), signed.encode(), hashlib.sha256).hexdigest() == shown.group(1)
