"""`python -m faults.installation.up_process HOME PORT`: `plumbline up` without the lab fleet, with jobs as quick as in fault runs."""

import os
import sys
from pathlib import Path

from plumbline.ops import up


def main() -> None:
    """Runs until it is ended; exits with the code of `up`."""
    timings = tuple(name for name in os.environ if name.startswith("PLUMBLINE_JOB_"))
    up._PASSED_ON += timings
    sys.exit(up.up(up.UpOptions(home=Path(sys.argv[1]), port=int(sys.argv[2]), is_demo=False)))


if __name__ == "__main__":
    main()
