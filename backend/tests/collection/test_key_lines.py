"""The lines of a known_hosts file and of a CSV; the same answers as OpenSSH's own ssh-keygen gives where it is installed."""

import shutil
import subprocess
from pathlib import Path

import paramiko
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.channels.ssh import fingerprint
from plumbline.collection.key_lines import read_lines

KEY = paramiko.ECDSAKey.generate()
LINE = f"{KEY.get_name()} {KEY.get_base64()}"
HEX = "0a" * 32


def test_known_hosts_lines() -> None:
    text = f"# a comment\n\nesx-a03,10.0.0.3 {LINE} root@somewhere\n[esx-b08]:2222 {LINE}\n"
    first, second = read_lines(text, "known_hosts")
    assert (first.number, first.names, first.port, first.pin, first.channel) == (3, ("esx-a03", "10.0.0.3"), 22, LINE, "ssh")
    assert first.is_for("ESX-A03", 22)
    assert first.is_for("10.0.0.3", 22)
    assert not first.is_for("esx-a03", 2222)
    assert second.is_for("esx-b08", 2222)
    assert not second.is_for("esx-b08", 22)


@pytest.mark.parametrize(
    ("line", "words", "is_fault"),
    [
        (f"@revoked esx {LINE}", "marked lines", False),
        (f"*.example.net {LINE}", "pattern", False),
        ("esx ssh-dss AAAAB3NzaC1kc3MAAACBAA==", "not taken", False),
        (f"esx {KEY.get_name()}", "missing", True),
        (f"esx {LINE[:-7]}", "cut off", True),
        (f"esx ssh-ed25519 {KEY.get_base64()}", "no key of the kind", True),
        ("esx ssh-ed25519 AAAA", "no key of the kind", True),
    ],
)
def test_what_a_line_is_not_it_says(line: str, words: str, is_fault: bool) -> None:
    (read,) = read_lines(line, "known_hosts")
    assert words in read.why_not
    assert (read.is_fault, read.pin) == (is_fault, "")


def test_csv_lines() -> None:
    pin = fingerprint(KEY.asbytes())
    text = f"Host,Key\n# note\nesx-a03,{pin}=\nesx-b08,2222,{LINE}\n\nsql-03,{':'.join(['0A'] * 32)}\nsql-04,5986,{HEX}\n"
    lines = read_lines(text, "csv")
    assert [(line.number, line.names[0], line.port, line.pin, line.channel) for line in lines] == [
        (3, "esx-a03", None, pin, "ssh"),
        (4, "esx-b08", 2222, LINE, "ssh"),
        (6, "sql-03", None, HEX, "winrm"),
        (7, "sql-04", 5986, HEX, "winrm"),
    ]
    faults = read_lines(f"esx\n,{pin}\nesx,99999,{pin}\nesx,{'0a' * 31}\nesx,22,{pin},more\n", "csv")
    assert [line.is_fault for line in faults] == [True] * 5
    assert "no port" in faults[2].why_not


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH's ssh-keygen is not here")
def test_names_that_openssh_hashed_are_known_again(tmp_path: Path) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(f"esx-a03 {LINE}\n[esx-b08]:2222 {LINE}\n")
    subprocess.run(["ssh-keygen", "-H", "-f", str(file)], check=True, capture_output=True)
    first, second = read_lines(file.read_text(), "known_hosts")
    assert first.names[0].startswith("|1|")
    assert (first.is_for("esx-a03", 22), first.is_for("esx-a04", 22), first.is_for("esx-a03", 2222)) == (True, False, False)
    assert (second.is_for("ESX-B08", 2222), second.is_for("esx-b08", 22)) == (True, False)


@given(st.text(max_size=300), st.sampled_from(["known_hosts", "csv"]))
def test_no_text_is_ever_a_crash_or_a_pin_by_accident(text: str, form: str) -> None:
    for line in read_lines(text, form):  # type: ignore[arg-type]
        assert bool(line.pin) != bool(line.why_not)
        line.is_for("esx", 22)
