"""The attacks and mistakes: the function and the full count of each figure."""

from faults import audit_tampering, injection, lock_out, log_ins, pressure
from faults.jobs import Figure

FIGURES: dict[str, Figure] = {
    "S1": Figure(injection.hostile_names, 50_000),
    "S7": Figure(audit_tampering.tampered, 10_000, hosts=1),
    "S10": Figure(log_ins.wrong_password, 200),
    "S12": Figure(pressure.memory_taken, 20),
    "S13": Figure(pressure.flood, 40),
    "S14": Figure(pressure.sign_ins, 10),
    "S15": Figure(lock_out.locked_out, 30),
}
