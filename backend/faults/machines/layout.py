"""All machines of the larger installation, made and started in the order of the page."""

import os
import shutil
import ssl
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import httpx

from faults.clocks import built
from faults.machines.database import Database
from faults.machines.documented import Documented
from faults.machines.machine import Machine
from faults.machines.network import OUTSIDE, make_bridge, run
from faults.machines.tools import tools
from plumbline.ops import embedded_servers

BACKEND = Path(__file__).resolve().parents[2]
PUBLIC = "plumbline.example"
SHARED_ADDRESS = "10.77.0.10"
NUMBERS = {
    "proxy-1": 11, "proxy-2": 12, "api-1": 21, "api-2": 22, "api-3": 23, "executor-1": 31, "executor-2": 32,
    "background-1": 41, "background-2": 42, "db-1": 51, "db-2": 52, "valkey-1": 61, "valkey-2": 62,
}  # fmt: skip
_PROGRAM = [sys.executable, "-m", "plumbline.cli"]
# How long everything may take to come up on a busy machine.
_START_SECONDS = 180.0


class Installation:
    """The running machines. `apis`: how many API nodes there are; `settings`: of all processes, above those of the page; `backend`: the
    folder of the version that they have at first.
    """

    def __init__(self, home: Path, *, apis: int = 2, settings: Mapping[str, str] = MappingProxyType({}), backend: Path = BACKEND) -> None:
        self.home, self.page, self._settings, self._backend = home, Documented(), settings, backend
        self.shim = built(home)
        self.machines: dict[str, Machine] = {}
        self._is_over = threading.Event()
        self._watch = threading.Thread(target=self._look_after, name="supervisor", daemon=True)
        self._apis = [f"api-{number}" for number in range(1, apis + 1)]
        make_bridge()
        self._names()
        for name, number in NUMBERS.items():
            if not name.startswith("api-") or name in self._apis:
                self.machines[name] = Machine(name, number, home, self.shim)
        self._watch.start()
        self.binaries = embedded_servers.postgres_cluster(home / "postgresql")
        found = tools()
        self.database = Database(
            self.page, found, self.binaries, self.of("db"), [self.machines[name] for name in ("background-1", "background-2", "proxy-1")]
        )
        self.database.create()
        self._add_brokers()
        self._add_proxies(found.haproxy, found.keepalived)
        self._add_plumbline()

    def of(self, kind: str) -> list[Machine]:
        """The machines of a kind, such as `api`."""
        return [machine for name, machine in self.machines.items() if name.startswith(f"{kind}-")]

    def _look_after(self) -> None:
        while not self._is_over.wait(0.25):
            for machine in list(self.machines.values()):
                machine.look_after()

    def stop(self) -> None:
        """Ends everything."""
        self._is_over.set()
        self._watch.join()
        for machine in self.machines.values():
            machine.stop()

    def tail(self) -> str:
        """The end of every log."""
        return "\n".join(machine.tail() for machine in self.machines.values())

    # --- What every machine knows -----------------------------------------------------------------------------------------------------

    def _names(self) -> None:
        """Names of all machines, for this run alone: the file is put over /etc/hosts in its own mount namespace."""
        lines = [f"10.77.0.{number} {name}" for name, number in NUMBERS.items()]
        file = self.home / "hosts"
        file.write_text("\n".join(["127.0.0.1 localhost", f"{SHARED_ADDRESS} {PUBLIC}", f"{OUTSIDE} outside", *lines]) + "\n")
        run("mount", "--bind", str(file), "/etc/hosts")
        self.certificate, key = self.home / "proxy.pem", self.home / "proxy.key"
        run(
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", f"/CN={PUBLIC}", "-addext",
            f"subjectAltName=DNS:{PUBLIC}", "-keyout", str(key), "-out", str(self.certificate),
        )  # fmt: skip
        (self.home / "proxy-with-key.pem").write_text(self.certificate.read_text() + key.read_text())
        printed = run("openssl", "x509", "-in", str(self.certificate), "-noout", "-fingerprint", "-sha256")
        self.ca_pin = printed.partition("=")[2].strip().replace(":", "").lower()

    # --- Brokers and proxies ----------------------------------------------------------------------------------------------------------

    def _add_brokers(self) -> None:
        for machine in self.of("valkey"):
            file = machine.home / "valkey.conf"
            file.write_text(self.page.text("/etc/valkey/valkey.conf") + f"dir {machine.home}\n")
            machine.add("valkey", [str(embedded_servers.find_valkey()), str(file)])

    def _add_proxies(self, haproxy: str, keepalived: str) -> None:
        more = "".join(f"    server {name} {name}:8080\n" for name in self._apis[2:])
        for machine in self.of("proxy"):
            text = self.page.text("/etc/haproxy/haproxy.cfg", {"/etc/haproxy/plumbline.pem": str(self.home / "proxy-with-key.pem")})
            last = "    server api-2 api-2:8080\n"
            if len(self._apis) == 1:
                text = text.replace(last, "")
            (machine.home / "haproxy.cfg").write_text(text.replace(last, last + more))
            machine.add("haproxy", [haproxy, "-db", "-f", str(machine.home / "haproxy.cfg")])
            # Both haproxys are on this one machine, so the check looks for the one of its own namespace.
            check = f"/bin/sh -c 'ip netns pids {machine.name} | xargs -r ps -o comm= -p | grep -qx haproxy'"
            text = self.page.text("/etc/keepalived/keepalived.conf", {"/usr/bin/pgrep -x haproxy": check})
            if machine.name == "proxy-2":
                text = text.replace("10.77.0.11", "other").replace("10.77.0.12", "10.77.0.11").replace("other", "10.77.0.12")
            (machine.home / "keepalived.conf").write_text("global_defs {\n    script_user root\n}\n" + text)
            pids = [("-p", "keepalived"), ("-r", "vrrp"), ("-c", "checkers")]
            files = [word for option, name in pids for word in (option, str(machine.home / f"{name}.pid"))]
            machine.add("keepalived", [keepalived, "-n", "-l", "-P", "-f", str(machine.home / "keepalived.conf"), *files])

    # --- Plumbline --------------------------------------------------------------------------------------------------------------------

    def environment(self, machine: Machine, kind: str) -> dict[str, str]:
        """The settings of one kind of process on a machine."""
        variables = self.page.environment("/etc/plumbline/api.env")
        if kind != "api":
            del variables["PLUMBLINE_TRUSTED_PROXIES"]
            old, new = (f"{each.upper()}_PASSWORD" for each in ("api", kind))
            url = variables["PLUMBLINE_DATABASE_URL"].replace("plumbline_api:", f"plumbline_{kind}:")
            variables["PLUMBLINE_DATABASE_URL"] = url.replace(self.page.password(old), self.page.password(new))
        # The home as the units set it. The certificate of the proxies is by no public authority here.
        home = str(machine.home / "plumbline")
        return {**variables, "PLUMBLINE_HOME": home, "PLUMBLINE_CA_PIN": self.ca_pin, "PYTHONPATH": str(self._backend), **self._settings}

    def keys(self, machine: Machine) -> Path:
        """The folder of keys of a machine."""
        return machine.home / "plumbline" / "keys"

    def _add_plumbline(self) -> None:
        first = {kind: self.of(kind)[0] for kind in ("api", "executor", "background")}
        self.migrate(self._backend)
        made = self.home / "keys"
        first["api"].run([*_PROGRAM, "make-keys", str(made)], {"PYTHONPATH": str(self._backend)})
        for kind in first:
            for machine in self.of(kind):
                shutil.copytree(made / kind, self.keys(machine))
                if kind == "executor":
                    shutil.copy(self.certificate, self.keys(machine) / "ca.pem")
                command = self._api_command() if kind == "api" else [*_PROGRAM, "worker", kind]
                machine.add(kind, command, self.environment(machine, kind))
                if kind == "executor":
                    machine.add("isolated", [*_PROGRAM, "worker", "isolated"], self.environment(machine, "executor"))
                elif kind == "background":
                    machine.add("beat", [*_PROGRAM, "beat"], self.environment(machine, "background"))
        self.wait_until_serving()

    @property
    def is_before(self) -> bool:
        """Whether the nodes were set up with the version before."""
        return self._backend != BACKEND

    def migrate(self, backend: Path, *more: str) -> str:
        """Runs `plumbline migrate` of a version on the first API node; answers what it printed."""
        migrate = self.page.environment("plumbline migrate")
        return self.machines["api-1"].run([*_PROGRAM, "migrate", *more], {**migrate, "PYTHONPATH": str(backend)})

    def _api_command(self) -> list[str]:
        return [*_PROGRAM, "api", "--bind", "0.0.0.0", "--port", "8080"]

    def wait_until_serving(self) -> None:
        """Until every API node answers, and the proxy."""
        for url in (*(f"http://{name}:8080" for name in self._apis), f"https://{PUBLIC}"):
            limit = time.monotonic() + _START_SECONDS
            while not answers(url, self.certificate):
                if time.monotonic() > limit:
                    raise RuntimeError(f"{url} does not answer\n{self.tail()}")
                time.sleep(0.2)


def answers(url: str, certificate: Path) -> bool:
    """Whether /healthz is answered with 200 there."""
    try:
        return httpx.get(f"{url}/healthz", timeout=3, trust_env=False, verify=context(certificate)).status_code == 200
    except httpx.HTTPError:
        return False


_CONTEXTS: dict[Path, ssl.SSLContext] = {}


def context(certificate: Path) -> ssl.SSLContext:
    """A TLS context that trusts the proxies' certificate; making one is slow, so it is kept."""
    return _CONTEXTS.setdefault(certificate, ssl.create_default_context(cafile=str(certificate)))


def copy_keys(installation: Installation, kinds: Sequence[str], target: Path) -> None:
    """Copies keys of the first machine of each kind, for the run itself, which sets up lab hosts as all of them."""
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    for kind in kinds:
        for file in installation.keys(installation.of(kind)[0]).iterdir():
            if not file.name.startswith("."):
                shutil.copy2(file, target)
    os.environ["PLUMBLINE_KEYS_FOLDER"] = str(target)
