"""A trace of refused requests in the log: who asked for what, at most once a minute for the same person, right and route."""

import threading
import time

import structlog
from fastapi import Request

from plumbline import audit
from plumbline.auth.attempts import network_of
from plumbline.auth.dependencies import client_address
from plumbline.infra.errors import PlumblineError

log = structlog.get_logger()

EVERY_SECONDS = 60.0
# More different refusals within a minute are counted and not named, so that no client fills the log or the memory.
MOST_REMEMBERED = 500


class Refusals:
    """Which refusals were logged lately."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._logged: dict[tuple[str, str, str], float] = {}
        self._left_out = 0

    def note(self, request: Request, error: PlumblineError) -> bool:
        """Logs a request that was refused for a lack of rights; returns whether it was logged."""
        who = str(getattr(request.state, "actor_name", "")) or "not signed in"
        route = getattr(request.scope.get("route"), "name", "") or request.url.path[:100]
        now = time.monotonic()
        with self._lock:
            self._logged = {key: at for key, at in self._logged.items() if now - at < EVERY_SECONDS}
            key = (who, route, error.code)
            if key in self._logged or len(self._logged) >= MOST_REMEMBERED:
                self._left_out += 1
                return False
            self._logged[key] = now
            left_out, self._left_out = self._left_out, 0
        log.warning(
            "request refused", who=who, route=route, method=request.method, code=error.code, detail=error.message[:300],
            network=network_of(client_address(request)), left_out_before=left_out, request_id=audit.REQUEST_ID.get(),
        )  # fmt: skip
        return True
