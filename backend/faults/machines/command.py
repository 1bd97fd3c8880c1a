"""`python -m faults machines`: the figures of the larger installation, each on one layout that stays up for all of them."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from faults.esxi import make_esxi
from faults.fleet import FaultHost, make_people, make_windows
from faults.machines import throughput, upgrading
from faults.machines.breaking import Rig, broken
from faults.machines.enter import inside, run_inside
from faults.machines.layout import PUBLIC, Installation, context, copy_keys
from faults.machines.network import lab_address
from faults.machines.tools import missing
from faults.machines.traffic import Traffic
from faults.machines.work import Work
from faults.people import granted
from faults.report import Line, print_line
from faults.rig import FaultResult
from plumbline.auth.dependencies import cookie_name
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.jobs import DomainBudget

# All machines of which one is broken, and the few of the short form.
_ALL = ("proxy", "api-1", "executor-1", "background-1", "primary", "standby", "valkey-1")
_KINDS = {"M1": "killed", "M2": "cut", "M3": "slow", "M4": "clock"}
_SHORT = {"M1": ("primary", "executor-1"), "M2": ("primary",), "M3": ("standby",), "M4": ("background-1",)}
FIGURES = (*_KINDS, "M5", "M6")
# The exit code of a run that could not be, as autotools have it.
SKIPPED = 77
_ESXI = "esx-b10"


def run_command(
    arguments: Sequence[str], *, wanted: Sequence[str], is_short: bool, seed: int, targets: Sequence[str], note: Callable[[Line], None]
) -> list[Line] | int:
    """The lines of the wanted figures; outside its namespaces the exit code of the run inside, or `SKIPPED` with the reasons printed.
    `targets`: these machines instead of all."""
    home = inside()
    if home is None:
        if reasons := missing():
            print("SKIPPED: the faults of more than one machine were not tried.", *reasons, sep="\n  ", file=sys.stderr)
            return SKIPPED
        # The upgrade has machines of its own, with the version before on them.
        parts = ([name for name in wanted if name != "M6"], [name for name in wanted if name == "M6"])
        return max(run_inside([*arguments, "--faults", ",".join(part)]) for part in parts if part)
    lines = []
    with running(home, is_measured="M5" in wanted, is_before="M6" in wanted) as rig:
        for name in wanted:
            began, load = time.monotonic(), os.getloadavg()[0]
            names = tuple(targets) or (_SHORT.get(name, ()) if is_short else _ALL)
            if name == "M5":
                result = throughput.measure(rig, is_short=is_short)
            elif name == "M6":
                result = upgrading.upgraded(rig)
            else:
                result = broken(rig, _KINDS[name], names, seed=seed)
            lines.append(print_line(_line(name, result, time.monotonic() - began, load)))
            note(lines[-1])
    return lines


def _line(name: str, result: FaultResult, took: float, load: float) -> Line:
    return Line(name, ", ".join(result.faults), result.words(), took, result.wrong, load)


@contextmanager
def running(home: Path, *, is_measured: bool, is_before: bool = False) -> Iterator[Rig]:
    """The installation with lab hosts, people, agents and jobs. `is_measured`: with three API nodes that take all they can;
    `is_before`: of the version before.
    """
    began = time.monotonic()
    # Without a limit on what is let in: what is measured is what a node can take.
    unlimited = {"PLUMBLINE_ADMISSION_PER_SECOND": "100000", "PLUMBLINE_ADMISSION_BURST": "100000"}
    if is_measured:
        installation = Installation(home, apis=3, settings=unlimited)
    elif is_before:
        installation = Installation(home, backend=upgrading.before_newest_migration(home))
    else:
        installation = Installation(home)
    try:
        _become_outside(installation)
        trust, url = context(installation.certificate), f"https://{PUBLIC}"
        people = make_people()
        with session_scope() as session:
            token = make_token(session, TokenTerms(name="faults", group_id=1, is_auto_approved=True, uses=10_000)).token
        cookies = {cookie_name(): granted(people[1], "approver")}
        with httpx.Client(base_url=url, verify=trust, timeout=10, trust_env=False, headers={"X-Plumbline": "1"}) as client:
            fleet = _fleet(home, client, token)
            client.cookies.update(cookies)
            traffic = Traffic(url, trust, cookies, agents=8, token=token)
            print(f"{len(installation.machines)} machines up after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
            traffic.start()
            try:
                yield Rig(installation, traffic, Work(fleet, people, client))
            finally:
                traffic.stop()
                for host in fleet:
                    host.stop()
    finally:
        get_engine.cache_clear()
        installation.stop()


def _fleet(home: Path, client: httpx.Client, token: str) -> list[FaultHost]:
    fleet = make_windows(home / "lab", client, token, 3, address_of=lab_address)
    fleet += make_esxi(home / "lab", client, token, [_ESXI], address_of=lambda number: lab_address(50 + number))
    with session_scope() as session:
        # The hosts share one fabric and one group; all may change at a time, so that a fault meets several jobs.
        for domain in ("fabric:1/shared", "group:1"):
            session.merge(DomainBudget(domain=domain, slots=len(fleet), changed_by="faults"))
    return fleet


def _become_outside(installation: Installation) -> None:
    """This run itself prepares hosts as all kinds of processes, and looks into the database as the API."""
    copy_keys(installation, ("api", "executor", "background"), installation.home / "own-keys")
    api = installation.environment(installation.of("api")[0], "api")
    os.environ |= {name: value for name, value in api.items() if name.startswith("PLUMBLINE_") and not name.endswith(("FOLDER", "HOME"))}
    os.environ["PLUMBLINE_HOME"] = str(installation.home / "own-home")
    get_settings.cache_clear()
    get_engine.cache_clear()
