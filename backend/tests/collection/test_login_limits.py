"""How many logins a credential has left: rejected ones count at once, unknown ones only where the host never accepted it."""

from pathlib import Path

import pytest
from sqlmodel import Session

from plumbline import vault
from plumbline.collection import login_limits


@pytest.fixture
def credential(session: Session, keys_folder: Path) -> int:
    return vault.put_secret(
        session, vault.NewSecret(name="svc", purpose="collection", values={"password": "long enough"}, account="svc"), actor="test"
    )


def _try(session: Session, credential: int, *outcomes: str) -> None:
    for outcome in outcomes:
        ticket = login_limits.take(session, credential_id=credential, address="10.0.0.1")
        if outcome != "open":
            login_limits.settle(session, ticket, outcome=outcome)


def test_two_rejected_are_the_last(session: Session, credential: int) -> None:
    _try(session, credential, "accepted", "rejected", "rejected")
    with pytest.raises(login_limits.LoginsSpent, match=r"rejected credential 'svc' 2 times in 15 minutes. Correct"):
        _try(session, credential, "accepted")


def test_without_a_log_in_that_was_taken_an_unseen_one_counts_as_rejected(session: Session, credential: int) -> None:
    _try(session, credential, "open", "rejected")
    with pytest.raises(login_limits.LoginsSpent, match="1 times in 15 minutes, and 1 logins ended without a response"):
        _try(session, credential, "accepted")


def test_workers_that_died_while_they_logged_in_do_not_spend_a_credential_that_the_host_takes(session: Session, credential: int) -> None:
    _try(session, credential, "accepted", "open", "open", "open", "accepted", "open", "open", "open", "open")
    # Four in a row: the next could be the one that locks the account.
    with pytest.raises(login_limits.LoginsSpent):
        _try(session, credential, "accepted")


def test_one_rejection_ends_the_patience_with_unseen_ones(session: Session, credential: int) -> None:
    _try(session, credential, "accepted", "open", "rejected")
    with pytest.raises(login_limits.LoginsSpent):
        _try(session, credential, "accepted")
