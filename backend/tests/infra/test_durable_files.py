"""Small files are whole or not there, whatever ends the process that writes them, and whatever the disk holds no more."""

import errno
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from plumbline.audit.chain import signing_key as head_key
from plumbline.infra.durable_files import append_line, replace, write_new
from plumbline.infra.key_files import write_once
from plumbline.infra.settings import get_settings
from plumbline.ops import local_ca
from plumbline.ops.embedded_servers import write_secret
from plumbline.remediation import signing_keys

Write = Callable[[Path], object]
CALLS = ("open", "write", "fsync", "link", "rename", "replace", "ftruncate", "pwrite")


def killed_at(call: int, act: Callable[[], object]) -> bool:
    """Runs the act in a child that is gone before its n-th call to the disk; False where it made fewer calls."""
    child = os.fork()
    if child == 0:
        left = [call]

        def counted(real: Callable[..., object]) -> Callable[..., object]:
            def called(*arguments: object, **named: object) -> object:
                left[0] -= 1
                if left[0] < 0:
                    os._exit(9)
                return real(*arguments, **named)

            return called

        for name in CALLS:
            setattr(os, name, counted(getattr(os, name)))
        try:
            act()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


WRITERS: dict[str, tuple[str, Write, int]] = {
    "key": ("k", write_once, 64),
    "password": ("k", lambda path: write_secret(path, lambda: "p" * 30), 30),
    "key of audit heads": ("audit-signing.key", lambda path: head_key(path.parent), 32),
    "certificate": ("k", lambda path: replace(path, b"c" * 5000), 5000),
}


@pytest.mark.parametrize("name", WRITERS)
def test_killed_at_each_call_the_file_is_whole_or_not_there(name: str, tmp_path: Path) -> None:
    file_name, write, size = WRITERS[name]
    call = 0
    file = tmp_path / "0" / file_name
    while killed_at(call, partial(write, file)):
        assert not file.exists() or file.stat().st_size == size
        # The next start makes it whole.
        write(file)
        assert file.stat().st_size == size
        call += 1
        file = tmp_path / str(call) / file_name
    assert call >= 3


@pytest.mark.parametrize("name", WRITERS)
def test_on_a_full_disk_nothing_is_left_of_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file_name, write, _ = WRITERS[name]

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write(tmp_path / file_name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_and_its_name_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    real = os.fsync

    def noted(descriptor: int) -> None:
        synced.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    assert write_new(tmp_path / "one", b"x")
    assert synced == ["file", "folder"]
    replace(tmp_path / "one", b"y")
    append_line(tmp_path / "lines", "first")
    append_line(tmp_path / "lines", "second")
    assert synced == ["file", "folder"] * 3 + ["file"]
    assert not write_new(tmp_path / "one", b"z")
    assert (tmp_path / "one").read_bytes() == b"y"
    assert stat.S_IMODE((tmp_path / "one").stat().st_mode) == 0o600


@pytest.mark.parametrize("tail", ["", '{"half', "\0" * 5000, "x" * 9000])
def test_a_line_goes_after_the_last_whole_one(tmp_path: Path, tail: str) -> None:
    file = tmp_path / "lines"
    file.write_text("first\n" + tail)
    append_line(file, "second")
    append_line(file, "third")
    assert file.read_text() == "first\nsecond\nthird\n"


def test_a_line_for_which_there_is_no_room_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "lines"
    append_line(file, "first")
    real = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda descriptor, data, at: real(descriptor, data[:3], at))
    with pytest.raises(OSError, match="No space left"):
        append_line(file, "second")
    assert file.read_text() == "first\n"


def test_a_damaged_public_key_of_approvals_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_KEYS_FOLDER", str(tmp_path))
    get_settings.cache_clear()
    try:
        signature, key_id = signing_keys.sign("plan", "text")
        signing_keys.check("plan", "text", signature, key_id)
        shown = tmp_path / f"approval-{key_id}.pub"
        shown.write_bytes(b"")
        with pytest.raises(signing_keys.SignatureInvalid):
            signing_keys.check("plan", "text", signature, key_id)
        again, _ = signing_keys.sign("plan", "another")
        signing_keys.check("plan", "another", again, key_id)
        signing_keys.check("plan", "text", signature, key_id)
    finally:
        get_settings.cache_clear()


def test_a_certificate_is_made_again_where_the_key_beside_it_is_another(tmp_path: Path) -> None:
    chain, key, pin = local_ca.local_certificate(tmp_path, "127.0.0.1")
    before = chain.read_bytes()
    assert local_ca.local_certificate(tmp_path, "127.0.0.1") == (chain, key, pin)
    assert chain.read_bytes() == before
    for damaged, content in ((chain, b""), (key, b""), (key, (tmp_path / "ca.key").read_bytes())):
        damaged.write_bytes(content)
        assert local_ca.local_certificate(tmp_path, "127.0.0.1")[2] == pin
        assert local_ca._is_good(chain, key, ["127.0.0.1"])
