"""What the fleet is compared by: each figure, how it is made of the amounts of hours, and the limit past which it is a symptom. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from plumbline.performance.metrics import DROP_LIMIT_PERCENT, LATENCY_LIMIT_US, RETRANSMIT_LIMIT

Name = Literal["retransmits", "drops", "errors", "pauses", "latency", "throughput", "operations", "cpu"]


@dataclass(frozen=True, slots=True)
class FleetMetric:
    """A symptom: how it is made of the sums of hours. `all_hosts`: the amount of all hosts a second, from the amount of each."""

    name: Name
    label: str
    unit: str
    part: str
    whole: str = ""
    factor: float = 1.0
    all_hosts: bool = False
    limit: float | None = None
    # Where the limit is from.
    source: str = ""

    def of(self, row: Mapping[str, Any]) -> float | None:
        """Its value in a row of sums; None where the host does not count it."""
        part = row[self.part]
        if part is None:
            return None
        if not self.whole:
            return float(part)
        whole = row[self.whole]
        if not whole:
            return None
        value = self.factor * part / whole * (row["hosts"] if self.all_hosts else 1)
        return float(value) if math.isfinite(value) else None


_OURS = "Plumbline's recommendation"
FLEET_METRICS = (
    FleetMetric(
        "retransmits", "TCP retransmits", "%", "retransmitted", "segments", 100, limit=RETRANSMIT_LIMIT, source="Dell BP1057 §4.2.4"
    ),
    FleetMetric("drops", "Dropped packets", "%", "drops", "packets", 100, limit=DROP_LIMIT_PERCENT, source=_OURS),
    FleetMetric("errors", "Packets with errors", "%", "errors", "packets", 100, limit=DROP_LIMIT_PERCENT, source=_OURS),
    FleetMetric("pauses", "Pause frames", "1/s", "pauses", "seconds", all_hosts=True),
    FleetMetric("latency", "Latency of the slowest volume", "µs", "latency_us", limit=LATENCY_LIMIT_US, source=_OURS),
    FleetMetric("throughput", "Throughput of volumes", "B/s", "volume_bytes", "seconds", all_hosts=True),
    FleetMetric("operations", "Operations", "1/s", "operations", "seconds", all_hosts=True),
    FleetMetric("cpu", "CPU", "%", "cpu_percent"),
)
AMOUNTS = ("segments", "retransmitted", "packets", "drops", "errors", "pauses", "volume_bytes", "operations")


def rounded(value: float | None) -> float | None:
    """A figure to six digits, as it is shown and reported."""
    return None if value is None else float(f"{value:.6g}")
