"""The background work on the tables of check-ins."""

from datetime import timedelta

import psycopg
import pytest
from sqlalchemy import make_url
from sqlmodel import text
from typer.testing import CliRunner

from faults.samples import samples, sections_of
from faults.sending import enrol, sender_of
from plumbline.checkin.reread import reread_hosts
from plumbline.checkin.retention import make_partitions, purge
from plumbline.cli import app
from plumbline.configurations.compression import Packer, train_dictionaries
from plumbline.evaluation.rollups import compare_rollups
from plumbline.infra.clock import utc_now
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.configurations import SectionBody
from plumbline.models.hosts import Host
from plumbline.ops import embedded_servers
from plumbline.packs.publish import install_builtin
from tests.checkin.conftest import Served
from tests.conftest import pointed_at


def test_partitions_are_there_already_and_nothing_young_is_purged(served: Served, token: str) -> None:
    sender = sender_of(enrol(served.client, token, "win-01"), sections=sections_of(samples("windows")[0]))
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        # Unless midnight passed since the database was made, which came with the topmost group.
        is_of_today = session.execute(text("SELECT created_at::date = now()::date FROM host_group WHERE id = 1")).scalar_one()
        made = make_partitions(session)
        assert made == 0 or not is_of_today
        assert make_partitions(session) == 0
        assert not any(purge(session).values())


def test_what_is_older_than_its_time_goes(
    fresh_database: str, cluster: embedded_servers.PostgresCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = make_url(fresh_database).database or ""
    with psycopg.connect(cluster.url(embedded_servers.OWNER, name).replace("+psycopg", "")) as owner:
        for table in ("check_in", "setting_change", "finding_log", "counter_sample"):
            for month, days in (("old", 120), ("older", 4 * 365)):
                first, last = (utc_now() - timedelta(days=age) for age in (days, days - 20))
                owner.execute(f"CREATE TABLE {table}_{month} PARTITION OF {table} FOR VALUES FROM ('{first}') TO ('{last}')")
        days_kept = "SELECT (now() AT TIME ZONE 'UTC')::date - day FROM counter_day ORDER BY day"
        for age in (731, 730, 11, 10, 0):
            owner.execute(
                "INSERT INTO counter_day (host_id, no, day, chunk) VALUES ('h', 1, (now() AT TIME ZONE 'UTC')::date - %s, '')", (age,)
            )
    with pointed_at(cluster, name, role="plumbline_background"):
        with session_scope() as session:
            done = {what: how_many for what, how_many in purge(session).items() if how_many}
            assert done == {
                "check_in partitions": 2,
                "counter_sample partitions": 2,
                "setting_change partitions": 1,
                "finding_log partitions": 1,
                "days of counters": 1,
            }
            assert [age for (age,) in session.execute(text(days_kept))] == [730, 11, 10, 0]
        monkeypatch.setenv("PLUMBLINE_RETENTION_COUNTERS_DAYS", "10")
        monkeypatch.setenv("PLUMBLINE_RETENTION_CHANGES_DAYS", "90")
        get_settings.cache_clear()
        with session_scope() as session:
            done = {what: how_many for what, how_many in purge(session).items() if how_many}
            assert done == {"setting_change partitions": 1, "finding_log partitions": 1, "days of counters": 2}
            assert [age for (age,) in session.execute(text(days_kept))] == [10, 0]
            acts = session.execute(text("SELECT count(*) FROM audit_entry WHERE action = 'retention.purged'")).scalar_one()
            assert acts == 2
    monkeypatch.undo()
    get_settings.cache_clear()


def test_a_persons_role_is_read_into_the_configuration_and_judged(served: Served, token: str) -> None:
    with session_scope() as session:
        install_builtin(session)
    sender = sender_of(enrol(served.client, token, "win-01"), sections=sections_of(samples("windows")[0]))
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        host = session.get_one(Host, sender.host_id)
        before = (host.configuration_id, host.state_version, host.n_not_applicable)
        adapter = session.execute(
            text("SELECT subject_id FROM finding WHERE host_id = :id AND subject_kind = 'adapter' AND outcome = 'fail' LIMIT 1"),
            {"id": sender.host_id},
        ).scalar_one()
        host.overrides = {f"adapter/{adapter}/role": "management"}
        session.add(host)
    with session_scope() as session:
        assert reread_hosts(session, [sender.host_id]) == 1
    with session_scope() as session:
        host = session.get_one(Host, sender.host_id)
        assert host.configuration_id != before[0]
        assert host.state_version > before[1]
        left = session.execute(
            text("SELECT count(*) FROM finding WHERE host_id = :id AND subject_id = :adapter AND outcome = 'fail'"),
            {"id": sender.host_id, "adapter": adapter},
        ).scalar_one()
        assert left == 0
        assert compare_rollups(session) == {}
    # The next check-in starts from the person's role, not from memory.
    sender.boot = "boot-2"
    assert sender.send(served.client, sender.body(with_bodies=set())).status_code == 200
    # What a person runs after an upgrade reads all hosts: this one was read already.
    shown = CliRunner().invoke(app, ["re-evaluate", "--read-again"])
    assert (shown.exit_code, shown.output) == (0, "0 configurations changed.\n")
    with session_scope() as session:
        session.execute(text("UPDATE host SET overrides = '{}' WHERE id = :id"), {"id": sender.host_id})
    shown = CliRunner().invoke(app, ["re-evaluate", "--read-again", "--host", sender.host_id])
    assert (shown.exit_code, shown.output) == (0, "1 configuration changed.\n")


def test_bodies_packed_with_a_dictionary_are_smaller_and_read_back(served: Served, token: str) -> None:
    sender = sender_of(enrol(served.client, token, "win-01"), sections=sections_of(samples("windows")[0]))
    assert sender.send(served.client).status_code == 200
    bodies = [body for sample in samples("windows") for body in sections_of(sample).values()]
    with session_scope() as session:
        plain = session.execute(text("SELECT sum(length(content)), sum(size_bytes) FROM section_body")).one()
        for number in range(3):
            for index, body in enumerate(bodies):
                packed, _ = Packer().pack(body)
                digest = f"{number}-{index}".encode()
                session.add(SectionBody(host_id="x", section="system", sha256=digest, content=packed, size_bytes=len(body)))
        session.flush()
        assert train_dictionaries(session) == ["section"]
    other = sender_of(enrol(served.client, token, "win-02"), sections=sections_of(samples("windows")[1]))
    assert other.send(served.client).status_code == 200
    with session_scope() as session:
        small = session.execute(
            text("SELECT sum(length(content)), sum(size_bytes) FROM section_body WHERE dictionary_id IS NOT NULL AND host_id = :id"),
            {"id": other.host_id},
        ).one()
    assert small[0] / small[1] < 0.8 * plain[0] / plain[1]
    other.sections["tcp"] = sections_of(samples("windows")[0])["tcp"]
    assert other.send(served.client).status_code == 200
