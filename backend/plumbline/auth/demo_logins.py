"""The logins of the lab's demo people, for whoever opens the sign-in page on the machine that the lab runs on."""

import json
from json import JSONDecodeError

from fastapi import Request

from plumbline.auth.dependencies import client_address
from plumbline.auth.schemas import DemoLogin
from plumbline.infra.settings import Settings

_LOOPBACK = ("127.0.0.1", "::1")
# A name of another site that was made to lead to this machine is none of these.
_LOOPBACK_NAMES = (*_LOOPBACK, "localhost")
# Whoever comes through a proxy sits somewhere else.
_OF_PROXIES = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


def read_demo_logins(request: Request, settings: Settings) -> list[DemoLogin]:
    """Each demo person with their first password. Empty where this is no lab, or for a browser on another machine."""
    if not settings.is_demo or not _is_from_here(request):
        return []
    try:
        found = json.loads((settings.home / "demo-logins.json").read_bytes())
    except (OSError, JSONDecodeError):
        return []
    return [DemoLogin.model_validate(each) for each in found]


def _is_from_here(request: Request) -> bool:
    return (
        client_address(request) in _LOOPBACK
        and request.url.hostname in _LOOPBACK_NAMES
        and not any(name in request.headers for name in _OF_PROXIES)
    )
