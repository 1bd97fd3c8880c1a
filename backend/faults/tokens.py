"""A8: secrets of hosts. Rotated under load none is lost; the old, the revoked, the absent and another host's are refused; and how long a
refusal takes does not show whether the host exists."""

import concurrent.futures
import secrets
import statistics
import threading
import time

import httpx

from faults.agents import Outcome, enrolled
from faults.checkin_process import ServedApi
from faults.sending import PATH, Sender, compact
from plumbline import audit
from plumbline.hosts.lifecycle import quarantine_host, rotate_secret
from plumbline.infra.database import session_scope

# How long a process may still accept a host that was revoked elsewhere, and a second for the request.
REFUSED_WITHIN_SECONDS = 5 + 1


def tried(api: ServedApi, token: str, *, rotations: int, pairs: int, hosts: int = 20, until: float = float("inf")) -> Outcome:
    """Notes name what broke; `figures` hold `rotations`, `bad_refused`, `revoked_seconds` and `median_difference_ms`."""
    outcome = Outcome()
    with httpx.Client(base_url=api.url, timeout=30) as client:
        senders = [enrolled(client, token, f"token-{number}", sections={"system": compact({})}) for number in range(hosts)]
        first = [(sender.secret, sender.generation) for sender in senders]
        _rotate_under_load(outcome, api, senders, rotations, until)
        _refuse_old(outcome, client, senders, first)
        _refuse_nonsense(outcome, client, senders)
        _compare_medians(outcome, client, senders[0], pairs)
        _revoke(outcome, client, senders)
    return outcome


def _rotate_under_load(outcome: Outcome, api: ServedApi, senders: list[Sender], rotations: int, until: float) -> None:
    stop, lock = threading.Event(), threading.Lock()

    def sends(sender: Sender) -> None:
        with httpx.Client(base_url=api.url, timeout=30) as client:
            while not stop.is_set():
                sender.sections["system"] = compact({"Win32_ComputerSystem": {"status": "ok", "rows": [{"Name": secrets.token_hex(6)}]}})
                answer = sender.send(client)
                with lock:
                    outcome.valid_sent += 1
                    outcome.valid_taken += answer.status_code == 200
                    if answer.status_code != 200 and len(outcome.notes) < 10:
                        outcome.notes.append(f"while secrets were rotated: {answer.status_code} {answer.text[:120]}")
                if answer.status_code == 200 and (given := answer.json().get("secret")):
                    sender.secret, sender.generation = given["secret"], given["generation"]

    with concurrent.futures.ThreadPoolExecutor(len(senders)) as pool:
        running = [pool.submit(sends, sender) for sender in senders]
        done = 0
        while done < rotations and time.monotonic() < until:
            with session_scope() as session:
                rotate_secret(session, actor=audit.SYSTEM, host_id=senders[done % len(senders)].host_id)
            done += 1
            time.sleep(0.01)
        # The last ones are handed out by the next answer and used by the one after.
        wanted = outcome.valid_taken + 6 * len(senders)
        while outcome.valid_taken < wanted and not outcome.notes:
            time.sleep(0.05)
        stop.set()
        for each in running:
            each.result()
    outcome.figures["rotations"] = sum(sender.generation - 1 for sender in senders)
    if not outcome.figures["rotations"]:
        outcome.notes.append("no secret was rotated at all")


def _refuse_old(outcome: Outcome, client: httpx.Client, senders: list[Sender], first: list[tuple[str, int]]) -> None:
    for sender, (secret, generation) in zip(senders, first, strict=True):
        if generation == sender.generation:
            continue
        thief = Sender(sender.host_id, secret, sender.epoch, generation, seq=sender.seq + 100, sections=sender.sections)
        answer = thief.send(client)
        if answer.status_code != 401:
            outcome.notes.append(f"a secret of {sender.generation - generation} rotations ago was answered {answer.status_code}")


def _refuse_nonsense(outcome: Outcome, client: httpx.Client, senders: list[Sender]) -> None:
    refused = 0
    for number, sender in enumerate(senders):
        headers, wire = sender.request(sender.body(with_bodies=set()), seq=sender.seq + 1)
        other = senders[(number + 1) % len(senders)]
        borrowed, _ = other.request(sender.body(with_bodies=set()), seq=sender.seq + 1)
        for signature in (None, "", "null", "0" * 64, headers["Plumbline-Signature"].upper(), borrowed["Plumbline-Signature"]):
            sent = {name: value for name, value in headers.items() if name != "Plumbline-Signature"}
            if signature is not None:
                sent["Plumbline-Signature"] = signature
            answer = client.post(PATH, content=wire, headers=sent)
            refused += answer.status_code in (401, 422)
            if answer.status_code not in (401, 422):
                outcome.notes.append(f"the signature {str(signature)[:8]!r} was answered {answer.status_code}")
    outcome.figures["bad_refused"] = refused


def _compare_medians(outcome: Outcome, client: httpx.Client, sender: Sender, pairs: int) -> None:
    took: dict[str, list[float]] = {"known": [], "unknown": []}
    for _ in range(pairs):
        for kind in took:
            headers, wire = sender.request(sender.body(with_bodies=set()), seq=sender.seq + 1)
            headers["Plumbline-Signature"] = secrets.token_hex(32)
            if kind == "unknown":
                headers["Plumbline-Host"] = secrets.token_hex(16)
            started = time.perf_counter()
            answer = client.post(PATH, content=wire, headers=headers)
            took[kind].append(time.perf_counter() - started)
            outcome.count(answer.status_code)
    difference = 1000 * abs(statistics.median(took["known"]) - statistics.median(took["unknown"]))
    outcome.figures["median_difference_ms"] = difference
    if difference >= 2:
        outcome.notes.append(f"known and unknown hosts differ by {difference:.2f} ms in the median")
    outcome.notes += [f"a bad credential was answered {status}" for status in outcome.statuses if status != 401]


def _revoke(outcome: Outcome, client: httpx.Client, senders: list[Sender]) -> None:
    with session_scope() as session:
        for sender in sorted(senders, key=lambda each: each.host_id):
            quarantine_host(session, actor=audit.SYSTEM, host_id=sender.host_id, reason="its secret was stolen")
    revoked, slowest = time.monotonic(), 0.0
    for sender in senders:
        while sender.send(client).status_code != 403:
            slowest = time.monotonic() - revoked
            if slowest > 4 * REFUSED_WITHIN_SECONDS:
                break
            time.sleep(0.1)
    outcome.figures["revoked_seconds"] = slowest
    if slowest > REFUSED_WITHIN_SECONDS:
        outcome.notes.append(f"a revoked host was taken for {slowest:.1f} s more")
