"""Benchmark runs between the readers, the table and the API."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from plumbline.core.benchmarks.loads import judged_by, load_words, paper_load
from plumbline.core.benchmarks.run import BenchmarkRun, Load, Results
from plumbline.infra.schemas import NamedHost
from plumbline.models.proofs import BenchmarkRunRow
from plumbline.proofs.schemas import RunLoad, RunResults, RunRow


def to_row(run: BenchmarkRun, *, no: int, file_id: int, host_id: str, measured_at: datetime, is_time_known: bool) -> BenchmarkRunRow:
    """The row of a run."""
    return BenchmarkRunRow(
        file_id=file_id,
        host_id=host_id,
        no=no,
        line=run.line,
        tool=run.tool,
        version=run.version[:80],
        label=run.label[:400],
        role=run.role,
        computer=run.computer[:255],
        started_text=run.started_text[:80],
        measured_at=measured_at,
        is_time_known=is_time_known,
        planned_seconds=run.planned_seconds,
        warm_up_seconds=run.warm_up_seconds,
        measured_seconds=run.measured_seconds,
        load=asdict(run.load),
        results=asdict(run.results),
        parameters={name[:80]: value[:400] for name, value in run.parameters.items()},
        notes=list(run.notes),
    )


def from_row(row: BenchmarkRunRow) -> BenchmarkRun:
    """The run of a row, as it was read."""
    tool: Any = row.tool
    role: Any = row.role
    return BenchmarkRun(
        tool=tool,
        line=row.line,
        load=Load(**row.load),
        results=Results(**row.results),
        version=row.version,
        label=row.label,
        role=role,
        planned_seconds=row.planned_seconds,
        warm_up_seconds=row.warm_up_seconds,
        measured_seconds=row.measured_seconds,
    )


def shown(row: BenchmarkRunRow, *, host: NamedHost, file_name: str) -> RunRow:
    """A run as the API gives it."""
    load = Load(**row.load)
    named = paper_load(load)
    return RunRow(
        id=row.id or 0,
        file_id=row.file_id,
        file_name=file_name,
        host=host,
        no=row.no,
        line=row.line,
        tool=row.tool,
        version=row.version,
        label=row.label,
        role=row.role,
        load=RunLoad(
            **row.load,
            words=load_words(load),
            paper_load=named.name if named else "",
            paper_label=named.label if named else "",
            is_order_known=named.is_order_known if named else load.access != "unknown",
        ),
        results=RunResults(**row.results),
        measure=judged_by(load),
        measured_at=row.measured_at,
        is_time_known=row.is_time_known,
        planned_seconds=row.planned_seconds,
        measured_seconds=row.measured_seconds,
        notes=[*row.notes, *([named.note] if named and named.note else [])],
    )
