"""S6: a stranger who guesses one account's password with another claimed address each time, and who looks for accounts by the time that an
answer takes."""

import statistics
import time
from collections import Counter

import httpx

from faults.people import served_api
from faults.rig import FaultResult, Rig
from plumbline.auth import people
from plumbline.auth.attempts import TRIES_PER_ACCOUNT
from plumbline.infra.database import session_scope

_PASSWORD = "vine kettle orbit ten"
_A_MINUTE = 1000
_MOST_MS = 5.0
# Accounts of each kind, and how often each is tried: below the limit, so that every password is compared.
_ACCOUNTS, _TRIES = 20, 6
# The API trusts this machine as a proxy while times are compared, so that no network reaches its limit.
_TRUSTED = {"PLUMBLINE_TRUSTED_PROXIES": "127.0.0.1"}


def guessed(_rig: Rig, count: int, seed: int) -> FaultResult:
    """S6: `count` guesses at a thousand a minute, each with another `X-Forwarded-For`; then known and unknown accounts in turn."""
    result = FaultResult(seed)
    with session_scope() as session:
        for number in range(_ACCOUNTS + 1):
            people.create_person(
                session, actor="system", login=f"known-{number}", display_name="Known", password=_PASSWORD, roles=[("viewer", 1)]
            )
    with served_api() as url, httpx.Client(base_url=f"{url}/api/v1", timeout=60, trust_env=False) as client:
        answers = _guess(client, count)
    result.faults["guess of one account's password"] = answers.total()
    said = ", ".join(f"{times} x {status}" for status, times in sorted(answers.items()))
    result.notes.append(f"guesses: {said}; {answers[401]} passwords were compared (goal: at most {TRIES_PER_ACCOUNT})")
    result.wrong += [f"{answers[401]} passwords of one account were compared"] * (answers[401] > TRIES_PER_ACCOUNT)
    result.wrong += [f"a guess was answered {status}" for status in answers if status not in (401, 429, 503)]
    result.wrong += ["no password was compared at all"] * (not answers[401])
    with served_api(_TRUSTED) as url, httpx.Client(base_url=f"{url}/api/v1", timeout=60, trust_env=False) as client:
        times = _times(client, result)
    medians = {kind: statistics.median(took) for kind, took in times.items()}
    result.notes.append(
        f"medians of {_ACCOUNTS * _TRIES} wrong passwords each: {medians['known']:.1f} ms for accounts that exist,"
        f" {medians['unknown']:.1f} ms for others (goal: within {_MOST_MS:.0f})"
    )
    apart = abs(medians["known"] - medians["unknown"])
    result.wrong += [f"the medians are {apart:.1f} ms apart"] * (apart > _MOST_MS)
    return result


def _guess(client: httpx.Client, count: int) -> Counter[int]:
    """Guesses at an even pace; one that would be late is sent at once."""
    answers: Counter[int] = Counter()
    began = time.monotonic()
    for number in range(count):
        time.sleep(max(0.0, began + number * 60 / _A_MINUTE - time.monotonic()))
        answers[_try(client, f"known-{_ACCOUNTS}", f"10.{number // 250 % 250}.{number % 250}.9")] += 1
    return answers


def _times(client: httpx.Client, result: FaultResult) -> dict[str, list[float]]:
    """Milliseconds of each answer, known and unknown accounts in turn. The first of each kind is left out."""
    times: dict[str, list[float]] = {"known": [], "unknown": []}
    for kind in times:
        _try(client, f"{kind}-0", "10.250.250.9")
    for turn in range(_TRIES):
        for number in range(_ACCOUNTS):
            for kind, took in times.items():
                began = time.perf_counter()
                status = _try(client, f"{kind}-{number}", f"10.{turn}.{number}.{len(kind)}")
                took.append(1000 * (time.perf_counter() - began))
                result.faults[f"wrong password of an account that is {kind}"] += 1
                result.wrong += [f"a wrong password of {kind}-{number} was answered {status}"] * (status != 401)
    return times


def _try(client: httpx.Client, login: str, address: str) -> int:
    headers = {"X-Plumbline": "1", "X-Forwarded-For": address}
    return client.post("/session", json={"login": login, "password": "wrong, and long enough"}, headers=headers).status_code
