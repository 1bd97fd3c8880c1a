"""`plumbline make-keys`: each kind of process has what it needs, and nothing that is another's."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from plumbline.audit import chain
from plumbline.hosts.agent_keys import key_ring
from plumbline.infra.errors import Conflict
from plumbline.infra.settings import get_settings
from plumbline.ops.make_keys import make_keys
from plumbline.remediation import signing_keys
from plumbline.vault import seal

# Who has which file, without the id in the name of the key of approvals.
HAVE = {
    "api": {"agent-1.key", "receipt.key", "approval-signing.key", "approval.pub", "sign-in.key", "vault-1.pub", "notices-1.pub"},
    "background": {"notices-1.key", "notices-1.pub", "audit-signing.key", "approval.pub"},
    "executor": {"vault-1.key", "vault-1.pub", "approval.pub"},
}


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    make_keys(tmp_path / "keys")
    return tmp_path / "keys"


def use(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("PLUMBLINE_KEYS_FOLDER", str(folder))
    get_settings.cache_clear()


@pytest.fixture(autouse=True)
def settings_as_before() -> Iterator[None]:
    yield
    get_settings.cache_clear()


def test_each_kind_has_its_files_and_no_other(keys: Path) -> None:
    for kind, names in HAVE.items():
        found = {
            "approval.pub" if each.suffix == ".pub" and each.name.startswith("approval-") else each.name for each in (keys / kind).iterdir()
        }
        assert found == names, kind
        assert (keys / kind).stat().st_mode & 0o777 == 0o700
        private = [each for each in (keys / kind).iterdir() if each.suffix == ".key"]
        assert all(each.stat().st_mode & 0o077 == 0 for each in private)


def test_what_one_kind_closes_or_signs_the_other_opens_or_checks(keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for opener, name in (("executor", seal.VAULT), ("background", seal.NOTICES)):
        newest = seal.newest_public(keys / "api", name)
        assert newest is not None
        key_id, public = newest
        private = seal.private_key(keys / opener, key_id, name)
        assert private is not None
        data = seal.associated_data(1, 1, "collection")
        assert seal.unseal(seal.seal(b"secret", public=public, data=data), private=private, data=data) == b"secret"
        assert seal.private_key(keys / "api", key_id, name) is None
    use(monkeypatch, keys / "api")
    signature, key_id = signing_keys.sign("plan", "{}")
    for checker in ("executor", "background"):
        use(monkeypatch, keys / checker)
        signing_keys.check("plan", "{}", signature, key_id)


def test_processes_that_start_with_them_make_no_others(keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from plumbline.web.api_keys import make_keys as at_start

    before = {each: each.read_bytes() for each in keys.rglob("*") if each.is_file()}
    use(monkeypatch, keys / "api")
    at_start()
    assert key_ring().newest == "1"
    seal.ensure_keys(keys / "executor", seal.VAULT)
    seal.ensure_keys(keys / "background", seal.NOTICES)
    chain.signing_key(keys / "background")
    assert {each: each.read_bytes() for each in keys.rglob("*") if each.is_file()} == before


def test_keys_that_are_there_stay(keys: Path) -> None:
    before = {each: each.read_bytes() for each in keys.rglob("*") if each.is_file()}
    with pytest.raises(Conflict, match="holds files already"):
        make_keys(keys)
    assert make_keys(keys, once=True) == []
    assert {each: each.read_bytes() for each in keys.rglob("*") if each.is_file()} == before


def test_empty_folders_are_filled_and_half_filled_ones_are_refused(tmp_path: Path) -> None:
    for kind in HAVE:
        (tmp_path / kind).mkdir()
    assert [each.name for each in make_keys(tmp_path, once=True)] == ["api", "background", "executor"]
    for each in (tmp_path / "api").iterdir():
        each.unlink()
    with pytest.raises(Conflict, match="background holds files already"):
        make_keys(tmp_path, once=True)
