"""The parts of the security side: which figure each shows, and how often its fault is done in full."""

from faults import injection, log_ins
from faults.jobs import Figure

FIGURES: dict[str, Figure] = {
    "S1": Figure(injection.hostile_names, 50_000),
    "S10": Figure(log_ins.wrong_password, 200),
}
