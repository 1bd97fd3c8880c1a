"""Random hosts in a tree of groups, and random changes of them."""

import random
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, text

from plumbline.auth.actor import Actor, Grant
from plumbline.auth.scope import read_groups
from plumbline.hosts.filters import HostFilters
from plumbline.models.baselines import Baseline
from plumbline.models.findings import RollupDelta
from plumbline.packs.library import read_library
from plumbline.packs.publish import install_builtin
from tests.api.world import add_group, add_person

INTERVAL = 900
# One of each of these differs from host to host.
TEXTS: dict[str, list[Any]] = {
    "platform": ["windows", "esxi"],
    "os_name": ["Windows Server 2019 Standard", "VMware ESXi"],
    "os_release": ["10.0.17763", "8.0.2", ""],
    "cluster": ["", "CL-01", "CL-02", "cl-03"],
    "state": ["waiting", "active", "active", "active", "quarantined", "retired"],
    "source": ["agent", "collector", "bundle"],
    "mode": [None, "observe", "remediate"],
    "families": [[], ["x520"], ["bcm57810", "x520"]],
    "initiator_modes": [[], ["software"], ["hardware", "software"]],
    "tags": [[], ["gold"], ["gold", "two words"], ['a "quoted", tag']],
    "is_restart_pending": [False, False, True],
    "score": [None, 40, 59, 80, 100],
    "capped_by": ["", "guard_rail"],
    "interval_seconds": [INTERVAL, 4 * INTERVAL],
}
COUNTS = ("n_pass", "n_fail", "n_unknown", "n_not_applicable", "n_waived", "n_excluded", "n_guard_rail")
FILTERS: dict[str, list[Any]] = {
    "platform": ["windows", "esxi"],
    "os": ["10.0.17763", "8.0.2"],
    "family": ["x520", "bcm57810"],
    "mode": ["software", "hardware"],
    "managed": ["observe", "remediate"],
    "outcome": ["fail", "unknown", "waived", "guard_rail", "pass", "excluded", "not_applicable"],
    "drift": ["standard", "baseline", "peers", "persisted"],
    "freshness": ["fresh", "late", "silent", "never", "bundle"],
    "cluster": ["", "CL-01", "CL-02"],
    "state": ["waiting", "active", "retired", "quarantined"],
    "tag": ["gold", "two words"],
}
BASELINE = """
INSERT INTO host_baseline (host_id, baseline_id, configuration_id, accepted_at, compared_configuration_id, differs, unread)
VALUES (:host, :baseline, 1, now(), :compared, :differs, :unread)
ON CONFLICT (host_id) DO UPDATE SET compared_configuration_id = :compared, differs = :differs, unread = :unread
"""


class Fleet:
    """Random hosts in a tree of four groups, and random changes of them."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session = session
        self.pick = random.Random(seed)
        install_builtin(session)
        library = read_library(session)
        self.rules = sorted(library.by_no)[:40]
        self.consistency = [no for no, known in library.by_no.items() if known.rule.kind == "consistency"]
        self.addresses = [library.by_no[no].rule.address for no in self.rules]
        above = add_group(session, "above")
        self.groups = [1, above, add_group(session, "below", above), add_group(session, "beside")]
        session.execute(text("UPDATE host_group SET mode = 'remediate' WHERE id = :id"), {"id": above})
        self.hosts: list[str] = []
        baseline = Baseline(group_id=1, reason="as it is", proposed_by=add_person(session, "ana", []))
        session.add(baseline)
        session.flush()
        self.baseline = baseline.id
        for _ in range(60):
            self.add()

    def values(self) -> dict[str, Any]:
        """Random values of a host."""
        pick = self.pick
        failing = sorted(pick.sample([*self.rules, *self.consistency], pick.randrange(4)))
        age = pick.choice([0, 100, INTERVAL, 2 * INTERVAL - 30, 2 * INTERVAL + 30, 4 * INTERVAL - 30, 4 * INTERVAL + 30, 10**6])
        return {
            **{name: pick.choice(choices) for name, choices in TEXTS.items()},
            **{name: pick.choice([0, 0, 3]) for name in COUNTS},
            "group_id": pick.choice(self.groups),
            "failing": failing,
            "configuration_id": pick.choice([None, 1, 2]),
            "last_seen_at": pick.choice([None, self.now() - timedelta(seconds=age)]),
        }

    def now(self) -> datetime:
        """The time of this transaction."""
        now: datetime = self.session.execute(text("SELECT now()")).scalar_one()
        return now

    def add(self) -> None:
        """A new host."""
        host_id = f"{len(self.hosts):032x}"
        values = {"id": host_id, "name": f"host-{len(self.hosts)}", **self.values()}
        # What the program gives and the database does not.
        for word in ("address", "key_id", "next_key_id", "alarm", "agent_version", "runner_hash", "hold_reason"):
            values[word] = ""
        values |= dict.fromkeys(("epoch", "generation", "last_seq", "seq_gaps", "state_version", "rules_epoch"), 1) | {"is_lab": False}
        placed = ", ".join(f":{each}" for each in values)
        self.session.execute(text(f"INSERT INTO host ({', '.join(values)}) VALUES ({placed})"), values)
        self.hosts.append(host_id)

    def change(self) -> None:
        """One change: of some values of a host, of its baseline, or of several hosts at once; or a new host."""
        host = self.pick.choice(self.hosts)
        match self.pick.randrange(7):
            case 0:
                self.add()
            case 1 | 2 | 3:
                values = self.values()
                some = {name: values[name] for name in self.pick.sample(sorted(values), self.pick.randrange(1, 5))}
                assigned = ", ".join(f"{name} = :{name}" for name in some)
                self.session.execute(text(f"UPDATE host SET {assigned} WHERE id = :id"), {"id": host, **some})
            case 4:
                group = self.pick.choice(self.groups)
                several = self.pick.sample(self.hosts, 5)
                self.session.execute(text("UPDATE host SET group_id = :group WHERE id = ANY(:hosts)"), {"group": group, "hosts": several})
            case 5:
                values = {
                    "host": host,
                    "baseline": self.baseline,
                    "compared": self.pick.choice([None, 1, 2]),
                    "differs": self.pick.choice([None, 0, 2]),
                    "unread": self.pick.choice([0, 1]),
                }
                self.session.execute(text(BASELINE), values)
            case 6:
                self.session.execute(text("DELETE FROM host_baseline WHERE host_id = :host"), {"host": host})

    def roll_up(self) -> None:
        """Counts the known hosts by the rules that they fail, as the evaluation of their findings would have done."""
        linked_nos = read_library(self.session).linked_nos
        deltas: Counter[tuple[int, int]] = Counter()
        rows = self.session.execute(text("SELECT group_id, failing FROM host WHERE state IN ('active', 'quarantined')"))
        for group_id, failing in rows:
            deltas.update((group_id, -number) for number in {linked_nos.get(no, no) for no in failing})
        self.session.execute(text("DELETE FROM rollup_delta"))
        self.session.add_all(
            RollupDelta(group_id=group_id, rule_no=number, bucket="fail", hosts=hosts, subjects=hosts)
            for (group_id, number), hosts in deltas.items()
        )
        self.session.flush()

    def filters(self) -> HostFilters:
        """Random filters that summaries know."""
        chosen: dict[str, Any] = {
            name: self.pick.sample(values, self.pick.randrange(1, 3))
            for name, values in self.pick.sample(sorted(FILTERS.items()), self.pick.randrange(3))
        }
        if self.pick.random() < 0.2:
            chosen["group"] = [self.pick.choice(self.groups)]
        if self.pick.random() < 0.2:
            chosen["rule"] = [self.pick.choice(self.addresses)]
        if self.pick.random() < 0.2:
            chosen["score_below"] = 80
        return HostFilters.model_validate(chosen)

    def actor(self) -> Actor:
        """Somebody who sees one branch of the tree, or all of it."""
        group_id = self.pick.choice(self.groups)
        path = read_groups(self.session)[group_id].path
        return Actor(person_id=1, login="ana", grants=(Grant("viewer", group_id, path),))
