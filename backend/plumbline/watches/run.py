"""Runs a watch: the agent's file prints a reading every few seconds over one session with the host, for two minutes at most at a time.

So whatever happens to this process, the host stops reading by itself. A session that breaks is opened again while the watch lasts: a path
that fails is often what a person watches for.
"""

import threading
import time
from collections.abc import Sequence

import structlog

from plumbline.channels import AuthenticationRejected, ChannelError
from plumbline.channels.errors import HostIdentityUnknown, HostIdentityWrong, OutcomeUnknown
from plumbline.channels.runner import ConstrainedLanguage
from plumbline.channels.ssh import SshChannel
from plumbline.channels.winrm import WinRmChannel
from plumbline.collection import esxi_agent, login_limits, windows_agent
from plumbline.collection.signed_in import with_channel
from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError
from plumbline.watches import rows
from plumbline.watches.access import WatchAccess, open_access
from plumbline.watches.lines import LineReader
from plumbline.watches.rows import ClaimedWatch, HostSendsTooMuch, WatchOver, claim

log = structlog.get_logger()

# So many hosts are watched by one process at once, and so many of them for jobs; others wait. A person's watch finds a place beside jobs'.
MOST_AT_ONCE, MOST_FOR_JOBS = 50, 40
SESSION_SECONDS = 120
_LEAST_SECONDS = 6
# Starting Python or PowerShell, and a last reading on a busy host.
_MARGIN_SECONDS = 60.0
_AGAIN_SECONDS = 10.0
# How often the watch of a job looks whether the host has accepted the job's login.
_LOGIN_SECONDS = 1.0
# To try again would only lock the account, or send a credential to another machine.
_FINAL = (AuthenticationRejected, HostIdentityWrong, HostIdentityUnknown, ConstrainedLanguage)

_slots = threading.BoundedSemaphore(MOST_AT_ONCE)
_slots_for_jobs = threading.BoundedSemaphore(MOST_FOR_JOBS)


def start(watch_id: int) -> bool:
    """Runs the watch in a thread of its own, since it waits for most of its time; false where too many run in this process."""
    taken: list[threading.BoundedSemaphore] = []
    for slots in (_slots_for_jobs, _slots) if rows.is_of_job(watch_id) else (_slots,):
        if not slots.acquire(blocking=False):
            _release(taken)
            return False
        taken.append(slots)

    def run() -> None:
        try:
            run_watch(watch_id)
        except Exception:  # a thread has no caller to raise to; once the lease is over, the watch is tried again
            log.exception("watch failed", watch=watch_id)
        finally:
            _release(taken)

    threading.Thread(target=run, name=f"watch {watch_id}", daemon=True).start()
    return True


def _release(taken: Sequence[threading.BoundedSemaphore]) -> None:
    for slots in taken:
        slots.release()


def run_watch(watch_id: int) -> None:
    """Runs the watch to its end; does nothing where it is over or another process runs it."""
    watch = claim(watch_id)
    if watch is None:
        return
    until = time.monotonic() + watch.left_seconds
    try:
        while (left := until - time.monotonic()) > _LEAST_SECONDS:
            before = watch.readings
            try:
                with session_scope() as session:
                    access = open_access(session, watch.host_id)
                    may_sign_in = watch.job_id is None or login_limits.was_accepted(
                        session, credential_id=access.credential_id, address=access.host.address
                    )
                if not may_sign_in:
                    # Few logins may fail before an account is locked: those are the job's.
                    time.sleep(_LOGIN_SECONDS)
                    watch.renew()
                    continue
                _one_session(watch, access, min(SESSION_SECONDS, int(left)))
            except PlumblineError as error:
                if not watch.readings or isinstance(error, _FINAL) or not isinstance(error, ChannelError):
                    watch.end(error.message)
                    return
                log.warning("session of a watch broke", watch=watch_id, error=error.message)
                watch.renew()
                if watch.readings == before:
                    time.sleep(min(_AGAIN_SECONDS, max(0.0, until - time.monotonic())))
    except WatchOver:
        return
    watch.end()


def _one_session(watch: ClaimedWatch, access: WatchAccess, seconds: int) -> None:
    """Signs in and stores what the agent prints for so many seconds. Raises `WatchOver`, `PlumblineError`."""
    reader = LineReader()
    ended_by: WatchOver | OutcomeUnknown | HostSendsTooMuch | None = None

    def store(piece: bytes) -> None:
        nonlocal ended_by
        if ended_by is not None:
            return
        try:
            for reading in reader.feed(piece):
                watch.note(reading)
        except (WatchOver, OutcomeUnknown, HostSendsTooMuch) as reason:
            ended_by = reason
            # On Windows the agent ends by itself within its session: one that is cut off would leave its file behind.
            if access.host.channel == "ssh":
                raise

    def act(channel: SshChannel | WinRmChannel) -> None:
        deadline = seconds + _MARGIN_SECONDS
        if isinstance(channel, SshChannel):
            command = esxi_agent.command_line(f"--watch {seconds}")
            done = channel.run(command, stdin=esxi_agent.standard_input(), deadline_seconds=deadline, on_output=store)
        else:
            stdin = windows_agent.standard_input(watch_seconds=seconds)
            done = channel.run(*windows_agent.command_line(), stdin=stdin, deadline_seconds=deadline, on_output=store)
        if done.exit == windows_agent.CONSTRAINED:
            raise ConstrainedLanguage(access.host.address)
        if ended_by is not None:
            raise ended_by
        done.text(what="the agent")

    with_channel(access.host, access.credential_id, act)
