"""What a password may be, and that an account which does not exist costs the same work."""

import math
import subprocess
import sys

import pytest

from plumbline.auth import passwords
from plumbline.auth.common_passwords import is_common
from plumbline.auth.passwords import PasswordTooWeak, check_strength, hash_password, random_code, random_password, verify_password


@pytest.mark.parametrize(
    "password",
    [
        "password1234", "P@ssw0rd2026!", "qwertyuiop12", "123456789012", "aaaaaaaaaaaa", "abcabcabcabc", "Welcome2026!", "plumblineadmin",
        "1qaz2wsx3edc", "correcthorsebatterystaple", "2026-11-21-12",
    ],
)  # fmt: skip
def test_common_passwords_are_refused(password: str) -> None:
    assert is_common(password)
    with pytest.raises(PasswordTooWeak):
        check_strength(password, login="ana")


@pytest.mark.parametrize("password", ["vine kettle orbit ten", "gP7#tRq2!zLw9", "Sturmvogel über Husum"])
def test_other_passwords_are_taken(password: str) -> None:
    check_strength(password, login="ana")


def test_our_own_random_passwords_are_taken() -> None:
    for _ in range(20):
        check_strength(random_password(), login="ana")


def test_short_ones_and_the_login_are_refused() -> None:
    for password in ("kettle-orbi", "katharina-x1z"):
        with pytest.raises(PasswordTooWeak):
            check_strength(password, login="katharina")


def test_hash_is_argon2id_of_the_stated_strength() -> None:
    made = hash_password("vine kettle orbit ten")
    kind, settings = made.split("$")[1], made.split("$")[3]
    figures = dict(part.split("=") for part in settings.split(","))
    assert kind == "argon2id"
    assert int(figures["m"]) >= 19 * 1024
    assert int(figures["t"]) >= 2
    assert verify_password("vine kettle orbit ten", made) == (True, None)
    assert verify_password("vine kettle orbit tem", made)[0] is False


def test_a_missing_account_costs_one_verification_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: both ways go through the hasher exactly once."""
    passwords._hash_of_nobody()
    stored = hash_password("vine kettle orbit ten")
    hasher = passwords._hasher()
    calls = []
    real = hasher.verify_and_update
    monkeypatch.setattr(hasher, "verify_and_update", lambda *given: calls.append(given) or real(*given))
    verify_password("wrong wrong wrong", stored)
    known = len(calls)
    verify_password("wrong wrong wrong", None)
    assert (known, len(calls)) == (1, 2)
    assert verify_password("anything at all", None) == (False, None)


def test_random_ones_differ_and_are_strong() -> None:
    made = {random_password() for _ in range(50)}
    assert len(made) == 50
    assert all(len(each) >= 20 for each in made)
    codes = {random_code() for _ in range(50)}
    assert len(codes) == 50
    # 31 letters and digits: from 112 bits on a fast hash is enough, and from 128 on nobody guesses what is not limited either.
    assert all(len(code.replace("-", "")) * math.log2(31) >= 128 for code in codes)


_WITHOUT_MEMORY = """
import resource
from plumbline.auth import passwords

stored = passwords.hash_password("vine kettle orbit ten")
assert passwords.verify_password("vine kettle orbit ten", stored)[0]
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (8 << 20), resource.RLIM_INFINITY))
acts = ((passwords.verify_password, ("vine kettle orbit ten", stored)), (passwords.hash_password, ("copper lantern seven hills",)))
for act, given in acts:
    try:
        print("answered", act(*given))
    except passwords.Busy as error:
        print(error.status, error.message)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(passwords.verify_password("vine kettle orbit ten", stored)[0], passwords.verify_password("another one of them", stored)[0])
"""


def test_without_memory_no_password_is_called_wrong() -> None:
    """A person would be told that it is, and be locked out after some tries."""
    done = subprocess.run([sys.executable, "-c", _WITHOUT_MEMORY], capture_output=True, text=True, timeout=60, check=True)
    lines = done.stdout.splitlines()
    said = "503 the server has too little memory to check a password now; try again in a few seconds"
    assert [line for line in lines if line.startswith(("answered", "503", "True", "False"))] == [said, said, "True False"]
