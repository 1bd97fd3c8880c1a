"""The vault's key is renewed under load: no read fails, and afterwards the old key opens nothing."""

import threading
from pathlib import Path

import pytest
from sqlmodel import Session, select, text

from plumbline import vault
from plumbline.hosts.agent_keys import KeyRing
from plumbline.infra.database import session_scope
from plumbline.infra.errors import Conflict
from plumbline.models.vault import VaultSecret
from plumbline.vault import renew_key, seal
from plumbline.vault.service import SecretUnusable, VaultClosed, reveal

COUNT = 250


def store(session: Session, number: int) -> int:
    new = vault.NewSecret(name=f"c{number}", purpose="remediation", values={"password": f"secret {number}"})
    return vault.put_secret(session, new, actor="test", is_audited=False)


def test_no_read_fails_while_the_key_is_renewed(fresh_database: str, keys_folder: Path) -> None:
    with session_scope() as session:
        ids = [store(session, number) for number in range(COUNT)]
    is_over = threading.Event()
    failed: list[str] = []
    reads = 0

    def read() -> None:
        nonlocal reads
        at = 0
        while not is_over.is_set():
            number = at % COUNT
            try:
                with session_scope() as session:
                    if reveal(session, ids[number], purpose="remediation") != {"password": f"secret {number}"}:
                        failed.append(f"{number}: another value")
            except Exception as error:
                failed.append(f"{number}: {error}")
            at, reads = at + 7, reads + 1

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    with session_scope() as session:
        assert renew_key.make_next(session, folder=keys_folder) == "2"
        # Sealed under the new key already, while the others are not.
        ids.append(store(session, COUNT))
    chunks = []
    while True:
        with session_scope() as session:
            count = renew_key.reseal_chunk(session, folder=keys_folder)
        if not count:
            break
        chunks.append(count)
    is_over.set()
    for reader in readers:
        reader.join()
    assert failed == []
    assert reads > 20
    assert chunks == [100, 100, 50]
    with session_scope() as session:
        assert renew_key.credentials_by_key(session) == [("2", COUNT + 1)]
        assert reveal(session, ids[-1], purpose="remediation") == {"password": f"secret {COUNT}"}
    (keys_folder / "vault-1.key").unlink()
    with session_scope() as session:
        assert all(reveal(session, each, purpose="remediation") for each in ids)
        acts = session.execute(text("SELECT action, count(*) FROM audit_entry GROUP BY 1 ORDER BY 1")).all()
    assert [tuple(row) for row in acts] == [("vault_key.made", 1), ("vault_key.resealed", 3)]


def test_the_old_key_opens_nothing_any_more(fresh_database: str, keys_folder: Path) -> None:
    with session_scope() as session:
        first, second = store(session, 1), store(session, 2)
    old = seal.private_key(keys_folder, "1")
    assert old is not None
    with session_scope() as session:
        renew_key.make_next(session, folder=keys_folder)
    with session_scope() as session:
        assert renew_key.reseal_chunk(session, folder=keys_folder) == 2
    with session_scope() as session:
        row = session.get_one(VaultSecret, first)
        with pytest.raises(seal.SealBroken):
            seal.unseal(row.sealed, private=old, data=seal.associated_data(first, row.version, row.purpose))
        # The seal is still bound to its row: one in the place of another is refused.
        row.sealed = session.get_one(VaultSecret, second).sealed
        session.add(row)
        session.flush()
        with pytest.raises(SecretUnusable):
            reveal(session, first, purpose="remediation")
        session.rollback()


def test_a_row_under_a_key_that_is_gone_is_named(fresh_database: str, keys_folder: Path) -> None:
    with session_scope() as session:
        lost = store(session, 1)
        renew_key.make_next(session, folder=keys_folder)
    (keys_folder / "vault-1.key").unlink()
    with session_scope() as session, pytest.raises(Conflict, match=r"'c1' is sealed under vault-1\.key, which is not in"):
        renew_key.reseal_chunk(session, folder=keys_folder)
    with session_scope() as session, pytest.raises(VaultClosed):
        reveal(session, lost, purpose="remediation")


def test_a_folder_that_can_only_seal_is_refused(fresh_database: str, keys_folder: Path) -> None:
    with session_scope() as session:
        store(session, 1)
    (keys_folder / "vault-1.key").unlink()
    for act in (renew_key.make_next, renew_key.reseal_chunk):
        with session_scope() as session, pytest.raises(Conflict, match="private key"):
            act(session, folder=keys_folder)
    with session_scope() as session:
        assert session.exec(select(VaultSecret.key_id)).one() == "1"


def test_a_running_process_takes_up_the_new_receipt_key(tmp_path: Path) -> None:
    running, command = KeyRing(tmp_path), KeyRing(tmp_path)
    before = running.receipt_key
    command.renew_receipt_key()
    running._checked_at = float("-inf")
    assert running.receipt_key == command.receipt_key != before
    assert (tmp_path / "receipt.key").stat().st_mode & 0o777 == 0o600
    assert running.newest == "1"
