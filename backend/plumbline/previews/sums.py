"""The sums of a run over its chunks: plain numbers that are stored with the run and grow with each chunk."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from plumbline.core.rules.finding_status import RANK
from plumbline.evaluation.findings import HostVerdict
from plumbline.models.previews import PreviewRunHost

# (rule address, subject kind, subject id, word before, word after)
ChangeRow = tuple[str, str, str, str, str]


@dataclass(slots=True)
class Sums:
    """Sums so far. Scores are counted by point, 0 to 100, so that mean, median and bands are exact; keys are text, as JSON has them."""

    judged: int = 0
    absent: int = 0
    changed: int = 0
    newly_failing_hosts: int = 0
    no_longer_failing_hosts: int = 0
    newly_capped: int = 0
    no_longer_capped: int = 0
    capped_before: int = 0
    capped_after: int = 0
    # Findings more than before that wait for a decision, or fail without counting yet.
    newly_undecided: int = 0
    in_grace: int = 0
    scores_before: dict[str, int] = field(default_factory=dict)
    scores_after: dict[str, int] = field(default_factory=dict)
    # In thousandths, as the rollups add it up, so that no rounding differs.
    coverage_sum: int = 0
    coverage_hosts: int = 0
    # status -> findings of rules with a weight, linked rules counted once
    words: dict[str, int] = field(default_factory=dict)
    # rule -> newly failing findings and hosts, no longer failing findings and hosts
    rules: dict[str, list[int]] = field(default_factory=dict)
    # rule -> word -> findings, and hosts under their worst word
    rule_words: dict[str, dict[str, int]] = field(default_factory=dict)
    rule_hosts: dict[str, dict[str, int]] = field(default_factory=dict)
    # group -> hosts, hosts changed, newly failing, no longer failing, sums of scores and scored hosts before, and after
    groups: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, stored: dict[str, Any]) -> "Sums":
        """The sums as a run's row holds them."""
        return cls(**stored)

    def stored(self) -> dict[str, Any]:
        """The value for the row: a new object each time, so that SQLAlchemy sees the change."""
        return asdict(self)

    def add_absent(self, group_id: int) -> None:
        """A host of which nothing can be evaluated."""
        self.absent += 1
        self._group(group_id)[0] += 1

    def add_compared(
        self, host_id: str, group_id: int, before: HostVerdict, after: HostVerdict, changes: Sequence[ChangeRow]
    ) -> PreviewRunHost:
        """A host evaluated twice; answers its row, which is worth keeping only where something differs."""
        newly = [change for change in changes if change[4] == "fail"]
        no_longer = [change for change in changes if change[3] == "fail"]
        self.judged += 1
        self.changed += bool(changes) or before.score != after.score
        self.newly_failing_hosts += bool(newly)
        self.no_longer_failing_hosts += bool(no_longer)
        self.newly_capped += bool(after.capped_by) and not before.capped_by
        self.no_longer_capped += bool(before.capped_by) and not after.capped_by
        self.capped_before += bool(before.capped_by)
        _count(self.scores_before, before.score)
        self._verdict(after)
        for part, found in ((0, newly), (2, no_longer)):
            for rule, times in Counter(change[0] for change in found).items():
                line = self.rules.setdefault(rule, [0, 0, 0, 0])
                line[part] += times
                line[part + 1] += 1
        group = self._group(group_id)
        scores = (before.score or 0, before.score is not None, after.score or 0, after.score is not None)
        for place, value in enumerate((1, bool(changes), len(newly), len(no_longer), *scores)):
            group[place] += value
        return PreviewRunHost(
            host_id=host_id,
            name="",
            run_id=0,
            group_id=group_id,
            score_before=before.score,
            score_after=after.score,
            capped_before=before.capped_by,
            capped_after=after.capped_by,
            newly_failing=len(newly),
            no_longer_failing=len(no_longer),
            counts=counts_of(after),
        )

    def add_past(self, row: PreviewRunHost, verdict: HostVerdict, words: Iterable[tuple[str, str]]) -> None:
        """A host evaluated at an instant; fills in its row."""
        self.judged += 1
        self._verdict(verdict)
        worst: dict[str, str] = {}
        for rule, word in words:
            _count(self.rule_words.setdefault(rule, {}), word)
            if rule not in worst or RANK[word] < RANK[worst[rule]]:
                worst[rule] = word
        for rule, word in worst.items():
            _count(self.rule_hosts.setdefault(rule, {}), word)
        group = self._group(row.group_id)
        for place, value in ((0, 1), (6, verdict.score or 0), (7, verdict.score is not None)):
            group[place] += value
        row.score_after, row.capped_after, row.counts = verdict.score, verdict.capped_by, counts_of(verdict)

    def _verdict(self, verdict: HostVerdict) -> None:
        self.capped_after += bool(verdict.capped_by)
        _count(self.scores_after, verdict.score)
        for word, number in counts_of(verdict).items():
            self.words[word] = self.words.get(word, 0) + number
        if verdict.rule_coverage is not None:
            self.coverage_sum += round(verdict.rule_coverage * 1000)
            self.coverage_hosts += 1

    def _group(self, group_id: int) -> list[int]:
        return self.groups.setdefault(str(group_id), [0] * 8)


def counts_of(verdict: HostVerdict) -> dict[str, int]:
    """Findings by word, as the host's own row counts them."""
    return {
        "pass": verdict.n_pass,
        "fail": verdict.n_fail,
        "unknown": verdict.n_unknown,
        "not_applicable": verdict.n_not_applicable,
        "waived": verdict.n_waived,
        "excluded": verdict.n_excluded,
    }


def _count(counted: dict[str, int], key: object) -> None:
    if key is not None:
        counted[str(key)] = counted.get(str(key), 0) + 1
