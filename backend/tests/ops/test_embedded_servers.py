"""The embedded servers: found, prepared once, kept apart by home, reachable only through their sockets."""

import os
import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest
import redis

from plumbline.ops import embedded_servers


def test_same_home_same_place_other_home_other_place(tmp_path: Path) -> None:
    assert embedded_servers.postgres_cluster(tmp_path / "a") == embedded_servers.postgres_cluster(tmp_path / "a")
    assert embedded_servers.postgres_cluster(tmp_path / "a").socket != embedded_servers.postgres_cluster(tmp_path / "b").socket


@pytest.mark.skipif(os.getuid() != 0, reason="only root has to give way to another user")
def test_a_cluster_apart_from_its_home_says_whose_it_is(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    place = embedded_servers.postgres_cluster(closed / "home")
    assert not place.data.is_relative_to(tmp_path)
    assert (place.data.parent / "home").read_text() == f"{(closed / 'home').resolve()}\n"
    shutil.rmtree(place.data.parent)


def test_socket_path_is_short_for_a_deep_home(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 80) / ("y" * 80)
    deep.mkdir(parents=True)
    assert len(str(embedded_servers.postgres_cluster(deep).socket / ".s.PGSQL.5432")) < 107


def test_cluster_is_made_once_and_its_folders_are_private(cluster: embedded_servers.PostgresCluster) -> None:
    assert embedded_servers.prepare_postgres(cluster) is False
    assert stat.S_IMODE(cluster.socket.stat().st_mode) == 0o700
    assert stat.S_IMODE((cluster.secrets / "plumbline_api.password").stat().st_mode) == 0o600


@pytest.mark.skipif(os.getuid() != 0, reason="only root has to give way to another user")
def test_under_root_the_server_runs_as_another_user(cluster: embedded_servers.PostgresCluster) -> None:
    pid = int((cluster.data / "postmaster.pid").read_text().split()[0])
    assert Path(f"/proc/{pid}").stat().st_uid == cluster.user_id != 0


def test_broker_listens_on_its_socket_only_and_keeps_what_it_was_given(tmp_path: Path) -> None:
    socket = tmp_path / "v.sock"

    def start() -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(embedded_servers.valkey_command(tmp_path, socket), stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and not socket.exists():
            time.sleep(0.02)
        return process

    process = start()
    with redis.Redis(unix_socket_path=str(socket)) as client:
        client.set("kept", "yes")
        assert client.config_get("port") == {"port": "0"}
    process.terminate()
    process.wait(10)
    process = start()
    with redis.Redis(unix_socket_path=str(socket), decode_responses=True) as client:
        assert client.get("kept") == "yes"
    process.terminate()
    process.wait(10)


def test_secret_is_made_once(tmp_path: Path) -> None:
    made = embedded_servers.write_secret(tmp_path / "one", lambda: "first")
    assert embedded_servers.write_secret(tmp_path / "one", lambda: "second") == made == "first"


def test_a_broker_whose_files_are_damaged_starts_empty(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    socket = tmp_path / "valkey.sock"

    def started(command: list[str]) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and not socket.exists():
            time.sleep(0.02)
        return process

    process = started(embedded_servers.prepare_valkey(tmp_path, tmp_path))
    with redis.Redis(unix_socket_path=str(socket)) as client:
        client.lpush("background", "a message")
        client.shutdown(nosave=True)
    process.wait(10)
    socket.unlink(missing_ok=True)
    kept = next((tmp_path / "valkey" / "appendonlydir").glob("*.incr.aof"))
    assert kept.stat().st_size
    embedded_servers.prepare_valkey(tmp_path, tmp_path)
    assert not (tmp_path / "valkey.damaged").exists()

    kept.write_bytes(b"*3\r\n$5\r\nlpush\r\n\0\0\0\0 garbage that no power cut leaves" + kept.read_bytes())
    process = started(embedded_servers.prepare_valkey(tmp_path, tmp_path))
    with redis.Redis(unix_socket_path=str(socket)) as client:
        assert client.dbsize() == 0
        client.shutdown(nosave=True)
    process.wait(10)
    assert (tmp_path / "valkey.damaged" / "appendonlydir").exists()
    assert "it starts empty" in capfd.readouterr().err
