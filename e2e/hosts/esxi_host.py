"""One simulated ESXi host whose agent is the real file: enrols it, or lets it check in once.

python esxi_host.py FOLDER NAME enrol URL TOKEN
python esxi_host.py FOLDER NAME check-in

The host's state, and that of its agent, lie in FOLDER and survive from one call to the next.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "agents"))

from lab import fleet  # noqa: E402
from lab.esxi.agent import EsxiMachine  # noqa: E402
from lab.host import LabHost  # noqa: E402


def main(folder: str, name: str, act: str, *given: str) -> int:
    """Does one act and answers the agent's own exit code; what the agent said goes to standard output."""
    spec = next(each for each in fleet.load() if each.name == name)
    machine = EsxiMachine(LabHost(spec, Path(folder)))
    outcome = machine.enrol(*given) if act == "enrol" else machine.check_in()
    print(outcome)
    return 1 if outcome.exit is None else outcome.exit


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
