"""The envelope: what opens, what does not, and what a process without the private key can do."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.vault import seal


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("keys")
    seal.make_keys(place)
    return place


@given(plain=st.binary(max_size=2000))
def test_opens_what_was_sealed(folder: Path, plain: bytes) -> None:
    key_id, public = seal.newest_public(folder) or ("", b"")
    data = seal.associated_data(1, 1, "collection")
    private = seal.private_key(folder, key_id)
    assert private is not None
    assert seal.unseal(seal.seal(plain, public=public, data=data), private=private, data=data) == plain


@given(at=st.integers(min_value=0, max_value=75), bit=st.integers(min_value=0, max_value=7))
def test_any_changed_bit_breaks_the_seal(folder: Path, at: int, bit: int) -> None:
    key_id, public = seal.newest_public(folder) or ("", b"")
    private = seal.private_key(folder, key_id)
    assert private is not None
    data = seal.associated_data(1, 1, "collection")
    sealed = bytearray(seal.seal(b"0123456789abcdef", public=public, data=data))
    assert len(sealed) == 76
    sealed[at] ^= 1 << bit
    with pytest.raises(seal.SealBroken):
        seal.unseal(bytes(sealed), private=private, data=data)


@pytest.mark.parametrize("other", [(2, 1, "collection"), (1, 2, "collection"), (1, 1, "remediation")])
def test_bound_to_id_version_and_purpose(folder: Path, other: tuple[int, int, str]) -> None:
    key_id, public = seal.newest_public(folder) or ("", b"")
    private = seal.private_key(folder, key_id)
    assert private is not None
    sealed = seal.seal(b"x", public=public, data=seal.associated_data(1, 1, "collection"))
    with pytest.raises(seal.SealBroken):
        seal.unseal(sealed, private=private, data=seal.associated_data(*other))


def test_without_the_private_key_one_can_seal_and_not_open(tmp_path: Path) -> None:
    seal.make_keys(tmp_path)
    (tmp_path / "vault-1.key").unlink()
    key_id, public = seal.newest_public(tmp_path) or ("", b"")
    assert seal.seal(b"x", public=public, data=b"")
    assert seal.private_key(tmp_path, key_id) is None


def test_the_private_key_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    seal.make_keys(tmp_path)
    assert (tmp_path / "vault-1.key").stat().st_mode & 0o777 == 0o600


def test_a_new_pair_serves_and_the_old_one_still_opens(tmp_path: Path) -> None:
    seal.make_keys(tmp_path)
    first = seal.newest_public(tmp_path)
    assert first is not None
    sealed = seal.seal(b"old", public=first[1], data=b"")
    seal.make_keys(tmp_path)
    second = seal.newest_public(tmp_path)
    assert second is not None
    assert (first[0], second[0]) == ("1", "2")
    private = seal.private_key(tmp_path, first[0])
    assert private is not None
    assert seal.unseal(sealed, private=private, data=b"") == b"old"
