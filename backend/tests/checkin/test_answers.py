"""The responses to check-ins that can be read, and what each leaves in the database."""

import gzip
import secrets
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from sqlmodel import text

from faults.sending import Sender, digest, enrol, sender_of
from plumbline import audit
from plumbline.checkin.receipts import make_receipt
from plumbline.hosts.agent_keys import key_ring
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.hosts.lifecycle import approve_host, quarantine_host, retire_host, rotate_secret
from plumbline.infra.database import session_scope
from plumbline.models.host_locks import lock_host
from plumbline.ops.embedded_servers import OWNER, PostgresCluster
from tests.checkin.conftest import Served, host_of


def count(statement: str, **bound: object) -> int:
    with session_scope() as session:
        return int(session.execute(text(statement), bound).scalar_one())


def test_200_carries_the_receipt(served: Served, sender: Sender) -> None:
    body = sender.body()
    answer = sender.send(served.client, body)
    assert answer.status_code == 200, answer.text
    said = answer.json()
    line = digest(body.split(b"\n")[0])
    expected = make_receipt(key_ring().receipt_key, host_id=sender.host_id, epoch=1, seq=1, digest=bytes.fromhex(line))
    assert (said["seq"], said["digest"], said["receipt"], said["next_seconds"]) == (1, line, expected, 900)
    assert "want_later" not in said
    assert "secret" not in said
    assert host_of(sender).last_seq == 1


def test_an_unchanged_check_in_costs_one_statement_and_one_commit(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    writer = served.app.writer
    before = writer.statements, writer.commits
    rows = count("SELECT count(*) FROM check_in")
    assert sender.send(served.client, sender.body(with_bodies=set())).status_code == 200
    assert (writer.statements - before[0], writer.commits - before[1]) == (1, 1)
    assert count("SELECT count(*) FROM check_in") == rows
    assert host_of(sender).last_seq == 2


def test_seen_before_answers_the_same_receipt_and_stores_nothing(served: Served, sender: Sender) -> None:
    body = sender.body()
    first = sender.send(served.client, body)
    version = count("SELECT xmin::text::bigint FROM host WHERE id = :id", id=sender.host_id)
    for encoding in ("gzip", "zstd", "identity"):
        again = sender.again(served.client, body, encoding=encoding)
        assert again.status_code == 200
        assert again.json() == first.json()
    fewer = sender.again(served.client, body.split(b"\n")[0])
    assert fewer.json() == first.json()
    assert count("SELECT xmin::text::bigint FROM host WHERE id = :id", id=sender.host_id) == version
    assert count("SELECT count(*) FROM check_in") == 1


def test_replay_of_many_is_receipted_for_the_last_32_and_refused_before(served: Served, sender: Sender) -> None:
    sent = []
    for _ in range(40):
        body = sender.body()
        assert sender.send(served.client, body).status_code == 200
        sent.append((sender.seq, body))
    version = count("SELECT xmin::text::bigint FROM host WHERE id = :id", id=sender.host_id)
    for seq, body in sent:
        answer = sender.again(served.client, body, seq=seq)
        assert answer.status_code == (200 if seq > 8 else 409), seq
        if seq <= 8:
            assert answer.json()["seq_used"] == seq
    assert count("SELECT xmin::text::bigint FROM host WHERE id = :id", id=sender.host_id) == version


@pytest.mark.parametrize("what", ["altered", "absent", "empty", "upper", "other host", "unknown host", "future generation"])
def test_401(served: Served, sender: Sender, token: str, what: str) -> None:
    body = sender.body()
    sender.seq = 1
    headers, wire = sender.request(body)
    if what == "altered":
        wire = gzip.compress(body.replace(b'"v":1', b'"v":2'))
    elif what == "absent":
        del headers["Plumbline-Signature"]
    elif what == "empty":
        headers["Plumbline-Signature"] = ""
    elif what == "upper":
        headers["Plumbline-Signature"] = headers["Plumbline-Signature"].upper()
    elif what == "other host":
        headers["Plumbline-Host"] = enrol(served.client, token, "win-02").json()["host_id"]
    elif what == "unknown host":
        headers["Plumbline-Host"] = secrets.token_hex(16)
    elif what == "future generation":
        headers["Plumbline-Generation"] = "2"
    assert served.client.post("/agent/v1/check-in", content=wire, headers=headers).status_code == 401
    assert host_of(sender).last_seq == 0


def test_a_bad_signature_costs_no_query(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    asked = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"

    def queries() -> int:
        count("SELECT pg_stat_force_next_flush()::text IS NOT NULL")
        return count(asked)

    headers, wire = sender.request(sender.body())
    headers["Plumbline-Signature"] = "0" * 64
    before = served.app.writer.statements
    one = queries()
    for _ in range(100):
        assert served.client.post("/agent/v1/check-in", content=wire, headers=headers).status_code == 401
    assert served.app.writer.statements == before
    # What is counted besides are the questions of this test itself.
    assert queries() - one <= 8


def test_403_while_quarantined_and_after_retiring(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        quarantine_host(session, actor=audit.SYSTEM, host_id=sender.host_id, reason="looks copied")
    assert sender.send(served.client).status_code == 403
    with session_scope() as session:
        retire_host(session, actor=audit.SYSTEM, host_id=sender.host_id, reason="gone")
    answer = sender.send(served.client)
    assert answer.status_code == 403
    assert answer.headers["retry-after"] == "3600"
    assert host_of(sender).last_seq == 1


def test_409_want_names_what_is_not_known_for_this_host(served: Served, sender: Sender, token: str) -> None:
    assert sender.send(served.client, sender.body(with_bodies={"system"})).json()["want"] == ["adapters"]
    assert host_of(sender).last_seq == 0
    assert sender.again(served.client, sender.body()).status_code == 200
    other = sender_of(enrol(served.client, token, "win-02"), sections=dict(sender.sections))
    answer = other.send(served.client, other.body(with_bodies=set()))
    assert (answer.status_code, answer.json()["want"]) == (409, ["adapters", "system"])


def test_property_catalogue_is_known_by_content_alone(served: Served, sender: Sender, token: str) -> None:
    sender.sections["property_catalogue"] = b'{"Get-NetAdapterAdvancedProperty":{"status":"ok","rows":[]}}'
    assert sender.send(served.client).status_code == 200
    other = sender_of(enrol(served.client, token, "win-02"), sections=dict(sender.sections))
    answer = other.send(served.client, other.body(with_bodies={"system", "adapters"}))
    assert answer.status_code == 200, answer.text
    assert count("SELECT count(*) FROM section_body WHERE section = 'property_catalogue'") == 1


def test_409_seq_used_alarms_about_a_copy(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    answer = sender.again(served.client, sender.body(boot="boot-9"))
    assert (answer.status_code, answer.json()["seq_used"]) == (409, 1)
    assert "clone" in host_of(sender).alarm
    assert sender.again(served.client, sender.body(), Plumbline_Epoch="2").status_code == 409


def test_boots_that_alternate_alarm_about_a_copy(served: Served, sender: Sender) -> None:
    for boot in ("a", "b"):
        sender.boot = boot
        assert sender.send(served.client).status_code == 200
    assert host_of(sender).alarm == ""
    sender.boot = "a"
    assert sender.send(served.client).status_code == 200
    assert "boot" in host_of(sender).alarm


def test_gaps_are_counted_and_allowed(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    sender.seq += 4
    assert sender.send(served.client).status_code == 200
    assert host_of(sender).seq_gaps == 4


@pytest.mark.parametrize("is_changed", [False, True], ids=["heartbeats", "changes"])
def test_a_leap_is_reported_and_what_follows_is_stored(served: Served, sender: Sender, is_changed: bool) -> None:
    """Two leaps of 31 bits overflowed the count: every check-in after them was refused."""
    for number in (1, 2, 3 * 2**31, 2**40, 2**62, 2**63 - 2):
        if is_changed:
            sender.sections["system"] = b'{"n":%d}' % number
        sender.seq = number - 1
        answer = sender.send(served.client)
        assert answer.status_code == 200, answer.text
        host = host_of(sender)
        assert host.last_seq == number
        if number == 2:
            assert host.alarm == ""
        elif number > 2:
            assert "leapt from number" in host.alarm
    assert host.seq_gaps == 2**63 - 2 - 6


def test_the_first_number_may_be_any(served: Served, sender: Sender) -> None:
    sender.seq = 2**50
    assert sender.send(served.client).status_code == 200
    assert (host_of(sender).alarm, host_of(sender).seq_gaps) == ("", 0)


def test_a_check_in_that_fails_alone_is_422_and_alarmed_and_harms_no_other(
    served: Served, sender: Sender, token: str, cluster: PostgresCluster
) -> None:
    good = [sender_of(enrol(served.client, token, f"good-{number}"), sections={"system": b"{}"}) for number in range(8)]
    with session_scope() as session:
        name = session.execute(text("SELECT current_database()")).scalar_one()
    with psycopg.connect(cluster.url(OWNER, name).replace("+psycopg", "")) as owner:
        owner.execute("ALTER TABLE host ADD CONSTRAINT poison CHECK (agent_version <> 'poison')")
    poison = {"platform": "windows", "version": "poison", "runner": None, "took_ms": 1}

    def send(one: Sender) -> int:
        if one is sender:
            return one.send(served.client, one.body(agent=poison)).status_code
        return one.send(served.client).status_code

    with ThreadPoolExecutor(9) as pool:
        answers = list(pool.map(send, [*good[:4], sender, *good[4:]]))
    assert answers == [200] * 4 + [422] + [200] * 4
    assert "could not be stored" in host_of(sender).alarm
    assert host_of(sender).last_seq == 0
    assert served.app.writer.alone_failed == 1


@pytest.mark.parametrize(
    ("broken", "mended"),
    [
        # As when the database is migrated while this process still serves.
        ("ALTER TABLE check_in RENAME TO of_the_next_version", "ALTER TABLE of_the_next_version RENAME TO check_in"),
        ("ALTER TABLE host RENAME COLUMN last_seq TO last_number", "ALTER TABLE host RENAME COLUMN last_number TO last_seq"),
        # As when the primary has become a standby.
        ("ALTER DATABASE {name} SET default_transaction_read_only = on", "ALTER DATABASE {name} RESET default_transaction_read_only"),
        ("REVOKE INSERT ON check_in FROM plumbline_api", "GRANT INSERT ON check_in TO plumbline_api"),
    ],
)
def test_503_where_the_database_is_at_fault_so_that_no_agent_puts_its_check_in_aside(
    served: Served, sender: Sender, cluster: PostgresCluster, broken: str, mended: str
) -> None:
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        name = session.execute(text("SELECT current_database()")).scalar_one()

    def change(statement: str) -> None:
        with psycopg.connect(cluster.url(OWNER, name).replace("+psycopg", ""), autocommit=True) as owner:
            owner.execute("SET default_transaction_read_only = off")
            owner.execute(statement.format(name=name).encode())
            if "DATABASE" in statement:
                owner.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()", (name,)
                )

    sender.sections["system"] = b'{"Win32_ComputerSystem":{"status":"ok","rows":[{"Name":"another"}]}}'
    body = sender.body()
    change(broken)
    try:
        refused = sender.send(served.client, body)
    finally:
        change(mended)
    assert (refused.status_code, served.app.writer.alone_failed) == (503, 0)
    assert int(refused.headers["retry-after"]) >= 15
    # The connections that the change ended may be met once.
    answers = [sender.again(served.client, body).status_code for _ in range(3)]
    assert answers[-1] == 200
    assert host_of(sender).alarm == ""


def test_503_while_the_database_is_away_and_200_once_it_is_back(served: Served, sender: Sender, cluster: PostgresCluster) -> None:
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        name = session.execute(text("SELECT current_database()")).scalar_one()
    with psycopg.connect(cluster.url(OWNER, "postgres").replace("+psycopg", ""), autocommit=True) as owner:
        owner.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        body = sender.body()
        away = sender.send(served.client, body)
        owner.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert away.status_code == 503
    assert int(away.headers["retry-after"]) >= 15
    assert sender.again(served.client, body).status_code == 200


def test_503_while_the_database_takes_no_writes(served: Served, sender: Sender, cluster: PostgresCluster) -> None:
    """As a standby to which a connection leads after a failover: the agent keeps its check-in, which 422 would make it set aside."""
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        name = session.execute(text("SELECT current_database()")).scalar_one()
    with psycopg.connect(cluster.url(OWNER, "postgres").replace("+psycopg", ""), autocommit=True) as owner:
        owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        heartbeat = sender.body()
        # The first finds its connection ended.
        statuses = [sender.send(served.client, heartbeat).status_code, sender.again(served.client, heartbeat).status_code]
        sender.sections["system"] = b'{"a":2}'
        changed = sender.body()
        statuses += [sender.send(served.client, changed).status_code, sender.again(served.client, changed).status_code]
        owner.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
    assert statuses == [503] * 4
    # One that finds its connection ended is answered 503 once more.
    assert 200 in [sender.again(served.client, changed).status_code for _ in range(3)]


def test_secret_rotation_loses_nothing(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        rotate_secret(session, actor=audit.SYSTEM, host_id=sender.host_id)
    handed = sender.send(served.client).json()["secret"]
    # The answer was lost: the old one still works, and the new one is handed again.
    assert sender.send(served.client).json()["secret"] == handed
    old = sender.secret
    sender.secret, sender.generation = handed["secret"], handed["generation"]
    answer = sender.send(served.client)
    assert answer.status_code == 200
    assert "secret" not in answer.json()
    sender.secret, sender.generation = old, 1
    assert sender.send(served.client).status_code == 401


def test_a_new_key_serves_from_the_next_generation_on(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    assert key_ring().make_next_agent_key() == "2"
    handed = sender.send(served.client).json()["secret"]
    assert handed["generation"] == 2
    sender.secret, sender.generation = handed["secret"], 2
    assert sender.send(served.client).status_code == 200
    assert (host_of(sender).key_id, host_of(sender).next_generation) == ("2", None)


def test_a_database_restored_from_before_a_rotation_believes_a_good_signature(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        rotate_secret(session, actor=audit.SYSTEM, host_id=sender.host_id)
    handed = sender.send(served.client).json()["secret"]
    sender.secret, sender.generation = handed["secret"], handed["generation"]
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        host = lock_host(session, sender.host_id)
        host.generation, host.next_generation = 1, None
        session.add(host)
    assert sender.send(served.client).status_code == 200
    assert host_of(sender).generation == 2


def test_want_later_asks_for_one_section_a_day(served: Served, sender: Sender) -> None:
    assert sender.send(served.client).status_code == 200
    asked = []
    for _ in range(2):
        with session_scope() as session:
            session.execute(text("UPDATE host SET last_seen_at = last_seen_at - interval '1 day'"))
        asked.append(sender.send(served.client).json().get("want_later"))
        assert "want_later" not in sender.send(served.client).json()
    assert all(len(each) == 1 and each[0] in sender.sections for each in asked)


def test_a_waiting_host_is_taken_and_not_counted(served: Served, keys_folder: object) -> None:
    from plumbline.packs.publish import install_builtin

    with session_scope() as session:
        install_builtin(session)
        waiting = make_token(session, TokenTerms(name="waiting", group_id=1)).token
    answer = enrol(served.client, waiting, "win-07")
    assert answer.json()["state"] == "waiting"
    sender = sender_of(answer, sections={"system": b"{}"})
    assert sender.send(served.client).status_code == 200
    assert count("SELECT count(*) FROM rollup_delta") == 0
    assert count("SELECT count(*) FROM finding") == 0
    with session_scope() as session:
        approve_host(session, actor=audit.SYSTEM, host_id=sender.host_id)
    assert count("SELECT count(*) FROM finding") > 0
    assert sender.send(served.client).status_code == 200


def test_skew_is_shown_and_never_decides(served: Served, sender: Sender) -> None:
    for sent_at, seconds in (("2016-01-01T00:00:00Z", -1e8), ("2036-01-01T00:00:00Z", 1e8)):
        assert sender.send(served.client, Plumbline_Sent_At=sent_at).status_code == 200
        skew = host_of(sender).skew_seconds
        assert skew is not None
        assert (skew < seconds) if seconds < 0 else (skew > seconds)


def test_counters_are_stored_in_the_order_of_their_series(served: Served, sender: Sender) -> None:
    def series(*values: tuple[str, object]) -> dict[str, object]:
        return {
            "counters": {
                "uptime_s": 7,
                "series": [{"subject": "host", "name": name, "kind": "total", "value": value} for name, value in values],
            }
        }

    sender.extra = series(("a", 1), ("b", "18446744073709551615"))
    assert sender.send(served.client).status_code == 200
    sender.extra = series(("c", 3.5), ("b", None), ("a", 2))
    assert sender.send(served.client).status_code == 200
    with session_scope() as session:
        numbers = dict(tuple(row) for row in session.execute(text("SELECT name, no FROM counter_series")))
        values = [row[0] for row in session.execute(text("SELECT values FROM counter_sample ORDER BY at"))]
    assert numbers == {"a": 0, "b": 1, "c": 2}
    assert values == [[1.0, 2.0**64], [2.0, None, 3.5]]


def test_only_post(served: Served) -> None:
    answer = served.client.get("/agent/v1/check-in")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
