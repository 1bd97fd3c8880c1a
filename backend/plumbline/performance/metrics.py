"""What each counter is called, which are computed from others, what a platform does not give, and figures to compare with. Pure."""

from dataclasses import dataclass
from typing import Final

# name -> (label, unit of the rate or gauge)
WORDS: Final = {
    "bytes_received": ("received", "B/s"),
    "bytes_sent": ("sent", "B/s"),
    "packets_received": ("packets received", "1/s"),
    "packets_sent": ("packets sent", "1/s"),
    "drops_received": ("drops on receive", "1/s"),
    "drops_sent": ("drops on send", "1/s"),
    "errors_received": ("errors on receive", "1/s"),
    "errors_sent": ("errors on send", "1/s"),
    "pause_received": ("pause frames received", "1/s"),
    "pause_sent": ("pause frames sent", "1/s"),
    "tcp_segments_sent": ("TCP segments sent", "1/s"),
    "tcp_segments_retransmitted": ("TCP segments retransmitted", "1/s"),
    "tcp_retransmit_percent": ("TCP retransmits", "%"),
    "cpu_percent": ("CPU", "%"),
    "read_bytes": ("read", "B/s"),
    "write_bytes": ("written", "B/s"),
    "reads": ("reads", "1/s"),
    "writes": ("writes", "1/s"),
    "read_time_us": ("time spent on reads", "µs/s"),
    "write_time_us": ("time spent on writes", "µs/s"),
    "read_latency_us": ("read latency", "µs"),
    "write_latency_us": ("write latency", "µs"),
}


@dataclass(frozen=True, slots=True)
class Ratio:
    """A counter computed as factor x part / whole, at most `most`."""

    part: str
    whole: str
    factor: float
    most: float = float("inf")


# Computed where both parts are counted and the host sends no figure of its own.
RATIOS: Final = {
    "tcp_retransmit_percent": Ratio("tcp_segments_retransmitted", "tcp_segments_sent", 100.0, 100.0),
    "read_latency_us": Ratio("read_time_us", "reads", 1.0),
    "write_latency_us": Ratio("write_time_us", "writes", 1.0),
}
# Only parts of a ratio: people pick the ratio.
_PARTS_ONLY: Final = frozenset({"read_time_us", "write_time_us"})


@dataclass(frozen=True, slots=True)
class Series:
    """A series of one host. A computed one has no number and names its parts."""

    host_id: str
    subject: str
    name: str
    kind: str
    no: int | None = None
    parts: "tuple[Series, Series] | None" = None

    @property
    def id(self) -> str:
        """Its name within the host."""
        return f"{self.subject}:{self.name}"


def with_computed(stored: list[Series]) -> dict[str, Series]:
    """The series of a host that people can pick, by id: those that came, and those computed from two of them."""
    known = {each.id: each for each in stored}
    found = {key: each for key, each in known.items() if each.name not in _PARTS_ONLY}
    for subject in dict.fromkeys(each.subject for each in stored):
        for name, ratio in RATIOS.items():
            part, whole = known.get(f"{subject}:{ratio.part}"), known.get(f"{subject}:{ratio.whole}")
            if part and whole and f"{subject}:{name}" not in found:
                series = Series(part.host_id, subject, name, "ratio", parts=(part, whole))
                found[series.id] = series
    return found


# (platform, metrics) -> why a host of that platform has none of them.
_NOT_GIVEN: Final = {
    ("windows", ("pause_received", "pause_sent")): (
        "Windows has no counter of pause frames. Only the tool of the adapter's vendor shows them."
    ),
    ("esxi", ("read_latency_us", "write_latency_us")): (
        "This release of ESXi does not give the time that a volume spent on reads and writes in its device statistics."
    ),
    ("esxi", ("pause_received", "pause_sent")): "The drivers of this host's adapters count no pause frames.",
    ("esxi", ("tcp_retransmit_percent",)): "This release of ESXi does not give TCP statistics of the VMkernel.",
}


def not_given(platform: str, found: set[str]) -> list[str]:
    """What hosts of this platform may lack and this one does, in words."""
    return [words for (named, metrics), words in _NOT_GIVEN.items() if named == platform and not found & set(metrics)]


@dataclass(frozen=True, slots=True)
class Reference:
    """A figure to compare a counter with, and where it comes from. `is_limit`: to exceed it is a symptom."""

    name: str
    value: float
    label: str
    source: str
    is_limit: bool = False


RETRANSMIT_LIMIT: Final = 0.11
LATENCY_LIMIT_US: Final = 20_000
# One packet in a hundred thousand.
DROP_LIMIT_PERCENT: Final = 0.001

REFERENCES: Final = (
    Reference(
        "tcp_retransmit_percent",
        RETRANSMIT_LIMIT,
        "congested 4:1 without offload; 0 with TCP offload or iSOE",
        "Dell BP1057 §4.2.4, Figure 4; measured at the array",
        is_limit=True,
    ),
    Reference("cpu_percent", 6, "256 KB sequential read, congested, without offload", "Dell BP1057 §4.2.4, Figure 4"),
    Reference("cpu_percent", 4, "the same with TCP offload", "Dell BP1057 §4.2.4, Figure 4"),
    Reference("read_latency_us", LATENCY_LIMIT_US, "slow for a volume", "Plumbline's recommendation", is_limit=True),
    Reference("write_latency_us", LATENCY_LIMIT_US, "slow for a volume", "Plumbline's recommendation", is_limit=True),
    Reference("write_latency_us", 21_000, "256 KB writes, RDMA only, without QoS", "Chelsio S2D, Figure 3"),
)
