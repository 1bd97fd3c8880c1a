"""Rollups equal the raw counts after any sequence of readings, waivers, publications, activations, ends of grace, decisions, and moves of
hosts and groups.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlmodel import Session, select, text

from plumbline.auth.actor import Actor, Grant, Role
from plumbline.auth.scope import read_groups
from plumbline.evaluation.linked_counts import count_linked_rules, group_linked_rules, linked_rollups
from plumbline.evaluation.reevaluate import reevaluate_hosts, reevaluate_lagging
from plumbline.evaluation.rollups import compare_rollups, fold_rollups, read_own, read_rollups
from plumbline.hosts import lifecycle
from plumbline.hosts.groups import change_group
from plumbline.infra.database import get_engine
from plumbline.infra.errors import Conflict, PlumblineError
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.packs import ConflictDecision, PackVersion
from plumbline.packs.activation import end_grace
from plumbline.packs.library import read_library
from plumbline.packs.publish import PackChoice, activate, install_builtin, publish, raise_rules_epoch
from plumbline.packs.uploads import check_files
from plumbline.waivers.attestations import attest, expire_attestations
from plumbline.waivers.lifecycle import approve_waiver, expire_waivers, withdraw_waiver
from plumbline.waivers.request import request_waiver
from plumbline.waivers.schemas import AttestationCreate, WaiverCreate
from tests.api.world import SAMPLES, _configure, add_group, add_host, add_person
from tests.packs import site
from tests.packs.test_conflict_decisions import CONFLICT, OURS, THEIRS
from tests.superseded import activate_superseded

WAIVING: tuple[Role, Role] = ("operator", "approver")
_FAILING = """
SELECT DISTINCT n.pack, n.rule, h.group_id FROM finding f JOIN rule_number n ON n.no = f.rule_no JOIN host h ON h.id = f.host_id
WHERE f.host_id = :host AND f.outcome = 'fail' AND f.waiver_id IS NULL
  AND f.kind IN ('recommended', 'guard_rail', 'consistency', 'proof') ORDER BY 1, 2
"""
READINGS = [
    f"windows/{name}" for name in ("bcm57810-2012-default", "bcm57810-2012-recommended", "x520-2012r2-default", "bcm57810-2012-isoe")
]
Opened = Callable[[], Any]


@pytest.fixture
def opened(database: str) -> Opened:
    """Sessions whose work is rolled back, one for each example."""

    @contextmanager
    def one() -> Iterator[Session]:
        engine = get_engine(database)
        with engine.connect() as connection:
            outer = connection.begin()
            with Session(connection, join_transaction_mode="create_savepoint", expire_on_commit=False) as session:
                yield session
            outer.rollback()

    return one


def _told_once(session: Session, root: int) -> dict[tuple[int, str], tuple[int, int]]:
    library = read_library(session)
    asked = group_linked_rules(library.by_no.values())
    shown = linked_rollups(session, library, [root], read_rollups(session, [root]), asked)
    return {key: (hosts, subjects) for key, (hosts, subjects, _) in shown.items()}


def _told_once_raw(session: Session, groups: list[int]) -> dict[tuple[int, str], tuple[int, int]]:
    asked = group_linked_rules(read_library(session).by_no.values())
    counted = count_linked_rules(session, "0", "h.group_id = ANY(:groups)", {"groups": groups}, asked)
    return {(first, word): found for (_, first, word), found in counted.items()}


def test_rollups_are_exact_after_anything(opened: Opened) -> None:
    class Fleet(RuleBasedStateMachine):
        @initialize()
        def begin(self) -> None:
            self.scope = opened()
            self.session: Session = self.scope.__enter__()
            install_builtin(self.session)
            activate_superseded(self.session)
            self.groups = [1, add_group(self.session, "A"), add_group(self.session, "B")]
            self.groups.append(add_group(self.session, "A1", self.groups[1]))
            self.people = [add_person(self.session, name, [("operator", 1)]) for name in ("ana", "ben")]
            self.hosts = [
                add_host(self.session, f"h{number}", group_id=group, sample=SAMPLES / f"{READINGS[number % 4]}.checkin")
                for number, group in enumerate(self.groups[1:])
            ]
            self.published = 0

        @rule(host=st.integers(0, 2), reading=st.sampled_from(READINGS))
        def read_a_host(self, host: int, reading: str) -> None:
            found = self.session.get_one(Host, self.hosts[host])
            self.session.execute(text("DELETE FROM host_section WHERE host_id = :host"), {"host": found.id})
            at: datetime = self.session.execute(text("SELECT clock_timestamp()")).scalar_one()
            _configure(self.session, found, SAMPLES / f"{reading}.checkin", at)
            self.session.flush()
            reevaluate_hosts(self.session, [found.id], in_full=True)

        @rule(rss=st.sampled_from([None, "enabled", "disabled"]), flow_control=st.sampled_from(["off", "rx_tx"]))
        def publish_a_version(self, rss: str | None, flow_control: str) -> None:
            self.published += 1
            made = site.files(version=f"1.{self.published}.0", rss=rss, flow_control=flow_control)
            checked = check_files(site.as_bytes(made))
            assert checked.loaded is not None
            publish(self.session, checked.loaded)

        @rule(group=st.integers(0, 3), place=st.integers(0, 99), graced=st.booleans(), what=st.sampled_from(["version", "off", "inherit"]))
        def activate_something(self, group: int, place: int, graced: bool, what: str) -> None:
            versions = self.session.exec(select(PackVersion).where(PackVersion.pack.in_(("site-array", "dell-bp1057-2012")))).all()  # type: ignore[attr-defined]
            chosen = versions[place % len(versions)]
            until: datetime = self.session.execute(text("SELECT clock_timestamp() + interval '1 day'")).scalar_one()
            activate(
                self.session,
                group_id=self.groups[group],
                pack=chosen.pack,
                choice=PackChoice(
                    chosen.id if what == "version" else None,
                    until if graced and what == "version" else None,
                    is_inherited=what == "inherit",
                ),
            )

        @rule()
        def let_grace_end(self) -> None:
            self.session.execute(text("UPDATE pack_activation SET grace_until = now() - interval '1 s' WHERE grace_until IS NOT NULL"))
            end_grace(self.session)

        @rule(group=st.integers(0, 3), holds=st.sampled_from([OURS, THEIRS, ""]))
        def decide(self, group: int, holds: str) -> None:
            self.session.execute(
                text(
                    "UPDATE conflict_decision SET state = 'replaced', ended_at = clock_timestamp() WHERE group_id = :g AND state = 'active'"
                ),
                {"g": self.groups[group]},
            )
            at: datetime = self.session.execute(text("SELECT clock_timestamp()")).scalar_one()
            self.session.add(
                ConflictDecision(
                    contradiction=CONFLICT, group_id=self.groups[group], holds=holds, state="active", reason="for a test",
                    proposed_by=self.people[0], proposed_at=at, decided_by=self.people[1], decided_at=at,
                )
            )  # fmt: skip
            self.session.flush()
            raise_rules_epoch(self.session)

        @rule(host=st.integers(0, 2), at=st.integers(0, 99), wide=st.booleans())
        def waive(self, host: int, at: int, wide: bool) -> None:
            """One failing rule of a host, on the host or on its whole group: requested by one person, approved by another."""
            ana, ben = (self.actor(name, person, role) for name, person, role in zip(("ana", "ben"), self.people, WAIVING, strict=True))
            failing = self.session.execute(text(_FAILING), {"host": self.hosts[host]}).all()
            if not failing:
                return
            pack, name, group_id = failing[at % len(failing)]
            scope = {"group_id": group_id} if wide else {"host_ids": [self.hosts[host]]}
            try:
                asked = WaiverCreate(pack=pack, rule=name, reason="for a test", expires_at=self.later(), **scope)  # type: ignore[arg-type]
                waiver = request_waiver(self.session, actor=ana, request=asked)
            except PlumblineError:  # it is waived already, or nothing there fails any more under what is in force now
                return
            approve_waiver(self.session, actor=ben.audit_name, waiver_id=waiver.id or 0, approved_by=ben.person_id)

        @rule(expires=st.booleans())
        def end_all_waivers(self, expires: bool) -> None:
            for waiver_id in self.session.execute(text("SELECT id FROM waiver WHERE state = 'active' ORDER BY id")).scalars().all():
                if expires:
                    self.session.execute(text("UPDATE waiver SET expires_at = now() - interval '1 s' WHERE id = :id"), {"id": waiver_id})
                else:
                    withdraw_waiver(self.session, actor="system", waiver_id=waiver_id, reason="for a test")
            self.session.expire_all()
            expire_waivers(self.session)

        @rule(host=st.integers(0, 2), wide=st.booleans(), is_so=st.booleans(), later_edition=st.booleans())
        def attest_something(self, host: int, wide: bool, is_so: bool, later_edition: bool) -> None:
            pack, name = ("dell-bp1057-2012r2", "bp1057r2") if later_edition else ("dell-bp1057-2012", "bp1057")
            scope = {"group_id": self.groups[host + 1]} if wide else {"host_id": self.hosts[host]}
            rule_id = f"{name}.fabric.redundant"
            said = AttestationCreate(
                pack=pack, rule=rule_id, is_so=is_so, statement="two switches, looked at", expires_at=self.later(), **scope  # type: ignore[arg-type]
            )  # fmt: skip
            attest(self.session, actor=self.actor("ana", self.people[0], "operator"), request=said)

        @rule()
        def let_attestations_expire(self) -> None:
            self.session.execute(text("UPDATE attestation SET expires_at = now() - interval '1 s' WHERE state = 'active'"))
            self.session.expire_all()
            expire_attestations(self.session)

        def later(self) -> datetime:
            at: datetime = self.session.execute(text("SELECT clock_timestamp() + interval '20 days'")).scalar_one()
            return at

        def actor(self, name: str, person: int, role: Role) -> Actor:
            root = self.session.get_one(HostGroup, 1)
            return Actor(person, name, grants=(Grant(role, 1, root.path, root.name),))

        @rule(host=st.integers(0, 2), group=st.integers(0, 3))
        def move(self, host: int, group: int) -> None:
            lifecycle.move_host(self.session, actor="system", host_id=self.hosts[host], group_id=self.groups[group])

        @rule(group=st.integers(1, 3), parent=st.integers(0, 3))
        def move_a_group(self, group: int, parent: int) -> None:
            admin = self.actor("ana", self.people[0], "admin")
            try:
                change_group(self.session, actor=admin, group_id=self.groups[group], changes={"parent_id": self.groups[parent]})
            except Conflict:  # below itself
                return

        @rule(limit=st.integers(1, 3))
        def judge_what_lags(self, limit: int) -> None:
            reevaluate_lagging(self.session, limit)

        @rule()
        def fold(self) -> None:
            fold_rollups(self.session)

        @invariant()
        def rollups_are_exact(self) -> None:
            if hasattr(self, "session"):
                assert compare_rollups(self.session) == {}
                for root in self.groups:
                    assert read_rollups(self.session, [root]) == self.summed_below(root)
                assert _told_once(self.session, 1) == _told_once_raw(self.session, self.groups)

        def summed_below(self, root: int) -> dict[tuple[int, str], tuple[int, int, float]]:
            """The groups' own counts, each compared with the raw counts, summed over one group and its subgroups."""
            nodes = read_groups(self.session)
            below = [node.id for node in nodes.values() if node.path.startswith(nodes[root].path)]
            total: dict[tuple[int, str], tuple[int, int, float]] = {}
            for rolled in read_own(self.session, below).values():
                for key, counts in rolled.items():
                    hosts, subjects, amount = (a + b for a, b in zip(total.get(key, (0, 0, 0.0)), counts, strict=True))
                    total[key] = (int(hosts), int(subjects), amount)
            return {key: counts for key, counts in total.items() if any(counts)}

        def teardown(self) -> None:
            if hasattr(self, "scope"):
                while reevaluate_lagging(self.session):
                    pass
                assert compare_rollups(self.session) == {}
                self.scope.__exit__(None, None, None)

    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Fleet,
        settings=settings(
            max_examples=12,
            stateful_step_count=14,
            deadline=timedelta(seconds=60),
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
