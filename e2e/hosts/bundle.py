"""Writes a vm-support bundle of a recorded host, and one that is cut in the middle: `bundle.py FOLDER`."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "backend"))

from tests.bundles import esxi_bundle  # noqa: E402
from tests.bundles.archives import tgz, zipped  # noqa: E402


def main() -> None:
    """Writes `whole.tgz`, `site.zip` with two hosts, and `holiday.zip`, which is no bundle."""
    folder = Path(sys.argv[1])
    bundles = {host: tgz(esxi_bundle.files_of(host), top=f"esx-{host}-2026-01-12--13.56-1") for host in ("6.7", "8.0")}
    (folder / "whole.tgz").write_bytes(bundles["6.7"])
    (folder / "site.zip").write_bytes(zipped({f"esxi-{host}.tgz": content for host, content in bundles.items()}, stored=True))
    (folder / "holiday.zip").write_bytes(zipped({"beach.jpg": b"x" * 100}))


if __name__ == "__main__":
    main()
