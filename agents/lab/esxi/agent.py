"""Runs the real ESXi agent file for a lab host: a subprocess with a private PATH of stand-in commands."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from lab.esxi import render
from lab.esxi.common import is_at_least
from lab.host import LabHost

AGENT = Path(__file__).resolve().parents[2] / "esxi" / "host_agent.py"
RUNNER = AGENT.with_name("host_runner.py")
# Where a real host would have it: a datastore on a local disk.
PROGRAM = "vmfs/volumes/datastore1/plumbline"
_STAND_IN = Path(__file__).resolve().parent / "command.sh"
_SET = Path(__file__).resolve().parent / "set_command.py"
_COMMANDS = ("esxcli", "vmkping", "vim-cmd", "vsish", "lspci", "esxcfg-nics", "vmkfstools")


@dataclass(frozen=True)
class Outcome:
    """The result of a run of the agent: exit code (None: timeout) and the end of what it printed."""

    exit: int | None
    output: str


class EsxiMachine:
    """The simulated machine of one ESXi lab host: its commands, its files, its agent."""

    def __init__(self, host: LabHost) -> None:
        self.host = host
        self.folder = host.folder
        self.state = host.folder / "agent"
        self.program = host.folder / "root" / PROGRAM
        self.runner_state = self.program / "state" / "runner"
        self._prepare()

    def _prepare(self) -> None:
        commands = self.folder / "bin"
        commands.mkdir(exist_ok=True)
        wanted = [*_COMMANDS, *([] if is_at_least(self.host, "7.0") else ["ethtool"])]
        for name in wanted:
            place = commands / name
            _write_program(place, _STAND_IN.read_text("utf-8"))
        openssl = shutil.which("openssl")
        if openssl:
            # ESXi has it; the agent reads the server's chain with it where a CA is pinned.
            _write_program(commands / "openssl", f'#!/bin/sh\nexec {openssl} "$@"\n')
        for name in ("python", "python3"):
            # The host's Python, without site packages.
            _write_program(commands / name, f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
        keys = self.folder / "root" / "etc" / "ssh"
        keys.mkdir(parents=True, exist_ok=True)
        (self.folder / "hang").mkdir(exist_ok=True)
        self.refresh()

    def install_runner(self) -> None:
        """Puts runner and agent where a person would have put them, the runner's text as it comes with this version."""
        self.program.mkdir(parents=True, exist_ok=True)
        _write_program(self.program / RUNNER.name, RUNNER.read_text("ascii"))
        arguments = ["--state", str(self.state), "--run-folder", str(self.folder / "run")]
        # The agent's file is that of the repository; a small program in the runner's folder starts it with this host's folders.
        start = f"import runpy, sys\nsys.argv += {arguments!r}\nrunpy.run_path({str(AGENT)!r}, run_name='__main__')\n"
        _write_program(self.program / AGENT.name, start)

    def environment(self) -> dict[str, str]:
        """The environment of a process of this host: the host's own commands and files only."""
        return {
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
            "PLUMBLINE_PATH": str(self.folder / "bin"),
            "PLUMBLINE_ROOT": str(self.folder / "root"),
            "PLUMBLINE_RUN_FOLDER": str(self.folder / "run"),
            "LAB_HOST": str(self.folder),
            "LAB_SET": str(_SET),
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.folder),
        }

    def refresh(self) -> None:
        """Renders the commands' answers again from the host's state."""
        # The state is read in many places: no command may change it meanwhile.
        with self.host.lock:
            render.write_answers(self.host, self.folder / "answers")

    def hang(self, command: str, *, is_hanging: bool) -> None:
        """Makes a command never answer, or answer again."""
        file = self.folder / "hang" / command
        if is_hanging:
            file.touch()
        else:
            file.unlink(missing_ok=True)

    def slow(self, line: str, seconds: float) -> None:
        """Makes one command line take its time; 0: no longer."""
        self._mark("slow", line, f"{seconds}\n" if seconds else "")

    def refuse(self, line: str, words: str) -> None:
        """Makes one command line end with exit code 1 and these words; empty: no longer."""
        self._mark("refused", line, f"{words}\n" if words else "")

    def _mark(self, folder: str, line: str, content: str) -> None:
        file = self.folder / folder / line
        if content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, "utf-8")
        else:
            file.unlink(missing_ok=True)

    def command_line(self, arguments: list[str], *, script: str | None = None) -> list[str]:
        """Starts Python without site packages, so that the agent has only the standard library."""
        return [sys.executable, "-I", "-S", script or str(AGENT), *arguments]

    def enrol(self, server: str, token: str, ca_pin: str = "") -> Outcome:
        """Enrols through the agent's own command."""
        pin = ["--ca-pin", ca_pin] if ca_pin else []
        return self._run(["--enrol", server, token, *pin, "--name", self.host.spec.name])

    def is_enrolled(self) -> bool:
        """Whether the agent has an identity."""
        return (self.state / "agent.json").exists()

    def check_in(self) -> Outcome:
        """One round of the real agent: collect, spool, send."""
        self.host.tick()
        self.refresh()
        return self._run(["--once", "--pace-seconds", "0"])

    def _run(self, arguments: list[str]) -> Outcome:
        words = self.command_line([*arguments, "--state", str(self.state), "--run-folder", str(self.folder / "run")])
        try:
            done = subprocess.run(
                words,
                env=self.environment(),
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
                cwd=self.folder,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            return Outcome(None, "no answer within 120 s")
        return Outcome(done.returncode, (done.stderr or done.stdout).strip()[-400:])


def _write_program(place: Path, text: str) -> None:
    if not place.exists() or place.read_text("utf-8") != text:
        place.write_text(text, "utf-8")
        place.chmod(0o755)


def host_key_line(host: LabHost, public: str) -> None:
    """Puts the public SSH key where the agent reads it for pinning."""
    folder = host.folder / "root" / "etc" / "ssh"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ssh_host_ecdsa_key.pub").write_text(public + "\n", "utf-8")
