"""Why a finding is not planned: a gate fails, or its fix is manual."""

from dataclasses import dataclass
from typing import NoReturn

from plumbline.core.planning.plan import GateName


@dataclass(frozen=True, slots=True)
class Refused:
    """A gate fails: which, for which volume, path or fact, its text, and the command to inspect or to open it."""

    gate: GateName
    about: str
    words: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class ManualOnly:
    """Only a person can do it: why, and the steps."""

    because: str
    steps: tuple[str, ...]


class NotPlanned(Exception):
    """The reason why the elements of a finding cannot be built; `elements.drafts_of` returns it."""

    def __init__(self, why: Refused | ManualOnly) -> None:
        super().__init__(why)
        self.why = why


def refuse(gate: GateName, about: str, words: str, command: str = "") -> NoReturn:
    """Refuses a finding at a gate."""
    raise NotPlanned(Refused(gate, about, words, command))


def leave_manual(because: str, *steps: str) -> NoReturn:
    """Leaves the fix of a finding to a person."""
    raise NotPlanned(ManualOnly(because, steps))
