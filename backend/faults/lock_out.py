"""S15: strangers who fail on purpose, so that one person cannot sign in. The person's own sign-ins go on meanwhile."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from faults.agents import percentile
from faults.people import served_api
from faults.rig import FaultResult, Rig
from plumbline.auth import people
from plumbline.infra.database import session_scope

_VICTIM, _PASSWORD = "victim", "vine kettle orbit ten"
# The API trusts this machine as a proxy, so that the run can set where each request comes from.
_TRUSTED = {"PLUMBLINE_TRUSTED_PROXIES": "127.0.0.1"}
_HOME = "198.51.100.7"
_STRANGERS = 24
_NETWORKS = 400
# One try by the victim so often; what is answered 503 is tried again after the time that the answer names, as a person does.
_EVERY_SECONDS = 1.0
_MOST_SECONDS = 30.0


@dataclass(frozen=True)
class _Attack:
    """Who fails where: the account and the address of the stranger's try with this number."""

    name: str
    login: Callable[[int], str]
    address: Callable[[int], str]


def _network(number: int) -> str:
    return f"10.{number // 256 % 256}.{number % 256}.9"


ATTACKS = (
    _Attack("her account, from one network", lambda _: _VICTIM, lambda _: "203.0.113.9"),
    _Attack("her account, from 400 networks", lambda _: _VICTIM, lambda number: _network(number % _NETWORKS)),
    _Attack("other accounts, from 400 networks", lambda number: f"nobody-{number}", lambda number: _network(number % _NETWORKS)),
    _Attack("other accounts, from her own network", lambda number: f"nobody-{number}", lambda _: "198.51.100.99"),
)


def locked_out(_rig: Rig, count: int, seed: int) -> FaultResult:
    """S15: four attacks of `count` seconds each, 24 tries at a time; the victim, who has signed in from her network before, signs in each
    second. Every sign-in has to work, after a "busy" at the latest in 30 s."""
    result = FaultResult(seed)
    with session_scope() as session:
        people.create_person(session, actor="system", login=_VICTIM, display_name="Victim", password=_PASSWORD, roles=[("viewer", 1)])
    with served_api(_TRUSTED) as url:
        first = httpx.post(f"{url}/api/v1/session", json=_body(_VICTIM, _PASSWORD), headers=_from(_HOME), timeout=60, trust_env=False)
        if first.status_code != 200:
            result.wrong.append(f"before any attack the victim's sign-in was answered {first.status_code}")
        for attack in ATTACKS:
            asyncio.run(_attacked(result, url, attack, float(max(5, count))))
    return result


def _body(login: str, password: str) -> dict[str, str]:
    return {"login": login, "password": password}


def _from(address: str) -> dict[str, str]:
    return {"X-Plumbline": "1", "X-Forwarded-For": address}


async def _attacked(result: FaultResult, url: str, attack: _Attack, seconds: float) -> None:
    answers: Counter[int] = Counter()
    took: list[float] = []
    busy = [0]
    over = time.monotonic() + seconds
    limits = httpx.Limits(max_connections=_STRANGERS + 4)
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=60, trust_env=False, limits=limits) as client:

        async def stranger(first: int) -> None:
            number = first
            while time.monotonic() < over:
                body = _body(attack.login(number), f"wrong, and long enough {number}")
                # The server may close a connection that was idle at the moment in which it is used again.
                with contextlib.suppress(httpx.TransportError):
                    answers[(await client.post("/session", json=body, headers=_from(attack.address(number)))).status_code] += 1
                number += _STRANGERS

        async def victim() -> None:
            await asyncio.sleep(2)
            while time.monotonic() < over:
                began = time.monotonic()
                status = await _sign_in(client, busy)
                took.append(time.monotonic() - began)
                if status != 200:
                    result.wrong.append(f"{attack.name}: the victim's right password was answered {status} after {took[-1]:.0f} s")
                await asyncio.sleep(_EVERY_SECONDS)

        await asyncio.gather(victim(), *(stranger(number) for number in range(_STRANGERS)))
    result.faults[f"wrong password, {attack.name}"] += answers.total()
    if not took or not answers:
        result.wrong.append(f"{attack.name}: nothing was tried")
        return
    result.wrong += [f"{attack.name}: a wrong password was answered {status}" for status in answers if status not in (401, 429, 503)]
    said = ", ".join(f"{status}: {times}" for status, times in sorted(answers.items()))
    result.notes.append(
        f"{attack.name}: {answers.total() / seconds:.0f} tries a second ({said}), {len(took)} sign-ins of the victim, the slowest"
        f" {max(took):.1f} s, median {percentile(took, 0.5):.1f} s, {busy[0]} times asked to try again"
    )


async def _sign_in(client: httpx.AsyncClient, busy: list[int]) -> int:
    """Signs in as a person does, and answers the last status: a busy server is asked again after the time that it names."""
    limit = time.monotonic() + _MOST_SECONDS
    while True:
        try:
            answer = await client.post("/session", json=_body(_VICTIM, _PASSWORD), headers=_from(_HOME))
        except httpx.TransportError:
            if time.monotonic() > limit:
                return 0
            continue
        if answer.status_code != 503 or time.monotonic() > limit:
            return answer.status_code
        busy[0] += 1
        await asyncio.sleep(float(answer.headers.get("retry-after", "3")))
