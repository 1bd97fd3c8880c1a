"""The executor's tasks on request: fetching the key that a host shows, and one sign-in, over WinRM too."""

from collections.abc import Callable

from sqlmodel import Session

from lab.windows.wsman import WsManHost
from plumbline.collection import credential_check
from plumbline.infra.database import session_scope
from plumbline.models.collection import CollectionEndpoint, CredentialCheck
from tests.collection.conftest import Collecting, log_ins


def _trial(session: Session, credential: int, host_id: str) -> int:
    trial = CredentialCheck(credential_id=credential, host_id=host_id, asked_by="test")
    session.add(trial)
    session.flush()
    assert trial.id is not None
    return trial.id


def test_a_windows_host_shows_its_certificate_and_takes_a_credential(collecting: Collecting, windows: Callable[..., WsManHost]) -> None:
    endpoint = windows("sql-01")
    credential = collecting.winrm_credential()
    host_id = collecting.add_winrm(endpoint, credential)
    assert credential_check.fetch_host_key(host_id) == collecting.server_certificate.sha256
    with session_scope() as session:
        trial_id = _trial(session, credential, host_id)
    for _ in range(2):
        # Rung twice: one sign-in all the same.
        credential_check.check_credential(trial_id)
    with session_scope() as session:
        trial = session.get_one(CredentialCheck, trial_id)
        assert (trial.state, log_ins(session)) == ("accepted", ["accepted"])
    # Nothing was run and nothing was left open.
    assert endpoint.shells == {}


def test_a_host_that_is_not_there_shows_nothing_and_says_why(collecting: Collecting, windows: Callable[..., WsManHost]) -> None:
    host_id = collecting.add_winrm(windows("sql-01"), collecting.winrm_credential())
    with session_scope() as session:
        session.get_one(CollectionEndpoint, host_id).port = 1
    assert credential_check.fetch_host_key(host_id) == ""
    with session_scope() as session:
        row = session.get_one(CollectionEndpoint, host_id)
        assert (row.shown_pin, "is unreachable" in row.look_error) == ("", True)
