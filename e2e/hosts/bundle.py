"""Writes support bundles of recorded hosts: `bundle.py FOLDER [NAME MAC,MAC,...]`; the last one is of the host named, with these adapters."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "backend"))

from tests.bundles import esxi_bundle  # noqa: E402
from tests.bundles.archives import tgz, zipped  # noqa: E402


def main() -> None:
    """Writes `whole.tgz`, `site.zip` with two hosts, `holiday.zip`, which is no bundle, and `fleet.tgz` where a host is named."""
    folder = Path(sys.argv[1])
    bundles = {host: tgz(esxi_bundle.files_of(host), top=f"esx-{host}-2026-01-12--13.56-1") for host in ("6.7", "8.0")}
    (folder / "whole.tgz").write_bytes(bundles["6.7"])
    (folder / "site.zip").write_bytes(zipped({f"esxi-{host}.tgz": content for host, content in bundles.items()}, stored=True))
    (folder / "holiday.zip").write_bytes(zipped({"beach.jpg": b"x" * 100}))
    if len(sys.argv) > 2:
        (folder / "fleet.tgz").write_bytes(of_host(sys.argv[2], sys.argv[3].split(",")))


def of_host(name: str, macs: list[str]) -> bytes:
    """A bundle of a host by this name and with these adapters, whose settings fail."""
    files = esxi_bundle.files_of("6.7-german")
    known = sorted(set(re.findall(rb"90:e2:ba:0c:03:[0-9a-f]{2}", files["commands/nicinfo.sh.txt"])))
    named = dict(zip(known, (":".join(re.findall("..", mac)).encode() for mac in macs), strict=False))
    for path, content in files.items():
        changed = content.replace(b"esx-muc03", name.encode())
        for old, new in named.items():
            changed = changed.replace(old, new)
        files[path] = changed
    return tgz(files, top=f"esx-{name}-2026-01-12--13.56-1")


if __name__ == "__main__":
    main()
