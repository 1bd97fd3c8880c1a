"""A command of an ESXi lab host that sets something: sends it to the lab's process, which has the host's state, and prints the answer.

Standard library only: it runs on the host's own Python. The runner that called it is its parent: the lab may be told to kill that.
"""

import json
import os
import socket
import sys
from pathlib import Path


def main(words: list[str]) -> int:
    """Prints the lab's answer and ends with its exit code; 1 where no lab listens."""
    try:
        port = int((Path(os.environ["LAB_HOST"]) / "set-port").read_text())
        with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
            line.sendall(json.dumps({"words": words, "parent": os.getppid()}).encode() + b"\n")
            answer = json.loads(line.makefile("rb").readline())
    except (OSError, ValueError) as error:
        print(f"Unable to complete Sysinfo operation: {error}")
        return 1
    sys.stdout.write(answer["output"])
    return int(answer["exit"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
