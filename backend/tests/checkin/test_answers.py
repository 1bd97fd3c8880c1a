"""Every answer of the door's table."""

from faults.sending import Sender, digest
from plumbline.checkin.receipts import make_receipt
from plumbline.hosts.keys import key_ring
from tests.checkin.conftest import Served


def test_200_carries_the_receipt(served: Served, sender: Sender) -> None:
    body = sender.body()
    answer = sender.send(served.client, body)
    assert answer.status_code == 200, answer.text
    said = answer.json()
    line = body.split(b"\n")[0]
    expected = make_receipt(key_ring().receipt_key, host_id=sender.host_id, epoch=1, seq=1, digest=bytes.fromhex(digest(line)))
    assert said["seq"] == 1
    assert said["digest"] == digest(line)
    assert said["receipt"] == expected
    assert said["next_seconds"] == 900


def test_unchanged_check_in_needs_no_bodies(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    answer = sender.send(served.client, sender.body(with_bodies=set()))
    assert answer.status_code == 200, answer.text
