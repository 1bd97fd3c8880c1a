"""The sections of a host: what its newest check-in claims of each, compared with what is stored."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import msgspec

from plumbline.checkin.envelope import MAX_ERROR_CHARACTERS, SectionFacts
from plumbline.evaluation.evaluate import unread_of

# Stored once for all hosts: a driver's catalogue is the same on each and has nothing of the host in it.
SHARED_SECTIONS = frozenset({"property_catalogue"})


class SectionState(NamedTuple):
    """One section of a host. `body_id` None: its body is being stored, or it has none."""

    status: str
    error: str = ""
    sha256: bytes | None = None
    body_id: int | None = None


class NewBody(NamedTuple):
    """A section body to be stored. `owner` is the host's id, or empty for a shared section."""

    owner: str
    section: str
    sha256: bytes
    content: bytes


class Alias(NamedTuple):
    """Another digest of a stored body, none of whose settings differ."""

    section: str
    sha256: bytes
    body_id: int


@dataclass(slots=True)
class SectionChanges:
    """What a check-in changes of its host's sections."""

    # Sections whose row changes.
    sections: dict[str, SectionState] = field(default_factory=dict)
    bodies: list[NewBody] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)

    @property
    def wanted(self) -> dict[str, bytes]:
        """Digests of sections whose body was not sent and is not known to be stored."""
        sent = {body.section for body in self.bodies}
        return {
            name: state.sha256
            for name, state in self.sections.items()
            if state.sha256 is not None and state.body_id is None and name not in sent
        }

    def keep_bodies(self, stored: Mapping[str, SectionState]) -> None:
        """No setting changed: bodies that differ become aliases of the stored ones, and only changes of status are written."""
        for name, state in list(self.sections.items()):
            before = stored.get(name)
            if state.sha256 is not None and before is not None and before.body_id is not None and before.status == "ok":
                self.aliases.append(Alias(name, state.sha256, before.body_id))
                del self.sections[name]
        self.bodies = [body for body in self.bodies if body.section in self.sections]


def digest_of(platform: str, sections: Mapping[str, SectionFacts]) -> bytes:
    """One digest of everything that line 1 claims of the sections: a check-in with the digest of the one before changes nothing."""
    return hashlib.sha256("\n".join([platform, *(_line(name, sections[name]) for name in sorted(sections))]).encode()).digest()


def _line(name: str, facts: SectionFacts) -> str:
    if facts.status == "ok":
        return f"{name} {facts.sha256}"
    return f"{name} {facts.status} {msgspec.json.encode(_error_of(facts)).decode()}"


def _error_of(facts: SectionFacts) -> str:
    return (facts.error if isinstance(facts.error, str) else "")[:MAX_ERROR_CHARACTERS]


def owner_of(section: str, host_id: str) -> str:
    """Under whose id the section's body is stored."""
    return "" if section in SHARED_SECTIONS else host_id


def compare_sections(
    host_id: str,
    claimed: Mapping[str, SectionFacts],
    stored: Mapping[str, SectionState],
    aliases: Mapping[str, set[bytes]],
    sent: Mapping[str, bytes],
) -> SectionChanges:
    """What line 1 changes of the stored sections. `aliases` are other digests of the stored bodies, `sent` the bodies of this check-in.

    Whether a sent body is stored already is not asked: the INSERT finds out.
    """
    found = SectionChanges()
    for name, facts in claimed.items():
        before = stored.get(name)
        error = _error_of(facts)
        if facts.status != "ok" or not isinstance(facts.sha256, str):
            if before is None or before.status != facts.status or before.error != error:
                found.sections[name] = SectionState(facts.status, error)
            continue
        digest = bytes.fromhex(facts.sha256)
        if before is not None and before.status == "ok" and (digest == before.sha256 or digest in aliases.get(name, ())):
            continue
        found.sections[name] = SectionState("ok", error, digest)
        if name in sent:
            found.bodies.append(NewBody(owner_of(name, host_id), name, digest, sent[name]))
    for name, before in stored.items():
        if name not in claimed and before.status != "failed":
            found.sections[name] = SectionState("failed", "the agent did not list it")
    return found


def failed_of(sections: Mapping[str, SectionState]) -> list[str]:
    """The names of failed sections, as the host's row is given them."""
    return sorted(name for name, state in sections.items() if state.status == "failed")


def digests_of(sections: Mapping[str, SectionState]) -> str:
    """The digests of the bodies that a configuration was read from, as JSON by section. A section that was not read has its status and
    reason under `!` and its name, since evaluating the configuration later depends on them."""
    digests = {name: state.sha256.hex() for name, state in sections.items() if state.sha256 is not None}
    digests |= {f"!{name}": f"{state.status}: {state.error}" for name, state in sections.items() if state.status != "ok"}
    return msgspec.json.encode(digests).decode()


def unread_kinds_of(platform: str, sections: Mapping[str, SectionState]) -> Mapping[str, str]:
    """The kinds of subject that could not be listed, with the reasons."""
    if all(state.status == "ok" for state in sections.values()):
        return _not_sent(platform, frozenset(sections))
    return unread_of(platform, {name: (state.status, state.error) for name, state in sections.items()})


@lru_cache(maxsize=256)
def _not_sent(platform: str, names: frozenset[str]) -> Mapping[str, str]:
    """As `unread_kinds_of`, for a host all of whose sections were read: the same for every host with these sections."""
    return unread_of(platform, dict.fromkeys(names, ("ok", "")))
