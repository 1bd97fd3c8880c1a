"""Writes `agents/schema/samples/esxi/*.checkin`: what the real agent sends from each recorded host, uncompressed.

Times, durations and the name of the boot are set to fixed values, so that the files only change when the agent or a recording does.
Run `python3 agents/esxi/tests/write_samples.py` after such a change.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
AGENT = HERE.parent / "host_agent.py"
SAMPLES = HERE.parents[1] / "schema" / "samples" / "esxi"
MADE_AT = "2026-11-14T08:00:00Z"

sys.path.insert(0, str(HERE))
import stand_in  # noqa: E402


def environment(folder: Path, recording: str) -> dict[str, str]:
    """The environment in which the agent finds the stand-in commands of one recorded host and nothing else of this machine."""
    commands = stand_in.folder_of_commands(folder / "commands")
    keys = folder / "root" / "etc" / "ssh"
    keys.mkdir(parents=True, exist_ok=True)
    (keys / "ssh_host_ed25519_key.pub").write_text(
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILHCSLsTBtmTp1ZG8J+aQEeXxD0ppL5LxIq9QF1ZJJrO root@localhost\n", "utf-8"
    )
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PLUMBLINE_", "STAND_IN_"))},
        "PLUMBLINE_PATH": str(commands),
        "PLUMBLINE_ROOT": str(folder / "root"),
        "PLUMBLINE_RUN_FOLDER": str(folder / "run"),
        "STAND_IN_FILE": str(HERE / "recorded" / (recording + ".txt")),
    }


def collected(recording: str, folder: Path, *, python: str = sys.executable, extra: dict[str, str] | None = None) -> bytes:
    """The body that `--collect-only` prints on a recorded host."""
    done = subprocess.run(
        [python, "-", "--collect-only"],
        stdin=AGENT.open("rb"),
        capture_output=True,
        env=environment(folder, recording) | (extra or {}),
        timeout=120,
        check=True,
    )
    return done.stdout


def fixed(body: bytes) -> bytes:
    """The same check-in with fixed times, durations and boot."""
    first, _, rest = body.partition(b"\n")
    envelope = json.loads(first)
    envelope["boot"] = "5f0c1d2e3a4b5c6d7e8f90a1b2c3d4e5"
    envelope["made_at"] = MADE_AT
    envelope["agent"]["took_ms"] = 5400
    for section in envelope["sections"].values():
        section["took_ms"] = 210
    envelope["live"]["clock"] = MADE_AT
    envelope["counters"]["at"] = MADE_AT
    return json.dumps(envelope, separators=(",", ":")).encode() + b"\n" + rest


def main() -> None:
    SAMPLES.mkdir(parents=True, exist_ok=True)
    for recording in sorted((HERE / "recorded").glob("*.txt")):
        with tempfile.TemporaryDirectory() as folder:
            (SAMPLES / (recording.stem + ".checkin")).write_bytes(fixed(collected(recording.stem, Path(folder))))
        print(recording.stem)


if __name__ == "__main__":
    main()
