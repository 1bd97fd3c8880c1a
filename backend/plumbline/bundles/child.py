"""The child process that reads an uploaded bundle: the file on standard input, one line of JSON on standard output for each thing it finds.

It gets neither the database's address nor any key, and limits of memory and processor time hold for it.
`python -m plumbline.bundles.child NAME < bundle`
"""

import base64
import json
import resource
import sys
import time

from plumbline.bundles.assess import Assessment, Out
from plumbline.bundles.limits import MIB, BadBundle, Budget
from plumbline.bundles.walk import read_archive
from plumbline.core.facts.bundles.hosts import BundledHost
from plumbline.core.facts.bundles.kept import KeptHost, pack, pack_sections

MEMORY_BYTES = 1536 * MIB
PROCESSOR_SECONDS = 900
_TOLD_EVERY_SECONDS = 1.0


def main() -> None:
    """Reads one bundle. Lines: `{"host": ..., "kept": base64, "sections": base64}`, `{"read": bytes}`, and at the end `{"about": ...}` or
    `{"error": sentence}`."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    told_at = 0.0

    def say(line: Out) -> None:
        sys.stdout.write(json.dumps(line, ensure_ascii=True) + "\n")
        sys.stdout.flush()

    def progress(read: int) -> None:
        nonlocal told_at
        now = time.monotonic()
        if now - told_at >= _TOLD_EVERY_SECONDS:
            told_at = now
            say({"read": read})

    def say_host(told: Out, kept: KeptHost, host: BundledHost) -> None:
        say({"host": told, "kept": _text(pack(kept)), "sections": _text(_sections(host))})

    assessment = Assessment(on_host=say_host)
    budget = Budget()
    try:
        assessment.add(sys.argv[1], read_archive(sys.stdin.buffer, sys.argv[1], budget, progress), budget)
    except BadBundle as error:
        say({"error": error.message})
    except MemoryError:
        say({"error": "reading it takes more memory than a bundle does: collect a smaller one, without core dumps"})
    else:
        say({"about": assessment.bundles[0]})


def _sections(host: BundledHost) -> bytes:
    """What is stored of its sections; nothing where they are too large."""
    try:
        return pack_sections(host)
    except ValueError:
        return b""


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


if __name__ == "__main__":
    main()
