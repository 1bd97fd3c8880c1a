"""`python -m tests.ops.supervised HOME`: a supervisor with one part that talks and ends again and again, whose files may not grow."""

import resource
import sys
from pathlib import Path

from plumbline.ops.log_file import LogFile
from plumbline.ops.supervisor import Supervisor


def main() -> None:
    """Runs until it is ended; exits with the supervisor's code."""
    home = Path(sys.argv[1])
    manager = Supervisor(LogFile(home / "log"), home)
    program = "import pathlib, sys, time; print('lived'); time.sleep(0.3); sys.exit(3)"
    manager.add_process("talker", f'exec {sys.executable} -c "{program}"', cwd=str(home))
    manager.is_up.set()
    # As on a full disk, no file takes another byte, here or in any child.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    manager.loop()
    sys.exit(manager.returncode)


if __name__ == "__main__":
    main()
