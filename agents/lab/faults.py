"""What goes wrong on a lab host while something is being changed on it, on demand: `plumbline lab set HOST fault.NAME VALUE`.

Faults that count go down by one each time they strike; those in seconds stay until they are set to 0. They are part of the host's
state, so that a restart of the lab keeps them.
"""

import time
from typing import Any

from lab.host import LabHost

# name -> what it does; the value that every host starts with is in `host.FAULTS`.
MEANING: dict[str, str] = {
    "lose_answer": "so many commands act and their answer is lost with the connection",
    "lose_receipt": "so many operations act and their receipt is gone afterwards",
    "die_before_set": "the runner is killed before so many of its next sets",
    "die_after_set": "the runner is killed after so many of its next sets",
    "lie": "so many sets claim to have worked and change nothing",
    "refuse": "so many sets are refused by the driver",
    "delay_seconds": "every command reaches the host so much later",
    "dark_on_set_seconds": "with the next set nothing reaches the host for so long, and what is under way is not answered",
    "cut_on_set": "with so many of the next sets one path of the host is lost, its link stays up",
    "adapter_down_on_set": "with so many of the next sets the last SAN adapter of the host that is up loses its link",
    "hang_on_set_seconds": "the next set hangs for so long before it writes",
    "late_set": "so many sets that hang still write after their runner was ended",
    "no_dead_man": "so many automatic rollbacks are registered and never begin to run",
    "no_path_gate": "while set, the runner does not ask which adapter carries the last path, as runner 1.0.0",
    "restart_seconds": "an adapter that is restarted is away for so long",
    "refuse_log_ins": "so many log-ins are refused as if the credential were wrong",
}


def value(host: LabHost, name: str) -> float:
    """The value of a fault."""
    return float(host.faults()[name])


def strikes(host: LabHost, name: str) -> bool:
    """Whether a counted fault strikes now; it then counts one less."""
    with host.lock:
        faults = host.faults()
        if faults[name] <= 0:
            return False
        faults[name] -= 1
        host.journal(cause="fault", fault=name, left=faults[name])
        host.save()
        return True


def go_dark(host: LabHost) -> bool:
    """After a set: begins a requested darkness, once."""
    with host.lock:
        faults = host.faults()
        seconds = faults["dark_on_set_seconds"]
        if seconds <= 0:
            return False
        faults["dark_on_set_seconds"] = 0
        host.state["dark_until"] = time.time() + seconds
        host.journal(cause="fault", fault="dark", seconds=seconds)
        host.save()
        return True


def cut_path(host: LabHost) -> None:
    """After a set: loses the first live path where that was requested, as when a switch port fails at that moment."""
    if not strikes(host, "cut_on_set"):
        return
    with host.lock:
        path = next((path for path in host.sessions() if path["alive"]), None)
        if path is not None:
            host.set(f"path.{path['port']}/{path['volume']}", "dead", cause="fault")


def lose_adapter(host: LabHost) -> None:
    """With a set, before anything else can act: the last SAN adapter that is up loses its link, where that was requested."""
    with host.lock:
        up = [name for name, port in host.ports("san") if port["link"] == "up"]
        if up and strikes(host, "adapter_down_on_set"):
            host.set(f"{up[-1]}.link", "down", cause="fault")


def take_seconds(host: LabHost, name: str) -> float:
    """A fault in seconds that strikes once: its value, which is 0 from now on."""
    with host.lock:
        seconds = float(host.faults()[name])
        if seconds > 0:
            host.faults()[name] = 0
            host.journal(cause="fault", fault=name, seconds=seconds)
            host.save()
        return seconds


def dark_seconds(host: LabHost) -> float:
    """How much longer nothing reaches the host; 0 while it is reached."""
    return max(0.0, float(host.state.get("dark_until", 0)) - time.time())


def is_cut_off(host: LabHost, began: float) -> bool:
    """Whether an answer to something that began at a time (of the wall clock) is lost: darkness has begun since."""
    until = float(host.state.get("dark_until", 0))
    return until > began and until > 0


def summary(host: LabHost) -> dict[str, Any]:
    """Faults that are set, for people."""
    return {name: now for name, now in host.faults().items() if now}
