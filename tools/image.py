"""`make image`: builds docker/Dockerfile with buildah, and starts all of Plumbline in the image until it answers.

Needs root, buildah and debootstrap; where they are missing it says so and exits with 77. The base image is pulled; where no registry can be
reached, Debian's own Python in a folder of Debian 12 takes its place, which is the same distribution and the same minor version of Python.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = ROOT / "docker" / "Dockerfile"
PROGRAMS = ("buildah", "debootstrap")
SKIPPED = 77
PORT = 18089
START_SECONDS = 180.0
# What the image's base has and a bare Debian has not.
PACKAGES = "python3,python3-venv,python3-pip,ca-certificates"
AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")
BASE = f"""FROM scratch
ADD base /
ENV PIP_CERT={AUTHORITIES}
CMD ["/bin/sh"]
"""
# Run as the image's user: what must hold of every image.
CHECKS = {
    "runs as nobody special": "test $(id -u) = 10001",
    "knows its commands": "plumbline --help > /dev/null",
    "has its bills of materials": "test $(find / -path '*/plumbline-*.dist-info/sboms/*' 2> /dev/null | wc -l) = 2",
    "has nothing that only developers need": "! python -c 'import pytest' 2> /dev/null && ! which node",
    "cannot write its own program": "! touch $(python -c 'import plumbline; print(plumbline.__file__)') 2> /dev/null",
}


def main() -> int:
    """Builds, checks and starts the image; the exit code says whether all of it went well."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if os.geteuid() != 0 or missing:
        print(f"SKIPPED: needs root and {' and '.join(missing) or 'nothing else'}")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="plumbline-image-", ignore_cleanup_errors=True) as name:
        work = Path(name)
        buildah = ["buildah", "--storage-driver", "vfs", "--root", f"{work}/store", "--runroot", f"{work}/run"]
        isolated = ["--isolation", "chroot"]
        _base(buildah, work)
        context = work / "context"
        context.mkdir()
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["xargs", "-0", "cp", "--parents", "-t", str(context)], cwd=ROOT, input=tracked, check=True)
        where = ["-f", str(context / "docker" / "Dockerfile"), str(context)]
        subprocess.run([*buildah, "bud", *isolated, "--network", "host", "--pull=never", "-t", "plumbline", *where], check=True)
        container = subprocess.run(
            [*buildah, "from", "--pull=never", "plumbline"], check=True, capture_output=True, text=True
        ).stdout.strip()
        run = [*buildah, "run", *isolated, "--network", "host", container, "--"]
        wrong = [name for name, command in CHECKS.items() if subprocess.run([*run, "sh", "-c", command], check=False).returncode]
        with _started(run, work / "up.log"):
            wrong += [] if _answers() else [f"answers: {(work / 'up.log').read_text()[-2000:]}"]
    for name in wrong:
        print(f"FAILED: the image {name}")
    print("The image was built and Plumbline runs in it." if not wrong else f"{len(wrong)} checks failed")
    return 1 if wrong else 0


def _base(buildah: list[str], work: Path) -> None:
    """The image that the Dockerfile begins with: pulled, or made."""
    image = DOCKERFILE.read_text().split()[DOCKERFILE.read_text().split().index("FROM") + 1]
    if subprocess.run([*buildah, "pull", image], check=False, capture_output=True).returncode == 0:
        return
    print(f"{image} cannot be pulled: Debian's own Python takes its place")
    folder = work / "context-base" / "base"
    folder.parent.mkdir()
    subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(folder)], check=True, stdout=subprocess.DEVNULL
    )
    # As in the image: pip installs beside the distribution's packages, and the interpreter is called python.
    next((folder / "usr" / "lib").glob("python3*/EXTERNALLY-MANAGED")).unlink()
    (folder / "usr" / "bin" / "python").symlink_to("python3")
    if AUTHORITIES.exists():
        shutil.copyfile(AUTHORITIES, folder / AUTHORITIES.relative_to("/"))
    (work / "Base").write_text(BASE)
    name = f"docker.io/library/{image}"
    subprocess.run([*buildah, "bud", "--quiet", "--isolation", "chroot", "-t", name, "-f", f"{work}/Base", str(folder.parent)], check=True)
    shutil.rmtree(folder)


@contextlib.contextmanager
def _started(run: list[str], log: Path) -> Iterator[None]:
    """All of Plumbline in one container, with the servers that it brings, until the block ends."""
    command = [*run, "plumbline", "up", "--home", "/home/plumbline/var", "--port", str(PORT), "--past-days", "0"]
    with log.open("w") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)


def _answers() -> bool:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{PORT}/healthz", timeout=5) as answer:
            if b'"status":"ok"' in answer.read():
                return True
        time.sleep(1)
    return False


if __name__ == "__main__":
    sys.exit(main())
