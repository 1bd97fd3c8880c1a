"""Why a setting changed, as far as one check-in shows, and which changes on many hosts are the same change."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from plumbline.core.drift.changes import Change
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST, NotOffered, Reading, Subject, Value, setting_text

_DRIVER_KEYS = frozenset({"driver", "driver_version", "driver_date"})
_TOOLKITS = {"hit_kit": "Host Integration Toolkit", "mem": "MEM"}
_SYSTEM_KEYS = ("os_version", "os_build", "os_release")
# Kinds whose running state a lost path changes on every item.
_PATH_KINDS = frozenset({"volume", "target", "initiator", "host"})
# Settings that say whether group policy decides another one.
_POLICY_SOURCES = {"tcp.auto_tuning_from": "tcp.auto_tuning"}


class Cause(NamedTuple):
    """The likely cause and what it rests on, as text. `job_id`: the job of ours that did it."""

    cause: str
    detail: str = ""
    job_id: int | None = None


@dataclass(frozen=True, slots=True)
class JobWork:
    """What a job of ours began on a host lately.

    `values` holds the addresses that it wrote, with the text of the value that a check-in shows afterwards (None: any value, as for an
    undo). `adapters` are those whose paths it took; `is_recent`: it ran since the check-in before, so what it took may show now.
    """

    job_id: int
    detail: str
    values: dict[str, str | None] = field(default_factory=dict)
    adapters: frozenset[str] = frozenset()
    is_recent: bool = True


def causes_of(
    changes: Sequence[Change], known_subjects: Collection[Subject], *, is_rebooted: bool, jobs: Sequence[JobWork] = ()
) -> list[Cause]:
    """The likely cause of each change. The nearest explanation wins: a new item, a job of ours, the item's driver or firmware, a toolkit,
    the operating system, group policy, a restart, another version of the agent."""
    explained = _Explained(changes, is_rebooted=is_rebooted, jobs=jobs)
    return [explained.cause(change, known_subjects) for change in changes]


class _Explained:
    """What else changed in the same check-in, and what ran on the host."""

    def __init__(self, changes: Sequence[Change], *, is_rebooted: bool, jobs: Sequence[JobWork]) -> None:
        self.is_rebooted = is_rebooted
        # The newest job first: it wrote last.
        self.jobs = sorted(jobs, key=lambda job: job.job_id, reverse=True)
        self.drivers: dict[str, str] = {}
        self.firmware: dict[str, str] = {}
        self.toolkit = self.system = self.agent = ""
        self.by_policy: set[str] = set()
        for change in changes:
            if isinstance(change.new, Value) and isinstance(change.old, Value):
                self._note(change, f"{change.old.value} to {change.new.value}")

    def _note(self, change: Change, text: str) -> None:
        subject, key = change.subject, change.key
        if subject.kind == "adapter" and key in _DRIVER_KEYS:
            if key == "driver_version" or subject.id not in self.drivers:
                self.drivers[subject.id] = f"{key.replace('_', ' ')} {text}"
        elif subject.kind == "adapter" and key == "firmware_version":
            self.firmware[subject.id] = f"firmware {text}"
        elif subject != HOST:
            return
        elif key in _TOOLKITS:
            self.toolkit = f"{_TOOLKITS[key]} {text}"
        elif key in _SYSTEM_KEYS:
            # The version says more than the build, and the build more than nothing.
            self.system = f"operating system {text}" if key == "os_version" or not self.system else self.system
        elif key == "agent_version":
            self.agent = f"agent {text}"
        elif key in _POLICY_SOURCES and isinstance(change.new, Value) and change.new.value == "group_policy":
            self.by_policy |= {key, _POLICY_SOURCES[key]}

    def cause(self, change: Change, known: Collection[Subject]) -> Cause:
        subject = change.subject
        if change.old is None and subject not in known:
            return Cause("first_seen")
        job = next((job for job in self.jobs if _is_work_of(job, change)), None)
        if job is not None:
            return Cause("our_job", job.detail, job.job_id)
        if subject.kind == "adapter" and subject.id in self.drivers:
            return Cause("driver_update", self.drivers[subject.id])
        if subject.kind == "adapter" and subject.id in self.firmware:
            return Cause("firmware_update", self.firmware[subject.id])
        if self.toolkit:
            return Cause("toolkit", self.toolkit)
        if self.system:
            return Cause("os_update", self.system)
        if subject == HOST and change.key in self.by_policy:
            return Cause("group_policy", "group policy decides the value now")
        if self.is_rebooted:
            return Cause("reboot", "host restarted since the previous check-in")
        # Another agent reads more or reads otherwise; what both read as a value was changed by something else.
        if self.agent and (change.key == "agent_version" or not (isinstance(change.old, Value) and isinstance(change.new, Value))):
            return Cause("agent_upgrade", self.agent)
        return Cause("unknown")


def _is_work_of(job: JobWork, change: Change) -> bool:
    address = change.subject.address(change.key)
    if address in job.values:
        expected = job.values[address]
        return expected is None or (isinstance(change.new, Value) and setting_text(change.new.value) == expected)
    if not job.is_recent or not job.adapters:
        return False
    entry = BY_KEY.get(f"{change.subject.kind}.{change.key}")
    if entry is None or entry.layer not in ("operational", "running"):
        return False
    # A job that takes an adapter's paths changes the running state of the adapter, and of what has paths through it.
    return change.subject.id in job.adapters if change.subject.kind == "adapter" else change.subject.kind in _PATH_KINDS


def job_work(job_id: int, detail: str, steps: Iterable[Mapping[str, Any]], *, is_undo: bool, is_recent: bool) -> JobWork:
    """What a job wrote in these steps of its signed plan (`planning.plan.Step` as plain data)."""
    begun = list(steps)
    values: dict[str, str | None] = {}
    for step in begun:
        for element in step["elements"]:
            values[element["setting"]] = None
            kind, _, rest = element["catalogue"].partition("/")
            name = rest.partition("/")[2]
            entry = BY_KEY.get(f"{kind}.{name}")
            if entry is not None and entry.counterpart.startswith(f"{kind}."):
                values[f"{kind}/{rest.partition('/')[0]}/{entry.counterpart.removeprefix(f'{kind}.')}"] = None
        for element in step["elements"]:
            values[element["catalogue"]] = None if is_undo else (element["expects"] or None)
    adapters = frozenset(adapter for step in begun for adapter in step["adapters"])
    return JobWork(job_id, detail, values, adapters, is_recent)


def reading_json(reading: Reading | None) -> str | None:
    """A reading as the log of changes keeps it; None where the setting was not there."""
    if reading is None:
        return None
    if isinstance(reading, Value):
        return msgspec.json.encode({"value": reading.value}).decode()
    kind = "not_offered" if isinstance(reading, NotOffered) else "unknown"
    return msgspec.json.encode({kind: reading.reason}).decode()


def alike_key(change: Change, cause: Cause, old: str | None, new: str | None) -> str:
    """The same for the same change of the same setting for the same cause, whatever host and subject it happened on."""
    joined = "\x00".join((change.subject.kind, change.key, old or "", new or "", cause.cause, cause.detail))
    return hashlib.blake2b(joined.encode(), digest_size=8).hexdigest()
