"""From a configuration to findings and score: what the door, rescoring and waivers share."""

from dataclasses import dataclass, field

from plumbline.findings.store import FindingRow, HostVerdict, Identity


@dataclass(slots=True)
class Judgement:
    """A host judged: its findings, its verdict, and what is needed to compare them with the stored ones."""

    findings: list[FindingRow]
    verdict: HostVerdict
    known_rules: frozenset[int]
    # Subject kinds that could not be read, with the reason; their findings stay and become unknown.
    unread_kinds: dict[str, str] = field(default_factory=dict)

    def is_unread(self, identity: Identity) -> str:
        """Why the subject of a stored finding was not read; empty: it was looked for and is gone."""
        return self.unread_kinds.get(identity[1], "")
