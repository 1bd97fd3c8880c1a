"""The sessions of a host with their adapters, as the gate of a step asks for them; a list that was not read is no empty one."""

import json
from collections.abc import Callable
from typing import Any

from lab.checkin import WindowsClient
from lab.host import LabHost
from lab.windows.common import mac_of
from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.configuration import SectionReading
from plumbline.core.planning import last_path


def assembled(host: LabHost, change: Callable[[dict[str, Any]], object] = lambda _: None) -> Assembled:
    """The host's facts; `change` alters the body of its section `iscsi`."""
    _, _, bodies = WindowsClient.show(host)
    plain = {name: json.loads(body) for name, body in bodies.items()}
    change(plain["iscsi"])
    return assemble("windows", {name: SectionReading("ok", json.dumps(body).encode()) for name, body in plain.items()})


def test_each_session_has_its_adapter(lab_host: Callable[[str], LabHost]) -> None:
    host = lab_host("ex-02")
    found = assembled(host).routes
    assert found is not None
    san = {mac_of(host, name) for name, _ in host.ports("san")}
    assert len(found) == len(host.sessions())
    assert {route.adapter for route in found} == san
    # The same adapters by target as the paths show, so that a plan and its gate use the same.
    assert last_path.by_adapter_text(found) == last_path.by_adapter_text(last_path.routes_of(assembled(host).path_map))
    first, second = (name for name, _ in host.ports("san"))
    host.set(f"session.{second}", first, cause="test")
    assert {route.adapter for route in assembled(host).routes or ()} == {mac_of(host, first)}


def test_a_list_of_sessions_that_was_not_read_is_not_known(lab_host: Callable[[str], LabHost]) -> None:
    def fail(iscsi: dict[str, Any]) -> None:
        iscsi["Get-IscsiSession"] = {"status": "failed", "error": "no answer within 8 s", "rows": []}

    assert assembled(lab_host("ex-02"), fail).routes is None


def test_without_the_initiator_service_there_are_no_sessions(lab_host: Callable[[str], LabHost]) -> None:
    def stop(iscsi: dict[str, Any]) -> None:
        iscsi["Get-Service"]["rows"][0]["Status"] = "Stopped"
        iscsi["Get-IscsiSession"] = {"status": "unavailable", "error": "the service MSiSCSI is not running", "rows": []}

    assert assembled(lab_host("ex-02"), stop).routes == ()
