"""The identity provider of the tests: a real one, in a process of its own, spoken to over HTTP and by its pages as a browser would."""

import html
import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urljoin

import httpx

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "e2e" / "hosts" / "identity-provider.mjs"
SECRET = "a secret of the test's own, 32 bytes or more"


def is_installed() -> bool:
    """The provider comes with the packages of the browser tests."""
    return (ROOT / "e2e" / "node_modules" / "oidc-provider").is_dir() and shutil.which("node", path=_path()) is not None


def _path() -> str:
    return str(ROOT / ".venv" / "bin")


def free_port() -> int:
    """A port that nobody has now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@dataclass
class RealProvider:
    """A running provider."""

    issuer: str
    process: subprocess.Popen[str]

    def note(self, people: Mapping[str, Mapping[str, Any]]) -> None:
        """From now on these people are so."""
        assert isinstance(self.process.stdin, IO) or self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(people) + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == "noted"


@contextmanager
def running_provider(*, port: int, callback: str, people: Mapping[str, Any], key: str = "first") -> Iterator[RealProvider]:
    """Starts it and ends it."""
    given = {
        "port": port,
        "client_secret": SECRET,
        "redirect_uris": [callback],
        "post_logout_redirect_uris": [urljoin(callback, "/")],
        "people": people,
        "key": key,
    }
    node = shutil.which("node", path=_path())
    assert node
    process = subprocess.Popen(
        [node, str(SCRIPT), json.dumps(given)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        if not any("provider is up" in line for line in lines):
            raise RuntimeError(f"the provider did not start: {process.stderr.read() if process.stderr else ''}")
        yield RealProvider(f"http://127.0.0.1:{port}", process)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def go_through(browser: httpx.Client, url: str, login: str) -> httpx.Response:
    """Follows a sign-in through the provider's pages as a person would, until a page that is not the provider's asks nothing more."""
    answer = browser.get(url)
    for _ in range(20):
        if answer.is_redirect:
            answer = browser.get(urljoin(str(answer.url), answer.headers["location"]))
        elif (form := re.search(r'<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>', answer.text, re.S)) and 'name="login"' in form[2]:
            fields = {"prompt": "login", "login": login, "password": "any"}
            answer = browser.post(urljoin(str(answer.url), html.unescape(form[1])), data=fields)
        elif form and "document.forms[0].submit()" in answer.text:
            # The provider ends the session of whoever was signed in there before.
            fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[2]))
            answer = browser.post(html.unescape(form[1]), data=fields)
        else:
            return answer
    raise AssertionError("the sign-in went round in circles")
