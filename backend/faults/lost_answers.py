"""Commands that act on a lab host while their answer is lost, or with no receipt left of them: a share of all that act."""

import base64
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from faults.fleet import FaultHost
from lab.host import LabHost
from lab.windows import scripts
from lab.windows.wsman import Script

Act = Callable[[LabHost, bytes], tuple[bytes, bytes, int]]
LOST, UNRECEIPTED = "answer lost after the act", "act without a receipt"


@contextmanager
def losing(hosts: Sequence[FaultHost], dice: random.Random, *, answers: float, receipts: float = 0.0) -> Iterator[Counter[str]]:
    """Meanwhile Windows hosts of the lab lose this share of the answers of steps, and leave no receipt of that share; counts both."""
    done = Counter[str]()
    call = scripts._digest(scripts._CALL_RUNNER)
    plain = {host.id: host.endpoint.scripts[call] for host in hosts}
    for host in hosts:
        acts = _without_receipt(plain[host.id].act, dice, receipts, done)
        host.endpoint.scripts[call] = Script(lose(acts, dice, answers, _is_begin, done, LOST))
    try:
        yield done
    finally:
        for host in hosts:
            host.endpoint.scripts[call] = plain[host.id]
            host.lab.faults()["lose_answer"] = host.lab.faults()["lose_receipt"] = 0


def lose(act: Act, dice: random.Random, share: float, acts: Callable[[bytes], bool], done: Counter[str], name: str) -> Act:
    """The same script, a share of whose answers to acting requests is lost; each is counted under `name`."""

    def unlucky(host: LabHost, stdin: bytes) -> tuple[bytes, bytes, int]:
        said = act(host, stdin)
        if acts(stdin) and dice.random() < share:
            host.faults()["lose_answer"] = 1
            done[name] += 1
        return said

    return unlucky


def _without_receipt(act: Act, dice: random.Random, share: float, done: Counter[str]) -> Act:
    def forgetful(host: LabHost, stdin: bytes) -> tuple[bytes, bytes, int]:
        if _is_begin(stdin) and dice.random() < share:
            host.faults()["lose_receipt"] = 1
            done[UNRECEIPTED] += 1
        return act(host, stdin)

    return forgetful


def _is_begin(stdin: bytes) -> bool:
    return bool(json.loads(base64.b64decode(stdin.split()[1]))["verb"] == "begin")
