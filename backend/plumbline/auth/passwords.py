"""Passwords: Argon2id, at least 12 characters, none of the common ones, and the same work for accounts that do not exist.

Parameters are pwdlib's recommended Argon2id (64 MiB, t=3, p=4), above the floor of 19 MiB, t=2, p=1 (OWASP Password Storage).
"""

import secrets
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache

import argon2.exceptions
import structlog
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from plumbline.auth.common_passwords import is_common
from plumbline.infra.errors import BadInput, TooManyRequests

log = structlog.get_logger()

MINIMUM_CHARACTERS = 12
AT_A_TIME = 2
# A request that waits may hold a connection to the database and needs a second one: together fewer than the pool has (10).
MOST_WAITING = 6
# Besides them, of people who have signed in from their place lately.
MOST_KNOWN_WAITING = 2
LONGEST_WAIT_SECONDS = 5.0
RETRY_AFTER_SECONDS = 3
# Letters and digits that are not mistaken for each other on a console.
_READABLE = "abcdefghjkmnpqrstuvwxyz23456789"


class PasswordTooWeak(BadInput):
    """The password is too short, common, or contains the login."""

    code = "password_too_weak"


class Busy(TooManyRequests):
    """More people sign in at once than passwords can be checked, or there is too little memory for it."""

    status = 503
    code = "busy"


class _Turns:
    """At most two passwords are checked at a time, because each takes 64 MiB and four threads; a few more callers may wait.

    Of those that wait, at most half come from one place, so that a flood from one network leaves room for all others. People who are known
    at their place wait apart from all others and come first, so that a flood from many networks does not keep them out.
    """

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._running = 0
        self._waiting: Counter[str] = Counter()
        self._known_waiting = 0
        self._asking = 0

    @contextmanager
    def asking(self, *, is_likely_known: bool) -> Iterator[None]:
        with self._lock:
            if not is_likely_known and self._running + self._waiting.total() + self._asking >= AT_A_TIME + MOST_WAITING:
                raise _busy()
            self._asking += 1
        try:
            yield
        finally:
            with self._lock:
                self._asking -= 1

    @contextmanager
    def of(self, place: str, *, is_known: bool) -> Iterator[None]:
        with self._lock:
            if not self._is_next(is_known=is_known):
                self._wait(place, is_known=is_known)
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                self._lock.notify_all()

    def _is_next(self, *, is_known: bool) -> bool:
        return self._running < AT_A_TIME and (is_known or not self._known_waiting)

    def _wait(self, place: str, *, is_known: bool) -> None:
        """Returns with the lock held when the turn has come. Raises `Busy` where too many wait, or after a time."""
        if is_known and self._known_waiting < MOST_KNOWN_WAITING:
            self._known_waiting += 1
            try:
                has_come = self._lock.wait_for(lambda: self._is_next(is_known=True), timeout=LONGEST_WAIT_SECONDS)
            finally:
                self._known_waiting -= 1
        elif self._waiting.total() < MOST_WAITING and self._waiting[place] < MOST_WAITING // 2:
            self._waiting[place] += 1
            try:
                has_come = self._lock.wait_for(lambda: self._is_next(is_known=False), timeout=LONGEST_WAIT_SECONDS)
            finally:
                self._waiting[place] -= 1
        else:
            has_come = False
        if not has_come:
            raise _busy()


def _busy() -> Busy:
    return Busy("Many users are signing in. Try again in a few seconds.", retry_after_seconds=RETRY_AFTER_SECONDS)


_turns = _Turns()


def turn(place: str, *, is_known: bool = False) -> AbstractContextManager[None]:
    """The right to check or hash one password; `place` is where the caller comes from, and `is_known` whether this person has signed in
    from there lately. Raises `Busy` where too many wait."""
    return _turns.of(place, is_known=is_known)


def asking(*, is_likely_known: bool) -> AbstractContextManager[None]:
    """A place in which the limits of a sign-in are read from the database, before its `turn`.

    Raises `Busy` where as many sign-ins are at work as can be: a flood then costs no query, and other requests do not wait for it. People
    who are likely known are let in all the same.
    """
    return _turns.asking(is_likely_known=is_likely_known)


class _Argon2(Argon2Hasher):
    """pwdlib's, which takes a want of memory for a wrong password: people would be told so, and locked out."""

    def verify(self, password: str | bytes, hash: str | bytes) -> bool:
        try:
            return self._hasher.verify(hash, password)
        except (argon2.exceptions.VerifyMismatchError, argon2.exceptions.InvalidHashError):
            return False


@cache
def _hasher() -> PasswordHash:
    return PasswordHash((_Argon2(),))


@contextmanager
def _memory() -> Iterator[None]:
    """Raises `Busy` where Argon2 gets none of the 64 MiB that it needs."""
    try:
        yield
    except (argon2.exceptions.VerificationError, argon2.exceptions.HashingError, MemoryError) as error:
        log.error("no password can be checked", error=str(error))
        raise Busy(
            "the server has too little memory to check a password now; try again in a few seconds", retry_after_seconds=RETRY_AFTER_SECONDS
        ) from error


@cache
def _hash_of_nobody() -> str:
    return _hasher().hash(secrets.token_urlsafe(24))


def hash_password(password: str) -> str:
    """The Argon2id hash to store. About a quarter of a second of work. Raises `Busy` where memory is short."""
    with _memory():
        return _hasher().hash(password)


def verify_password(password: str, stored: str | None) -> tuple[bool, str | None]:
    """Whether the password is right, and a new hash where the stored one was made with weaker parameters.

    `stored` None (no such account, or one without a password) costs the same work and is never right. Raises `Busy` where memory is short.
    """
    with _memory():
        is_right, renewed = _hasher().verify_and_update(password, stored or _hash_of_nobody())
    return (is_right, renewed) if stored else (False, None)


def check_strength(password: str, *, login: str) -> None:
    """Raises `PasswordTooWeak` with the reason."""
    if len(password) < MINIMUM_CHARACTERS:
        raise PasswordTooWeak(f"Use at least {MINIMUM_CHARACTERS} characters.")
    if is_common(password):
        raise PasswordTooWeak("This password is too common. Choose another.")
    if login.casefold() in password.casefold() and len(password) < len(login) + 8:
        raise PasswordTooWeak("The password is too similar to the login.")


def random_password() -> str:
    """A password for accounts that Plumbline creates: 20 readable characters, 99 bits."""
    return "-".join("".join(secrets.choice(_READABLE) for _ in range(5)) for _ in range(4))


def random_code() -> str:
    """A code that works once: 28 readable characters in groups, 138 bits.

    Nobody guesses it, not even with a copy of what is stored, so a fast hash is enough (OWASP ASVS 6.5.2: from 112 bits on).
    """
    return "-".join("".join(secrets.choice(_READABLE) for _ in range(4)) for _ in range(7))
