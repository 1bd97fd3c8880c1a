"""Settings of an offload engine that only the vendor's tool shows are entered by an operator, audited and removed.

`tests/checkin/test_entered.py` shows that they are then evaluated.
"""

from typing import Any

import pytest
from sqlmodel import select

from plumbline.infra.database import session_scope
from plumbline.models.audit import AuditEntry
from tests.api.conftest import Ask
from tests.api.world import SAMPLES, World, add_host


@pytest.fixture(scope="module")
def host(world: World) -> str:
    with session_scope() as session:
        sample = SAMPLES / "windows" / "bcm57810-2012-isoe.checkin"
        return add_host(session, "iso-01", group_id=world.groups["prod_b"], sample=sample)


def settings_of(ask: Ask, host: str) -> dict[str, dict[str, Any]]:
    items = ask("viewer", "GET", f"/hosts/{host}/settings").json()["items"]
    return {item["address"]: item for item in items if item["choices"] is not None}


def test_an_operator_enters_it_and_takes_it_back(ask: Ask, host: str) -> None:
    enterable = settings_of(ask, host)
    assert {item["key"] for item in enterable.values()} == {"initiator.mtu", "initiator.flow_control"}
    flow = [address for address, item in enterable.items() if item["key"] == "initiator.flow_control"]
    assert {choice["label"] for choice in enterable[flow[0]]["choices"]} >= {"Rx & Tx", "off"}
    answer = ask("operator", "PATCH", f"/hosts/{host}", json={"entered": dict.fromkeys(flow, "rx_tx")})
    assert answer.status_code == 200, answer.text
    assert ask("viewer", "GET", f"/hosts/{host}").json()["overrides"] == dict.fromkeys(flow, "rx_tx")
    with session_scope() as session:
        entry = session.exec(
            select(AuditEntry).where(AuditEntry.object_id == host, AuditEntry.action == "host.changed").order_by(AuditEntry.id)  # type: ignore[arg-type]
        ).all()[-1]
        assert (entry.before, entry.after) == ({"entered": {}}, {"entered": dict.fromkeys(flow, "rx_tx")})
    assert ask("operator", "PATCH", f"/hosts/{host}", json={"entered": dict.fromkeys(flow)}).status_code == 200
    assert ask("viewer", "GET", f"/hosts/{host}").json()["overrides"] == {}


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("host//os_release", "2012", "can't be entered"),
        ("initiator/gone/mtu", "9600", "can't be entered"),
        ("initiator", "9600", "can't be entered"),
        ("%zz/%/%", "9600", "can't be entered"),
        ("", "9600", "can't be entered"),
    ],
)
def test_settings_that_a_host_reports_cannot_be_entered(ask: Ask, host: str, place: str, value: str, words: str) -> None:
    answer = ask("operator", "PATCH", f"/hosts/{host}", json={"entered": {place: value}})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


@pytest.mark.parametrize("value", ["", "lots", "-1", "99999", "9600.5"])
def test_what_is_no_value_is_refused(ask: Ask, host: str, value: str) -> None:
    mtu = next(address for address, item in settings_of(ask, host).items() if item["key"] == "initiator.mtu")
    answer = ask("operator", "PATCH", f"/hosts/{host}", json={"entered": {mtu: value}})
    assert answer.status_code == 422
    assert "is not a valid value for L3 MTU" in answer.json()["detail"]


def test_who_may_enter(ask: Ask, host: str) -> None:
    mtu = next(address for address, item in settings_of(ask, host).items() if item["key"] == "initiator.mtu")
    for login, status in (("viewer", 403), ("approver", 403), ("nobody", 403)):
        assert ask(login, "PATCH", f"/hosts/{host}", json={"entered": {mtu: "9600"}}).status_code == status
