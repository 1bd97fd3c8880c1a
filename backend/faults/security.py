"""The attacks and mistakes: the function and the full count of each figure."""

from faults import any_requests, audit_tampering, every_route, guessing, hostile_pages, injection, lock_out, log_ins, pressure, vault_key
from faults.jobs import Figure

FIGURES: dict[str, Figure] = {
    "S1": Figure(injection.hostile_names, 50_000),
    "S2": Figure(hostile_pages.hostile_pages, 4, hosts=1),
    "S4": Figure(any_requests.any_requests, 100, hosts=1),
    "S5": Figure(every_route.forged_requests, 5, hosts=1),
    "S6": Figure(guessing.guessed, 5_000, hosts=1),
    "S7": Figure(audit_tampering.tampered, 10_000, hosts=1),
    "S8": Figure(vault_key.renewed, 5_000, hosts=1),
    "S9": Figure(every_route.headers_of_answers, 3, hosts=1),
    "S10": Figure(log_ins.wrong_password, 200),
    "S12": Figure(pressure.memory_taken, 20),
    "S13": Figure(pressure.flood, 40),
    "S14": Figure(pressure.sign_ins, 10),
    "S15": Figure(lock_out.locked_out, 30),
}
