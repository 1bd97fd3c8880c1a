"""Too many check-ins: 429 and 503 with the time to come again, and floods of bad signatures that take nothing from good ones."""

from collections.abc import Callable

import httpx
import pytest

from faults.sending import enrol, sender_of
from plumbline.checkin import rate_limit
from plumbline.infra.settings import get_settings
from tests.checkin.conftest import Served


def test_429_and_503_say_when_to_come_again(serve: Callable[..., Served], token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    full = serve(max_queue=0)
    sender = sender_of(enrol(full.client, token, "win-01"), sections={"system": b"{}"})
    answer = sender.send(full.client)
    assert answer.status_code == 503
    assert 15 <= int(answer.headers["retry-after"]) <= 45
    full.app._bucket.burst = full.app._bucket.per_second = 0
    answer = sender.send(full.client)
    assert answer.status_code == 429
    assert 15 <= int(answer.headers["retry-after"]) <= 45


def test_bad_signatures_take_nothing_from_good_ones(serve: Callable[..., Served], token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_BAD_SIGNATURES_BURST", "5")
    monkeypatch.setenv("PLUMBLINE_BAD_SIGNATURES_PER_SECOND", "0.001")
    monkeypatch.setenv("PLUMBLINE_ADMISSION_BURST", "3")
    monkeypatch.setenv("PLUMBLINE_ADMISSION_PER_SECOND", "0.001")
    get_settings.cache_clear()
    served = serve()
    known, new = (sender_of(enrol(served.client, token, name), sections={"system": b"{}"}) for name in ("known", "new"))
    assert known.send(served.client).status_code == 200
    forged = [
        known.again(served.client, known.body(), Plumbline_Host=f"{number:032x}", Plumbline_Signature="0" * 64).status_code
        for number in range(20)
    ]
    assert forged == [401] * 5 + [429] * 15
    # Check-ins of known hosts from the same address are still accepted; a host with another address is not concerned.
    assert known.send(served.client).status_code == 200
    assert new.send(served.client).status_code == 429
    elsewhere = httpx.Client(base_url=served.url, transport=httpx.HTTPTransport(local_address="127.0.0.9"))
    with elsewhere:
        new.seq = 0
        assert new.send(elsewhere).status_code == 200
    # The fourth with a good signature finds the bucket behind the signature empty.
    assert known.send(served.client).status_code == 429
    get_settings.cache_clear()


def test_addresses_are_counted_by_network_and_forgotten() -> None:
    assert rate_limit.network_of("10.0.0.7") == "10.0.0.7"
    assert rate_limit.network_of("2001:db8:0:1:aaaa::1") == rate_limit.network_of("2001:db8:0:1::2") == "2001:db8:0:1::/64"
    assert rate_limit.network_of("::ffff:10.0.0.7") == "10.0.0.7"
    buckets = rate_limit.AddressBuckets(0.001, 1)
    assert [buckets.take("a"), buckets.take("a"), buckets.take("b")] == [True, False, True]
    for number in range(rate_limit.MOST_ADDRESSES + 10):
        buckets.take(str(number))
    assert len(buckets._buckets) == rate_limit.MOST_ADDRESSES
    hosts = rate_limit.KnownHosts(2)
    for name in ("a", "b", "a", "c"):
        hosts.add(name)
    assert [name in hosts for name in "abc"] == [True, False, True]
