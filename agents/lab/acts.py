"""What a person may do to the running lab from outside: the acts of its control server, each on one host."""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lab import checkin, faults
from lab.esxi.agent import EsxiMachine
from lab.esxi.setter import restart_host
from lab.host import LabHost
from lab.windows.scripts import runner_of

COLLECTED = "Plumbline reads it over SSH"


@dataclass
class Member:
    """A host of the running fleet, and how its last check-in went."""

    host: LabHost
    machine: EsxiMachine | None
    client: checkin.WindowsClient | None
    is_silent: bool = False
    # One check-in at a time: a second request waits until the first has ended.
    turn: threading.Lock = field(default_factory=threading.Lock)
    last: str = "not yet"
    last_at: float = 0.0


@dataclass
class Acts:
    """The acts on a running fleet. `change` sets values as a person at the host would, `check_in` lets a host check in now."""

    members: Mapping[str, Member]
    collected: set[str]
    change: Callable[[str, Mapping[str, object], str], list[str]]
    check_in: Callable[[Member], float]

    def by_name(self) -> dict[str, Callable[[Mapping[str, Any]], Any]]:
        """The acts by the method and path of their requests."""
        return {
            "POST /set": self._set_value,
            "POST /hang": self._hang,
            "POST /silence": self._silence,
            "POST /check-in": self._let_check_in,
            "GET /hosts": self._hosts,
            "GET /journal": self._journal,
            "POST /boot": self._boot,
            "POST /fence": self._fence,
            "GET /faults": self._faults_of,
        }

    def _member(self, body: Mapping[str, Any]) -> Member:
        name = str(body.get("host", ""))
        if name not in self.members:
            raise ValueError(f"the lab has no host {name!r}")
        return self.members[name]

    def _set_value(self, body: Mapping[str, Any]) -> Any:
        self._member(body)
        return {"changed": self.change(str(body["host"]), {str(body["setting"]): body["value"]}, "set through the lab's control")}

    def _hang(self, body: Mapping[str, Any]) -> Any:
        member = self._member(body)
        if member.machine is None:
            raise ValueError("only commands of ESXi hosts can hang this way")
        member.machine.hang(str(body["command"]), is_hanging=bool(body.get("on", True)))
        member.host.journal(cause="set through the lab's control", hang=body["command"], on=body.get("on", True))
        return {}

    def _silence(self, body: Mapping[str, Any]) -> Any:
        member = self._member(body)
        member.is_silent = bool(body.get("on", True))
        member.host.journal(cause="set through the lab's control", silent=member.is_silent)
        return {}

    def _let_check_in(self, body: Mapping[str, Any]) -> Any:
        member = self._member(body)
        if member.host.spec.name in self.collected:
            raise ValueError(f"{member.host.spec.name} runs no agent: {COLLECTED}")
        member.is_silent = False
        self.check_in(member)
        return {"said": member.last}

    def _hosts(self, _: Mapping[str, Any]) -> Any:
        return [
            {
                "name": name,
                "platform": m.host.spec.platform,
                "group": m.host.spec.group,
                "cluster": m.host.spec.cluster,
                "silent": m.is_silent,
                "last": m.last,
                "last_at": m.last_at,
            }
            for name, m in self.members.items()
        ]

    def _boot(self, body: Mapping[str, Any]) -> Any:
        member = self._member(body)
        if member.machine is not None:
            restart_host(member.machine)
        else:
            runner_of(member.host).restart_host()
        return {}

    def _fence(self, body: Mapping[str, Any]) -> Any:
        """Raises a host's fence, as a newer claim would: requests of older claims are refused from then on."""
        member = self._member(body)
        folder = member.machine.runner_state if member.machine else member.host.folder / "runner"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "fence.json").write_text(json.dumps({"gen": int(body["gen"]), "attempt": 0}))
        member.host.journal(cause="set through the lab's control", fence=int(body["gen"]))
        return {}

    def _faults_of(self, body: Mapping[str, Any]) -> Any:
        return {"set": faults.summary(self._member(body).host), "known": faults.MEANING}

    def _journal(self, body: Mapping[str, Any]) -> Any:
        return self._member(body).host.read_journal()
