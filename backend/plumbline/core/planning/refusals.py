"""Why something is not planned: refused by a gate, or left to a person."""

from dataclasses import dataclass
from typing import NoReturn

from plumbline.core.planning.plan import GateName


@dataclass(frozen=True, slots=True)
class Refused:
    """A gate stands against it: which, about which volume, path or fact, in words, and what to run to look at it or to open it."""

    gate: GateName
    about: str
    words: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class ByHand:
    """Only a person can do it: why, and the steps."""

    because: str
    steps: tuple[str, ...]


class NotPlanned(Exception):
    """Carries the reason out of the making of a finding's elements; `elements.drafts_of` turns it into its answer."""

    def __init__(self, why: Refused | ByHand) -> None:
        super().__init__(why)
        self.why = why


def refuse(gate: GateName, about: str, words: str, command: str = "") -> NoReturn:
    """Gives a finding up at a gate."""
    raise NotPlanned(Refused(gate, about, words, command))


def leave_to_people(because: str, *steps: str) -> NoReturn:
    """Gives a finding up to a person."""
    raise NotPlanned(ByHand(because, steps))
