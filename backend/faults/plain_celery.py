"""Plain Celery changing hosts, kept as the yardstick: the message is the job, acknowledged late and tried again on errors.

Kind to it where that is possible: a retry goes on at the step that failed, and a worker's death costs the visibility timeout of 15 s, not
the usual hour. It changes the same lab hosts over the same channel, and the lab loses as many of its answers as of ours.
"""

import base64
import json
import os
from pathlib import Path
from typing import Any

from celery import Celery, Task

from plumbline.channels import ChannelError
from plumbline.channels.winrm import WinRmChannel, WinRmCredential, WinRmTarget

QUEUE = "ordinary"
# Apart from the product's keys on the same broker.
PREFIX = "ordinary-"
VISIBILITY_SECONDS = 15
# In place of a tool's own PowerShell: the lab knows it by its hash and sets what standard input names.
SCRIPT = "# sets one value, named on standard input, whatever it is now"
_SET = ("-NoProfile", "-NonInteractive", "-EncodedCommand", base64.b64encode(SCRIPT.encode("utf-16-le")).decode())

app = Celery("ordinary", broker=os.environ.get("PLUMBLINE_REDIS_URL", "memory://"), set_as_current=False)
app.conf.update(
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    task_default_queue=QUEUE,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    broker_transport_options={"global_keyprefix": PREFIX, "visibility_timeout": VISIBILITY_SECONDS, "unacked_restore_interval": 1},
)


@app.task(bind=True, name="ordinary.change", max_retries=20)  # type: ignore[untyped-decorator]
def change(self: "Task[Any, Any]", job: int, place: dict[str, Any], steps: list[list[str]], at: int = 0) -> None:
    """Sets each (setting, value) of a job from number `at` on."""
    for number in range(at, len(steps)):
        try:
            _set(job, place, steps[number])
        except ChannelError as error:
            raise self.retry(args=[job, place, steps, number], countdown=min(2**self.request.retries, 4), exc=error) from error


def _set(job: int, place: dict[str, Any], step: list[str]) -> None:
    credential = WinRmCredential(
        "certificate", certificate=Path(place["certificate"]).read_text(), private_key=Path(place["private_key"]).read_text()
    )
    asked = json.dumps({"job": job, "setting": step[0], "value": step[1]}).encode()
    with WinRmChannel(WinRmTarget(place["address"], place["port"], certificate_sha256=place["sha256"]), credential) as channel:
        channel.run("powershell.exe", _SET, stdin=asked, deadline_seconds=30)


def work() -> None:
    """Runs one worker until it is stopped."""
    app.worker_main(
        [
            *("worker", "--loglevel=warning", "--pool=threads", "--concurrency=8"),
            *(f"--queues={QUEUE}", "--hostname=ordinary@%h", "--without-gossip", "--without-mingle"),
        ]
    )
