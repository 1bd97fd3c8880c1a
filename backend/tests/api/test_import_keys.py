"""Importing keys of hosts: shown first, then pinned; never over another key unasked, never half a file, never outside one's own hosts."""

from pathlib import Path
from typing import Any

import paramiko
import pytest
from sqlmodel import text
from typer.testing import CliRunner

from plumbline import cli
from plumbline.channels.ssh import fingerprint
from plumbline.collection import endpoints
from plumbline.infra.database import session_scope
from plumbline.models.collection import CollectionEndpoint
from tests.api.conftest import Ask
from tests.api.test_acts import acts
from tests.api.test_collection import collected, credential
from tests.api.world import World

KEYS = [paramiko.ECDSAKey.generate() for _ in range(2)]
LINES = [f"{key.get_name()} {key.get_base64()}" for key in KEYS]
PINS = [fingerprint(key.asbytes()) for key in KEYS]
HEX = "0a" * 32


def ask_import(ask: Ask, content: str, *, login: str = "admin", status: int = 200, form: str = "known_hosts", **more: Any) -> Any:
    answer = ask(login, "POST", "/collection/keys", json={"text": content, "form": form, **more})
    assert answer.status_code == status, answer.text
    return answer.json()


def states(said: Any) -> list[tuple[int, str, str]]:
    return [(line["line"], line["state"], (line["host"] or {}).get("name", "")) for line in said["lines"]]


def pins(host_id: str) -> list[str]:
    with session_scope() as session:
        return list(session.get_one(CollectionEndpoint, host_id).pins)


@pytest.fixture(autouse=True)
def nothing_left(world: World) -> Any:
    yield
    with session_scope() as session:
        session.execute(text("DELETE FROM collection_endpoint"))


def test_a_file_is_shown_first_and_pinned_only_when_asked(ask: Ask, world: World) -> None:
    host = collected(ask, world, "esx-k1", address="192.0.2.11")
    content = f"192.0.2.11 {LINES[0]}\r\nelsewhere {LINES[1]}\r\n*.net {LINES[1]}\r\n"
    shown = ask_import(ask, content)
    assert states(shown) == [(1, "set", "esx-k1"), (2, "no_host", ""), (3, "passed_over", "")]
    assert (shown["is_applied"], shown["pinned"], pins(host["host_id"])) == (False, 1, [])
    with session_scope() as session:
        assert host["host_id"] not in endpoints.due_hosts(session)
    done = ask_import(ask, content, is_applied=True)
    assert (done["pinned"], pins(host["host_id"])) == (1, [LINES[0]])
    assert acts("host", host["host_id"])[-1] == "host.key_imported"
    with session_scope() as session:
        assert host["host_id"] in endpoints.due_hosts(session)
        row = session.get_one(CollectionEndpoint, host["host_id"])
        assert (row.confirmed_by.endswith(" admin"), row.confirmed_at is not None) == (True, True)
        entry = session.execute(text("SELECT after::text FROM audit_entry WHERE action = 'host.key_imported'")).scalar_one()
        assert PINS[0] in entry
    # Once more: it is the same, and nothing is written.
    assert states(ask_import(ask, content, is_applied=True))[0][1] == "same"
    assert acts("host", host["host_id"]).count("host.key_imported") == 1


def test_another_key_is_never_put_in_the_place_of_one_unasked(ask: Ask, world: World) -> None:
    host = collected(ask, world, "esx-k2", address="192.0.2.12")
    ask_import(ask, f"esx-k2 {LINES[0]}", is_applied=True)
    kept = ask_import(ask, f"esx-k2 {LINES[1]}", is_applied=True)
    assert (states(kept), kept["pinned"], pins(host["host_id"])) == ([(1, "differs", "esx-k2")], 0, [LINES[0]])
    assert PINS[0] in kept["lines"][0]["words"]
    replaced = ask_import(ask, f"esx-k2 {LINES[1]}", is_applied=True, replaces=True)
    assert (replaced["lines"][0]["state"], pins(host["host_id"])) == ("replaced", [LINES[1]])


def test_a_host_with_several_keys_has_all_of_them(ask: Ask, world: World) -> None:
    host = collected(ask, world, "esx-k3", address="192.0.2.13")
    ask_import(ask, f"esx-k3 {LINES[0]}\n192.0.2.13 {LINES[1]}\n", is_applied=True)
    assert pins(host["host_id"]) == LINES
    # One of them alone is no news.
    assert ask_import(ask, f"esx-k3 {LINES[1]}")["lines"][0]["state"] == "same"


def test_a_broken_line_stops_the_whole_file_and_is_named(ask: Ask, world: World) -> None:
    host = collected(ask, world, "esx-k4", address="192.0.2.14")
    content = f"esx-k4 {LINES[0]}\nesx-k4 {LINES[0][:-9]}\n"
    assert ask_import(ask, content)["faults"] == 1
    refused = ask_import(ask, content, is_applied=True, status=422)
    assert "Nothing was imported. line 2: the key is cut off" in refused["detail"]
    assert pins(host["host_id"]) == []
    assert "No keys found" in ask_import(ask, "# nothing\n", status=422)["detail"]
    ask_import(ask, f"esx-k4 {LINES[0]}\x00", status=422)
    ask_import(ask, "x", form="pem", status=422)


def test_a_certificate_is_for_windows_and_a_key_for_esxi(ask: Ask, world: World) -> None:
    esxi = collected(ask, world, "esx-k5", address="192.0.2.15")
    secret = credential(ask, world.groups["prod"], kind="ntlm", account="svc")
    windows = collected(ask, world, "sql-k5", address="192.0.2.16", platform="windows", credential_id=secret["id"])
    content = f"host,key\nesx-k5,{HEX}\nsql-k5,{HEX}\nsql-k5,{PINS[0]}\n"
    said = ask_import(ask, content, form="csv", is_applied=True)
    assert [state for _, state, _ in states(said)] == ["passed_over", "set", "passed_over"]
    assert "reached over SSH" in said["lines"][0]["words"]
    assert (pins(esxi["host_id"]), pins(windows["host_id"])) == ([], [HEX])


def test_hosts_and_credentials_of_others_are_not_there(ask: Ask, world: World) -> None:
    own = credential(ask, 1, name="of everything")
    host = collected(ask, world, "esx-k6", address="192.0.2.17", credential_id=own["id"])
    # The host is in its branch, the credential is not: pinning a key would be a way to have the credential sent there.
    assert states(ask_import(ask, f"esx-k6 {LINES[0]}", login="prod-admin", is_applied=True)) == [(1, "no_host", "")]
    assert pins(host["host_id"]) == []
    ask_import(ask, f"esx-k6 {LINES[0]}", login="operator", status=403)


def test_the_same_by_hand(ask: Ask, world: World, tmp_path: Path) -> None:
    host = collected(ask, world, "esx-k7", address="192.0.2.18")
    file = tmp_path / "keys.csv"
    file.write_text(f"esx-k7,{PINS[0]}\nelsewhere,{PINS[1]}\n")
    shown = CliRunner().invoke(cli.app, ["keys", "import", str(file)])
    assert shown.output.splitlines() == [
        "line 1: set, esx-k7",
        "line 2: no matching host, elsewhere (no host here that Plumbline signs in to has this name or address)",
        "Keys of 1 host would be imported; add --apply to import.",
    ]
    assert pins(host["host_id"]) == []
    assert CliRunner().invoke(cli.app, ["keys", "import", str(file), "--apply"]).exit_code == 0
    assert pins(host["host_id"]) == [PINS[0]]
    file.write_text("esx-k7\n")
    broken = CliRunner().invoke(cli.app, ["keys", "import", str(file), "--apply"])
    assert "line 1: a line is host,key" in str(broken.exception)
    assert "form" in str(CliRunner().invoke(cli.app, ["keys", "import", str(file), "--format", "pem"]).exception)
