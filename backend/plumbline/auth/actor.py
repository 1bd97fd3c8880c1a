"""Who makes a request: a person with the grants that are valid now."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from plumbline.infra.group_path import ids_on

Role = Literal["viewer", "operator", "approver", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
ROOT_PATH = "1/"
_ROLES = frozenset(ROLES)


@dataclass(frozen=True, slots=True)
class Grant:
    """A role on a group and its subgroups. `path` holds the ids from the root down, `1/4/9/`."""

    role: Role
    group_id: int
    path: str
    group_name: str = ""


@dataclass(frozen=True, slots=True)
class Actor:
    """A signed-in person, or a program with one of their tokens."""

    person_id: int
    login: str
    display_name: str = ""
    time_zone: str = "UTC"
    grants: tuple[Grant, ...] = ()
    session_hash: bytes = b""
    # The person has to set a password of their own before they decide as a second person.
    must_set_password: bool = False
    # Second factors are required here, and this session began without one: the person adds one before they decide as a second person.
    must_add_second_factor: bool = False
    # "token:7 prometheus" where a program uses a token; then there is no session.
    token: str = ""

    @property
    def audit_name(self) -> str:
        """How the audit trail names this person, and the token that a program used."""
        return f"person:{self.person_id} {self.login}{f' by {self.token}' if self.token else ''}"

    @property
    def scopes(self) -> tuple[str, ...]:
        """Paths of the groups this person may read: every role reads its scope. No path lies below another."""
        return _scopes(self.grants, _ROLES)

    @property
    def scope_roots(self) -> tuple[int, ...]:
        """Ids of the groups at the end of these paths: this person may read them and their subgroups."""
        return tuple(ids_on(path)[-1] for path in self.scopes)

    def scopes_as(self, roles: frozenset[Role]) -> tuple[str, ...]:
        """Paths of the groups on which the person has one of the roles."""
        return _scopes(self.grants, roles)


# A page asks for them once for each of its rows or groups.
@lru_cache(maxsize=1024)
def _scopes(grants: tuple[Grant, ...], roles: frozenset[Role]) -> tuple[str, ...]:
    return scopes_of(grant.path for grant in grants if grant.role in roles)


def scopes_of(paths: Iterable[str]) -> tuple[str, ...]:
    """The shortest paths that cover all of them."""
    shortest: list[str] = []
    for path in sorted(set(paths)):
        if not any(path.startswith(prefix) for prefix in shortest):
            shortest.append(path)
    return tuple(shortest)
