"""The series on the card of a symptom: its own counters, of storage adapters alone where they are known."""

import pytest
from sqlmodel import Session

from plumbline.models.configurations import SwitchPort
from plumbline.models.counters import CounterSeries
from plumbline.oncall.problems import Problem
from plumbline.oncall.symptom_series import MOST_SERIES, RETRANSMITS, series_of
from tests.api.world import add_host

COUNTERS = [
    ("adapter/san", "errors_received"), ("adapter/san", "errors_sent"), ("adapter/san", "drops_received"),
    ("adapter/lan", "errors_received"), ("volume/a", "read_time_us"), ("volume/a", "write_time_us"),
    ("volume/b", "read_latency_us"), ("host/", "cpu_percent"),
]  # fmt: skip


def symptom(host_id: str, *parts: str) -> Problem:
    return Problem("symptom", host_id, None, "", "", parts, 4)


@pytest.fixture
def host(session: Session) -> str:
    host_id = add_host(session, "esx-01", group_id=1)
    for no, (subject, name) in enumerate(COUNTERS):
        session.add(CounterSeries(host_id=host_id, no=no, subject=subject, name=name, kind="total"))
    session.flush()
    return host_id


def add_port(session: Session, host_id: str, adapter: str, role: str) -> None:
    session.add(SwitchPort(host_id=host_id, adapter=adapter, name=adapter, role=role))
    session.flush()


def test_errors_are_shown_of_every_adapter_while_no_storage_adapter_is_known(session: Session, host: str) -> None:
    add_port(session, host, "lan", "management")
    assert series_of(session, [symptom(host, "errors")])[f"symptom-{host}"] == [
        "adapter/lan:errors_received", "adapter/san:errors_received", "adapter/san:errors_sent",
    ]  # fmt: skip


def test_the_lan_is_left_out_where_storage_adapters_are_known(session: Session, host: str) -> None:
    add_port(session, host, "san", "san_iscsi")
    assert series_of(session, [symptom(host, "errors", "latency")])[f"symptom-{host}"] == [
        "adapter/san:errors_received", "adapter/san:errors_sent",
    ]  # fmt: skip


def test_latency_is_shown_of_volumes_whether_the_host_counts_it_or_its_time(session: Session, host: str) -> None:
    add_port(session, host, "san", "san_iscsi")
    assert series_of(session, [symptom(host, "latency")])[f"symptom-{host}"] == [
        "volume/a:read_latency_us", "volume/a:write_latency_us", "volume/b:read_latency_us",
    ]  # fmt: skip


def test_a_chart_is_never_asked_for_more_than_it_draws(session: Session, host: str) -> None:
    for no in range(100, 100 + 2 * MOST_SERIES):
        session.add(CounterSeries(host_id=host, no=no, subject=f"adapter/{no}", name="errors_sent", kind="total"))
    session.flush()
    assert len(series_of(session, [symptom(host, "errors")])[f"symptom-{host}"]) == MOST_SERIES


def test_another_problem_and_a_symptom_without_counters_show_the_retransmits(session: Session, host: str) -> None:
    found = series_of(session, [symptom(host, "retransmits"), Problem("silent", host, None, "", "", ("silent",), 7)])
    assert found == {f"symptom-{host}": [RETRANSMITS], f"silent-{host}": [RETRANSMITS]}
