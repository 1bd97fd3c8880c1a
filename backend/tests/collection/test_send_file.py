"""`plumbline check-in send`, as a process, against a served API."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from faults.samples import samples
from faults.sending import enrol
from plumbline.collection.post_check_in import CheckInRefused
from plumbline.collection.send_file import send_file
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Unavailable
from plumbline.models.hosts import Host
from tests.checkin.conftest import Served, serve, served, token  # noqa: F401 (fixtures)


@pytest.fixture
def identity(served: Served, token: str, tmp_path: Path) -> Path:  # noqa: F811
    said = enrol(served.client, token, "win-01").json()
    path = tmp_path / "identity.json"
    path.write_text(json.dumps({name: said[name] for name in ("host_id", "secret", "epoch", "generation")}))
    return path


def sent(*arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "plumbline.cli", "check-in", "send", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def last_seq(identity: Path) -> int:
    with session_scope() as session:
        return session.get_one(Host, json.loads(identity.read_text())["host_id"]).last_seq


def test_a_file_is_sent_with_its_bodies_and_the_next_takes_the_next_number(served: Served, identity: Path) -> None:  # noqa: F811
    for number, sample in enumerate(samples("windows")[:2], start=1):
        ran = sent(sample, "--server", served.url, "--identity", identity)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.startswith(f"Taken: check-in {number} of host ")
        assert last_seq(identity) == number
    assert identity.stat().st_mode & 0o777 == 0o600


def test_a_lost_answer_is_asked_for_again_under_the_same_number(served: Served, identity: Path) -> None:  # noqa: F811
    sample = samples("windows")[0]
    with pytest.raises(Unavailable):
        send_file(sample, server="http://127.0.0.1:1", identity_path=identity)
    before = json.loads(identity.read_text())
    assert before["seq"] == 1
    first = send_file(sample, server=served.url, identity_path=identity)
    # As if that answer had been lost too.
    identity.write_text(json.dumps(before))
    assert send_file(sample, server=served.url, identity_path=identity) == first
    assert last_seq(identity) == 1


def test_refusals_are_told_in_plain_words_and_use_up_their_number(served: Served, identity: Path) -> None:  # noqa: F811
    own = json.loads(identity.read_text())
    identity.write_text(json.dumps(own | {"secret": "0" * 64}))
    ran = sent(samples("windows")[0], "--server", served.url, "--identity", identity)
    assert ran.returncode == 1
    assert ran.stderr.startswith("plumbline: The signature is not accepted")
    assert "Traceback" not in ran.stderr
    identity.write_text(json.dumps(json.loads(identity.read_text()) | {"secret": own["secret"]}))
    with pytest.raises(CheckInRefused, match="could not read the check-in"):
        send_file(samples("esxi")[0], server=served.url, identity_path=identity)
    assert json.loads(identity.read_text())["seq"] == 2
    assert last_seq(identity) == 0


def test_files_that_cannot_be_used_are_named(tmp_path: Path, identity: Path) -> None:
    sample = tmp_path / "one.checkin"
    shutil.copy(samples("windows")[0], sample)
    with sample.open("ab") as file:
        file.write(b'{"not":"named"}\n')
    for path, owner, words in (
        (sample, identity, "line 1 names no section with this content"),
        (identity, identity, "is not a check-in file"),
        (tmp_path / "none", identity, "No such file"),
        (samples("windows")[0], samples("windows")[0], "is not an identity"),
    ):
        ran = sent(path, "--server", "http://127.0.0.1:1", "--identity", owner)
        assert ran.returncode == 2, ran.stderr
        assert words in ran.stderr
        assert ran.stderr.count("\n") == 1
