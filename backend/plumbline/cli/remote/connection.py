"""The connection to a server: where its address and token come from, requests, pages, and errors as one line."""

import os
import stat
import time
import tomllib
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from plumbline.infra.errors import BadInput, PlumblineError

FOUND, REFUSED = 1, 3
_SECONDS = 60.0
_TRIES_IF_BUSY = 5


class ServerRefused(PlumblineError):
    """The server cannot be reached, or its answer is no. The command ends with exit code 3."""

    code = "server_refused"
    exit_code = REFUSED


def configuration_file() -> Path:
    """`cli.toml` in the user's folder of configuration, or where PLUMBLINE_CLI_CONFIG says."""
    named = os.environ.get("PLUMBLINE_CLI_CONFIG", "")
    folder = Path(os.environ.get("XDG_CONFIG_HOME", "") or Path.home() / ".config")
    return Path(named) if named else folder / "plumbline" / "cli.toml"


@dataclass(frozen=True, slots=True)
class Place:
    """A server, the token for it, and the file of its CA if that is not a public one."""

    url: str
    token: str
    ca: str = ""


def read_place() -> Place:
    """From PLUMBLINE_URL, PLUMBLINE_TOKEN and PLUMBLINE_CA, and what these leave out from the file. Raises `BadInput`."""
    path = configuration_file()
    kept: dict[str, Any] = {}
    if path.is_file():
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise BadInput(f"{path} holds a token and others may read it: run `chmod 600 {path}`")
        try:
            kept = tomllib.loads(path.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} cannot be read: {error}") from None
    url, token, ca = (os.environ.get(f"PLUMBLINE_{name}", "") or str(kept.get(name.lower(), "")) for name in ("URL", "TOKEN", "CA"))
    if not url or not token:
        raise BadInput(f"no server is set: run `plumbline connect`, or set PLUMBLINE_URL and PLUMBLINE_TOKEN (looked in {path})")
    return Place(url.rstrip("/"), token, ca)


def write_place(place: Place) -> Path:
    """Keeps a server and its token in the file, which only its owner can read."""
    path = configuration_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{name} = {_quoted(value)}\n" for name, value in (("url", place.url), ("token", place.token), ("ca", place.ca)) if value]
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        path.chmod(0o600)
        file.writelines(lines)
    return path


def _quoted(value: str) -> str:
    if any(ord(char) < 32 or ord(char) == 127 for char in value):
        raise BadInput("addresses and tokens hold no control characters")
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Server:
    """A Plumbline server as its API shows it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        headers = {"Authorization": f"Bearer {place.token}", "x-plumbline": "1"}
        try:
            self._client = httpx.Client(base_url=place.url, headers=headers, timeout=_SECONDS, verify=place.ca or True)
        except (OSError, ValueError, httpx.InvalidURL) as error:
            raise BadInput(f"{place.ca or place.url}: {error}") from None

    def get(self, path: str, **parameters: Any) -> Any:
        """The answer of a GET. Parameters that are None or empty are left out. Raises `ServerRefused`."""
        return self._asked("GET", path, params=_given(parameters)).json()

    def download(self, path: str, **parameters: Any) -> bytes:
        """The file behind a GET."""
        return self._asked("GET", path, params=_given(parameters)).content

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The answer of a POST, which is done once even if it is sent twice."""
        return self._asked("POST", path, json=body, headers={"Idempotency-Key": uuid.uuid4().hex}).json()

    def pages(self, path: str, **parameters: Any) -> Iterator[Any]:
        """The items of a list, page after page."""
        after: str | None = None
        while True:
            page = self.get(path, **parameters, after=after)
            yield from page["items"]
            after = page.get("next")
            if after is None:
                return

    def _asked(self, method: str, path: str, **more: Any) -> httpx.Response:
        for attempt in range(1, _TRIES_IF_BUSY + 1):
            try:
                answer = self._client.request(method, f"/api/v1{path}", **more)
            except httpx.HTTPError as error:
                raise ServerRefused(f"{self.place.url} cannot be reached: {error or type(error).__name__}") from None
            if answer.status_code not in (429, 503) or attempt == _TRIES_IF_BUSY:
                break
            time.sleep(min(30.0, float(answer.headers.get("retry-after", "2") or 2)))
        if answer.status_code >= 300:
            raise _problem(self.place, answer)
        return answer

    def group_id(self, named: str) -> int | None:
        """The id of a group by its name or id; None for the empty name. Raises `BadInput`."""
        if not named:
            return None
        groups = self.get("/groups")
        found = [group for group in groups if named == str(group["id"]) or named.casefold() == group["name"].casefold()]
        if len(found) != 1:
            what = "no group is" if not found else f"{len(found)} groups are"
            raise BadInput(
                f"{what} called {named!r}; known: {', '.join(sorted(group['name'] + ' (' + str(group['id']) + ')' for group in groups))}"
            )
        return int(found[0]["id"])

    def view_id(self, named: str) -> int | None:
        """The id of a saved view of the hosts page by its name or id; None for the empty name. Raises `BadInput`."""
        if not named:
            return None
        views = [view for view in self.get("/views") if view["url"].startswith("/hosts")]
        found = [view for view in views if named == str(view["id"]) or named.casefold() == view["name"].casefold()]
        if len(found) != 1:
            what = "no saved view of the hosts page is" if not found else f"{len(found)} saved views are"
            known = ", ".join(sorted(f"{view['name']} ({view['id']})" for view in views)) or "none"
            raise BadInput(f"{what} called {named!r}; known: {known}")
        return int(found[0]["id"])

    def hosts(self, *, names: list[str] | None = None, **filters: Any) -> list[dict[str, Any]]:
        """Hosts by exact name or id, or those that match the filters. Raises `BadInput` for a name that is not there."""
        if not names:
            return list(self.pages("/hosts", sort="name", limit=500, state=["active", "quarantined"], **filters))
        found = []
        for name in names:
            same = [
                host
                for host in self.pages("/hosts", q="" if len(name) == 32 else name, sort="name", limit=500, **filters)
                if name.casefold() in (host["name"].casefold(), host["id"])
            ]
            if not same:
                raise BadInput(f"no host is called {name!r}, or this token may not see it")
            found += same
        return found

    def wait(self, read: Callable[[], dict[str, Any]], *, seconds: float) -> dict[str, Any]:
        """Reads until the state is no longer `queued`. Raises `ServerRefused` after that time, or if it failed."""
        deadline = time.monotonic() + seconds
        while True:
            found = read()
            if found["state"] == "failed":
                raise ServerRefused(f"it could not be made: {found['error']}")
            if found["state"] != "queued":
                return found
            if time.monotonic() > deadline:
                raise ServerRefused(f"it is not ready after {seconds:.0f} s; it goes on on the server")
            time.sleep(1)


def _given(parameters: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if value not in (None, "", [], False)}


def _problem(place: Place, answer: httpx.Response) -> PlumblineError:
    try:
        problem = answer.json()
        detail, code = str(problem["detail"]), str(problem["code"])
    except (ValueError, KeyError, TypeError):
        return ServerRefused(f"{place.url} answered {answer.status_code}, and not like Plumbline: is the address right?")
    if answer.status_code in (400, 422):
        return BadInput(detail)
    return ServerRefused(f"{detail} ({answer.status_code} {code})")


def server() -> Server:
    """The server of the environment or the file."""
    return Server(read_place())
