"""API schemas of benchmark runs, proofs and what counters say of a job."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Base64Bytes, Field

from plumbline.infra.schemas import HostId, Input, Moment, Name, NamedHost, RowId, Schema, Words

Answer = Literal["yes", "no", "unknown"]
DecisionName = Literal["keep", "revert", "waive"]
Question = Literal["restarted_before_each_run", "sessions_checked", "load_balancing_off", "one_change", "san_isolated"]


class BenchmarkImport(Input):
    """An output of a benchmark tool as it was written, and for Vdbench the parameter file. Both are Base64: they need not be UTF-8.

    `measured_at` is when the first run began; needed where the output does not give the time in UTC.
    """

    name: Name
    content: Annotated[Base64Bytes, Field(max_length=1_000_000)]
    parameter_name: Annotated[Words, Field(max_length=120)] = ""
    parameter_content: Annotated[Base64Bytes, Field(max_length=300_000)] | None = None
    measured_at: Moment | None = None


class RunLoad(Schema):
    """What a run asked of the host. `paper_load` is the load of a paper that it matches; `words` says it in a line."""

    block_bytes: int | None
    read_percent: float | None
    access: Literal["random", "sequential", "mixed", "unknown"]
    threads: int | None
    outstanding: int | None
    protocol: Literal["", "tcp", "udp"]
    words: str
    paper_load: str
    paper_label: str
    is_order_known: bool


class RunResults(Schema):
    """What a run measured; null is what its output does not say."""

    iops: float | None
    read_iops: float | None
    write_iops: float | None
    bytes_per_second: float | None
    latency_ms: float | None
    read_latency_ms: float | None
    write_latency_ms: float | None
    latency_p99_ms: float | None
    latency_max_ms: float | None
    cpu_percent: float | None
    retransmits: float | None
    retransmit_percent: float | None
    errors: float | None


class RunRow(Schema):
    """One run in a list. `measure` names the result that a proof judges."""

    id: int
    file_id: int
    file_name: str
    host: NamedHost
    no: int
    line: int
    tool: Literal["vdbench", "diskspd", "ntttcp", "iometer"]
    version: str
    label: str
    role: Literal["", "sender", "receiver"]
    load: RunLoad
    results: RunResults
    measure: Literal["iops", "bytes_per_second"]
    measured_at: datetime
    is_time_known: bool
    planned_seconds: float | None
    measured_seconds: float | None
    notes: list[str]


class RunPage(Schema):
    """A page of runs, the newest first."""

    items: list[RunRow]
    next: str | None


class RunDetail(RunRow):
    """One run with its file and parameters."""

    computer: str
    started_text: str
    warm_up_seconds: float | None
    parameters: dict[str, str]
    parameter_name: str
    file_sha256: str
    file_size_bytes: int
    uploaded_by: str
    uploaded_at: datetime
    has_configuration: bool
    # Proofs that use it; while there are any, its file is not deleted.
    proof_ids: list[int]
    may_delete: bool


class ImportedFile(Schema):
    """What an import brought."""

    file_id: int
    tool: str
    runs: list[RunRow]


class ProofCreate(Input):
    """Runs before and after one change of a host, with answers to what no file tells. `pack` and `rule` name the finding it is about."""

    host_id: HostId
    title: Name
    before: Annotated[list[RowId], Field(min_length=1, max_length=100)]
    after: Annotated[list[RowId], Field(min_length=1, max_length=100)]
    answers: dict[Question, Answer] = Field(default_factory=dict)
    pack: Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9-]*)?$", max_length=80)] = ""
    rule: Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9_.-]*)?$", max_length=160)] = ""
    job_id: RowId | None = None


class ProofDecision(Input):
    """What is made of a proof. `plan_id` is the plan that reverts the change, `test_again_on` the day of a waiver's next test."""

    decision: DecisionName
    reason: Words = ""
    plan_id: RowId | None = None
    test_again_on: date | None = None


class SpreadOut(Schema):
    """Several runs of one load: number, mean, sample standard deviation, and that as a percentage of the mean."""

    count: int
    mean: float
    deviation: float | None
    relative_deviation_percent: float | None


Outcome = Literal["better", "worse", "no_effect", "run_again", "too_few_runs", "not_comparable"]


class LoadVerdictOut(Schema):
    """The verdict on one load; `measure` is the result that is judged."""

    words: str
    paper_label: str
    measure: Literal["iops", "bytes_per_second"]
    before: SpreadOut | None
    after: SpreadOut | None
    change_percent: float | None
    outcome: Outcome
    reason: str


class ProofRow(Schema):
    """One proof in a list. `change_percent` is the largest change of any load."""

    id: int
    title: str
    host: NamedHost
    grade: Literal["paper", "quick_look"]
    outcome: Literal["better", "worse", "no_effect", "run_again", "too_few_runs", "not_comparable", "mixed"]
    change_percent: float | None
    decision: Literal["open", "keep", "revert", "waive"]
    job_id: int | None
    rule_title: str
    made_by: str
    made_at: datetime


class ProofPage(Schema):
    """A page of proofs, the newest first."""

    items: list[ProofRow]
    next: str | None


class ChangeBetween(Schema):
    """A setting that changed between the last run before and the first run after."""

    at: datetime
    label: str
    item: str
    old: str
    new: str
    cause: str


class FindingToRevert(Schema):
    """A finding that began to fail between the runs and fails still: a plan that fixes it takes the change back."""

    pack: str
    rule: str
    title: str
    subject_kind: str
    subject_id: str


class AnswerOut(Schema):
    """A question of the method with its answer."""

    name: Question
    question: str
    at: str
    answer: Answer


class ProofDetail(ProofRow):
    """One proof, whole."""

    pack: str
    rule: str
    subject_kind: str
    subject_id: str
    advice: Literal["keep", "revert", "waive", "run_again", "decide"]
    loads: list[LoadVerdictOut]
    deviations: list[str]
    answers: list[AnswerOut]
    before: list[RunRow]
    after: list[RunRow]
    changes: list[ChangeBetween]
    is_time_known: bool
    to_revert: list[FindingToRevert]
    # The evidence in one sentence, for a waiver.
    evidence: str
    decision_reason: str
    test_again_on: date | None
    plan_id: int | None
    decided_by: str
    decided_at: datetime | None
    may_decide: bool


class ReferenceRunOut(Schema):
    """A figure of a paper with the system that it was measured on."""

    paper: str
    at: str
    load: str
    change: str
    value: float
    unit: str
    platform: str
    adapter: str
    note: str


class ProofMethod(Schema):
    """The papers' method: its bounds, what people are asked, and the papers' own results."""

    runs: int
    run_seconds: int
    largest_deviation_percent: float
    significant_from_percent: float
    questions: list[AnswerOut]
    references: list[ReferenceRunOut]


class ShareOut(Schema):
    """The share of its throughput alone that storage reaches beside other traffic, and the share that its traffic class is configured for.

    `conformance`: `below` is the alarm; `unmanaged` where no class is configured. `classes` are the classes that were configured then.
    """

    alone: RunRow
    contended: RunRow
    achieved_percent: float | None
    configured_percent: float | None
    difference_points: float | None
    tolerance_points: float
    conformance: Literal["within", "below", "above", "unmanaged", "unknown"]
    classes: list[str]


class CounterEffect(Schema):
    """What one counter says of a job. `difference` is the change of the host less the change of untreated hosts; `low` to `high` its 95 %
    interval. Values are in `unit`; loads in bytes a second."""

    name: str
    label: str
    unit: str
    is_lower_better: bool
    before: float | None
    after: float | None
    controls_before: float | None
    controls_after: float | None
    controls: int
    load_before: float | None
    load_after: float | None
    difference: float | None
    low: float | None
    high: float | None
    answer: Literal["better", "worse", "no_effect", "too_few_samples", "too_little_load", "load_differs", "no_controls"]


class EffectWindow(Schema):
    """Counters over a span of the same length before and after a job. `is_over` is false until the span after it has passed."""

    hours: int
    is_over: bool
    counters: list[CounterEffect]


class JobEffect(Schema):
    """What counters say of a job, an hour and a day before and after. It never says proven: that takes benchmark runs.

    `controls` are the untreated hosts beside it, `controls_from` where they come from.
    """

    job_id: int
    host: NamedHost
    started_at: datetime | None
    finished_at: datetime | None
    controls: list[NamedHost]
    controls_from: Literal["cluster", "model", ""]
    windows: list[EffectWindow]
    proof_ids: list[int]


class RuleCounter(Schema):
    """One counter a day before and a day after the jobs that fixed a rule: means over those with readings on both sides."""

    name: str
    label: str
    unit: str
    is_lower_better: bool
    jobs: int
    before: float
    after: float


class RuleEffect(Schema):
    """What fixing a rule did here: successful jobs of the last `days` days, at most the newest 40. An observation without a comparison."""

    jobs: int
    days: int
    counters: list[RuleCounter]
