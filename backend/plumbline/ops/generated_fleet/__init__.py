"""A fleet of any size with a past, made at once for measurements and trials: `plumbline lab generate`. No agent stands behind its hosts,
and what agents send is not stored, which `plumbline doctor` reports.
"""

from pathlib import Path

from sqlalchemy import select

from plumbline import auth
from plumbline.infra.database import session_scope
from plumbline.models.auth import Person
from plumbline.ops.demo import write_private_logins
from plumbline.ops.generated_fleet.hosts import reevaluate_all, store
from plumbline.ops.generated_fleet.past import live_in, make_partitions
from plumbline.packs import publish

# The same seed makes the same fleet.
SEED = 2026


def generate(home: Path, owner: str, *, hosts: int, days: int) -> int:
    """Fills the empty database that this process is pointed at; `owner` is the URL of the role that owns it. Returns how many hosts were
    evaluated.

    Its logins go into `demo-logins.json`, one for each role.
    """
    make_partitions(owner, days)
    with session_scope() as session:
        publish.install_builtin(session)
        write_private_logins(home, auth.create_demo_people(session, is_demo=False))
    store(hosts, SEED)
    evaluated = reevaluate_all()
    with session_scope() as session:
        people = {person.login: person.id or 0 for person in session.scalars(select(Person))}
        live_in(session, days, owner=people["operator"], approver=people["approver"])
    return evaluated
