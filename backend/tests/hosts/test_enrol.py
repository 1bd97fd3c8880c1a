"""Enrolment: tokens, nonces, names, the same host again."""

import secrets
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, select

from plumbline.hosts.agent_keys import KeyRing
from plumbline.hosts.enrol import Enrolled, TokenRefused, enrol
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token, revoke_token
from plumbline.hosts.name_search import name_grams, search_grams
from plumbline.infra.database import now_of
from plumbline.infra.errors import BadInput, Conflict, NotAllowed
from plumbline.models.audit import AuditEntry
from plumbline.models.auth import Person, RoleGrant
from plumbline.models.hosts import Enrolment, EnrolmentToken, Host, HostGroup


@pytest.fixture(autouse=True)
def keys(keys_folder: Path) -> None:
    """A folder of keys for every test here."""


def take(session: Session, token: str, *, name: str = "win-01", nonce: str = "", platform: str = "windows") -> Enrolled:
    return enrol(session, token=token, nonce=nonce or secrets.token_hex(16), name=name, platform=platform, agent_version="1")  # type: ignore[arg-type]


def row_of(session: Session, token: str) -> EnrolmentToken:
    from plumbline.hosts.enrol import hash_token

    return session.exec(select(EnrolmentToken).where(EnrolmentToken.token_hash == hash_token(token))).one()


def test_a_token_is_counted_and_audited(session: Session) -> None:
    token = make_token(session, TokenTerms(name="t", group_id=1, uses=2)).token
    first, second = take(session, token), take(session, token, name="win-02")
    assert first.host_id != second.host_id
    assert first.secret != second.secret
    assert first.state == "waiting"
    with pytest.raises(TokenRefused):
        take(session, token)
    actions = [entry.action for entry in session.exec(select(AuditEntry))]
    assert actions == ["token.made", "host.enrolled", "host.enrolled"]
    assert token not in repr([entry.after for entry in session.exec(select(AuditEntry))])


def test_the_same_nonce_answers_the_same_and_burns_nothing(session: Session) -> None:
    token = make_token(session, TokenTerms(name="t", group_id=1, uses=1)).token
    first = take(session, token, nonce="n" * 20)
    assert take(session, token, nonce="n" * 20) == first
    assert row_of(session, token).uses_left == 0
    session.exec(select(Enrolment)).one().enrolled_at -= timedelta(hours=25)
    session.flush()
    with pytest.raises(TokenRefused):
        take(session, token, nonce="n" * 20)


@pytest.mark.parametrize("how", ["unknown", "expired", "revoked"])
def test_a_token_that_is_no_longer_good(session: Session, how: str) -> None:
    made = make_token(session, TokenTerms(name="t", group_id=1))
    if how == "expired":
        made.row.expires_at = now_of(session) - timedelta(seconds=1)
        session.flush()
    elif how == "revoked":
        revoke_token(session, actor="person:1", token_id=made.row.id or 0)
    with pytest.raises(TokenRefused) as refused:
        take(session, "plt_guess" if how == "unknown" else made.token)
    assert "invalid, expired or used up" in refused.value.message


def test_a_name_pattern_filters(session: Session) -> None:
    token = make_token(session, TokenTerms(name="t", group_id=1, name_pattern="ESX-*")).token
    with pytest.raises(NotAllowed):
        take(session, token, name="win-01")
    assert take(session, token, name="esx-01").host_id


@pytest.mark.parametrize("name", ["", " x", "a\nb", "x" * 256, "a\x00"])
def test_names_that_are_none(session: Session, name: str) -> None:
    with pytest.raises(BadInput):
        take(session, make_token(session, TokenTerms(name="t", group_id=1)).token, name=name)


def test_a_host_enrolled_again_keeps_its_id_and_gets_a_higher_epoch(session: Session) -> None:
    first = take(session, make_token(session, TokenTerms(name="t", group_id=1, is_auto_approved=True)).token, nonce="n" * 20)
    again = make_token(session, TokenTerms(name="again", group_id=1, host_id=first.host_id)).token
    second = take(session, again)
    assert (second.host_id, second.epoch, second.generation) == (first.host_id, 2, 2)
    assert second.secret != first.secret
    assert second.state == "active"
    with pytest.raises(TokenRefused):
        take(session, again)


def test_a_host_that_left_the_tokens_group_is_not_enrolled_again_with_it(session: Session) -> None:
    """The response holds the host's new secret, and that is for the people of the group in which the host is now."""
    groups = [HostGroup(parent_id=1, name=name, path=f"1/{name}/") for name in ("a", "b")]
    session.add_all(groups)
    session.flush()
    a, b = groups
    a.path, b.path = f"1/{a.id}/", f"1/{b.id}/"
    below = HostGroup(parent_id=a.id, name="below", path=f"1/{a.id}/900/")
    session.add(below)
    session.flush()
    first = take(session, make_token(session, TokenTerms(name="t", group_id=a.id or 0)).token)
    older, other = (make_token(session, TokenTerms(name="again", group_id=1, host_id=first.host_id)).token for _ in range(2))
    host = session.get_one(Host, first.host_id)
    host.group_id = b.id or 0
    session.flush()
    with pytest.raises(TokenRefused):
        take(session, older)
    assert (host.epoch, row_of(session, older).uses_left) == (1, 1)
    # Below the token's group it is still one of its hosts.
    host.group_id = below.id or 0
    session.flush()
    assert take(session, older, nonce="n" * 20).epoch == 2
    host.group_id = b.id or 0
    session.flush()
    with pytest.raises(TokenRefused):
        take(session, older, nonce="n" * 20)
    with pytest.raises(TokenRefused):
        take(session, other)


def test_a_token_of_somebody_who_lost_the_right_enrols_no_host_again(session: Session) -> None:
    person = Person(login="ana")
    session.add(person)
    session.flush()
    grant = RoleGrant(person_id=person.id, role="admin", group_id=1)
    session.add(grant)
    first = take(session, make_token(session, TokenTerms(name="t", group_id=1)).token)
    token = make_token(session, TokenTerms(name="again", group_id=1, host_id=first.host_id), created_by=person.id).token
    session.delete(grant)
    session.flush()
    with pytest.raises(TokenRefused):
        take(session, token)
    session.add(RoleGrant(person_id=person.id, role="admin", group_id=1))
    session.flush()
    assert take(session, token).epoch == 2


def test_an_old_nonce_never_answers_a_newer_secret(session: Session) -> None:
    token = make_token(session, TokenTerms(name="t", group_id=1, uses=5)).token
    first = take(session, token, nonce="n" * 20)
    take(session, make_token(session, TokenTerms(name="again", group_id=1, host_id=first.host_id)).token)
    with pytest.raises(Conflict):
        take(session, token, nonce="n" * 20)


def test_the_interval_is_the_nearest_groups(session: Session) -> None:
    session.get_one(HostGroup, 1).check_in_interval_seconds = 600
    below = HostGroup(parent_id=1, name="b", path="1/900/")
    session.add(below)
    session.flush()
    assert take(session, make_token(session, TokenTerms(name="t", group_id=below.id or 0)).token).interval_seconds == 600


def test_names_are_found_by_three_letters(session: Session) -> None:
    take(session, make_token(session, TokenTerms(name="t", group_id=1)).token, name="SQL-Prod-01")
    host = session.exec(select(Host)).one()
    assert set(search_grams("prod")) <= set(host.name_grams)
    assert not set(search_grams("test")) <= set(name_grams("SQL-Prod-01"))


def test_keys_are_made_once_and_private(tmp_path: Path) -> None:
    one, two = KeyRing(tmp_path / "k"), KeyRing(tmp_path / "k")
    assert one.secret("h", 1, "1") == two.secret("h", 1, "1")
    assert one.secret("h", 1, "1") != one.secret("h", 2, "1")
    assert one.secret("h", 1, "1") != one.secret("g", 1, "1")
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "k").iterdir()} == {0o600}
    assert (one.make_next_agent_key(), one.newest) == ("2", "2")
    assert one.secret("h", 1, "1") == two.secret("h", 1, "1")
    with pytest.raises(KeyError):
        one.secret("h", 1, "9")
