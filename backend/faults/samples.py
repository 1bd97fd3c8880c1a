"""The good check-ins of `agents/schema/samples/`, as senders can send them."""

import json
from pathlib import Path

from plumbline.infra.resources import SCHEMA


def sections_of(sample: Path) -> dict[str, bytes]:
    """The bodies of one sample by section."""
    import hashlib

    first, *lines = sample.read_bytes().rstrip(b"\n").split(b"\n")
    by_digest = {hashlib.sha256(line).hexdigest(): line for line in lines}
    said = json.loads(first)["sections"]
    return {name: by_digest[facts["sha256"]] for name, facts in said.items() if facts.get("sha256") in by_digest}


def samples(platform: str) -> list[Path]:
    """All samples of one platform."""
    return sorted((SCHEMA / "samples" / platform).glob("*.checkin"))
