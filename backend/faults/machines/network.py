"""The network of the machines: one bridge, and for each machine a namespace with one link to it.

All of it is made inside namespaces of the run itself (`command.py`), so that nothing is left when the run ends, however it ends.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

NET = "10.77.0"
BRIDGE = "plumbline"
# Where the run itself, its people, agents and lab hosts are.
OUTSIDE = f"{NET}.1"
# A slow link where the kernel has netem, and where it has only a token bucket: its queue then delays by up to 300 ms.
_NETEM = ("netem", "delay", "150ms", "50ms", "loss", "1%")
_BUCKET = ("tbf", "rate", "2mbit", "burst", "16kb", "latency", "300ms")


def run(*words: str, check: bool = True) -> str:
    """Runs a command and returns what it printed. Raises RuntimeError with its last words where it fails and `check` is set."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()[-300:]}")
    return done.stdout


def make_bridge() -> None:
    """The bridge, with the address of the run itself and of `lab_address`."""
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", BRIDGE, "type", "bridge")
    run("ip", "address", "add", f"{OUTSIDE}/24", "dev", BRIDGE)
    run("ip", "link", "set", BRIDGE, "up")


def lab_address(number: int) -> str:
    """The address of one lab host, on the bridge; from 100 on."""
    address = f"{NET}.{100 + number}"
    run("ip", "address", "add", f"{address}/24", "dev", BRIDGE)
    return address


@dataclass
class Link:
    """A machine's namespace and its one link. `number` is the last part of its address."""

    machine: str
    number: int

    @property
    def address(self) -> str:
        return f"{NET}.{self.number}"

    @property
    def _outer(self) -> str:
        return f"v{self.number}"

    def make(self) -> None:
        """Makes the namespace, and connects it."""
        run("ip", "netns", "add", self.machine)
        run("ip", "link", "add", self._outer, "type", "veth", "peer", "name", "eth0", "netns", self.machine)
        run("ip", "link", "set", self._outer, "master", BRIDGE, "up")
        for words in (("link", "set", "lo", "up"), ("address", "add", f"{self.address}/24", "dev", "eth0"), ("link", "set", "eth0", "up")):
            run("ip", "-n", self.machine, *words)

    def inside(self, command: Sequence[str]) -> list[str]:
        """The command that runs another within the namespace."""
        return ["nsenter", f"--net=/run/netns/{self.machine}", "--", *command]

    def cut(self) -> None:
        """The cable is out: nothing arrives and nothing is refused."""
        run("ip", "link", "set", self._outer, "down")

    def restore(self) -> None:
        """The cable is back, at full speed."""
        run("tc", "qdisc", "del", "dev", self._outer, "root", check=False)
        run("tc", "-n", self.machine, "qdisc", "del", "dev", "eth0", "root", check=False)
        run("ip", "link", "set", self._outer, "up")

    def slow(self) -> str:
        """Slows the link in both directions; returns how."""
        try:
            how: tuple[str, ...] = _NETEM
            run("tc", "qdisc", "add", "dev", self._outer, "root", *how)
        except RuntimeError:
            how = _BUCKET
            run("tc", "qdisc", "add", "dev", self._outer, "root", *how)
        run("tc", "-n", self.machine, "qdisc", "add", "dev", "eth0", "root", *how)
        return " ".join(how)

    def processes(self) -> list[int]:
        """All processes in the namespace."""
        return [int(word) for word in run("ip", "netns", "pids", self.machine, check=False).split()]
