"""The parts of the security side: which figure each shows, and how often its fault is done in full."""

from faults import log_ins
from faults.jobs import Figure

FIGURES: dict[str, Figure] = {
    "S10": Figure(log_ins.wrong_password, 200),
}
