"""The keys of the API are complete once it has started: who copies the folder then copies all of them."""

import shutil
from pathlib import Path

import pytest

from plumbline.auth import oidc_secret
from plumbline.hosts.agent_keys import key_ring
from plumbline.infra.settings import get_settings
from plumbline.remediation import signing_keys
from plumbline.web.api_keys import make_keys


def _names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir() if not file.name.startswith(("vault", "notices"))}


def test_all_keys_are_made_at_the_start(keys_folder: Path) -> None:
    make_keys()
    _, key_id = signing_keys.ensure_pair()
    made = {"agent-1.key", "receipt.key", "approval-signing.key", f"approval-{key_id}.pub", "sign-in.key"}
    assert _names(keys_folder) == made
    before = {name: (keys_folder / name).read_bytes() for name in made}
    make_keys()
    assert {name: (keys_folder / name).read_bytes() for name in made} == before


def test_two_nodes_with_a_copied_folder_agree(keys_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_keys()
    secret = key_ring().secret("host", 1, "1")
    sealed, sealed_by = oidc_secret.seal("of the provider", issuer="https://idp.example", version=1)
    signature, signed_by = signing_keys.sign("plan", "the text")
    copied = tmp_path / "second"
    shutil.copytree(keys_folder, copied)
    monkeypatch.setenv("PLUMBLINE_KEYS_FOLDER", str(copied))
    get_settings.cache_clear()
    make_keys()
    assert key_ring().folder == copied
    assert key_ring().secret("host", 1, "1") == secret
    assert oidc_secret.unseal(sealed, key_id=sealed_by, issuer="https://idp.example", version=1) == "of the provider"
    signing_keys.check("plan", "the text", signature, signed_by)
    assert signing_keys.ensure_pair()[1] == signed_by
