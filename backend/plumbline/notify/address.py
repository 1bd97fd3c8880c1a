"""The address of a channel: what it has to look like, how much of it may be shown, and how it is sealed.

Addresses are sealed as secrets in the vault are. The background worker has `notices-<n>.key` and can open them; the API has only
`notices-<n>.pub` and can only seal them.
"""

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from plumbline.infra import http_client
from plumbline.infra.errors import BadInput, Unavailable
from plumbline.infra.settings import get_settings
from plumbline.models.notify import NoticeChannel
from plumbline.notify.kinds import Transport
from plumbline.vault import seal


@dataclass(frozen=True, slots=True)
class Service:
    """A chat service of apprise: its module and class, and its name on screen.

    `names_host`: its messages go to a host that the address names, not to the service's own host on the internet over TLS.
    """

    module: str
    name: str
    words: str
    names_host: bool = False


CHATS: tuple[Service, ...] = (
    Service("slack", "NotifySlack", "Slack"),
    Service("workflows", "NotifyWorkflows", "Microsoft Teams", names_host=True),
    Service("mattermost", "NotifyMattermost", "Mattermost", names_host=True),
    Service("rocketchat", "NotifyRocketChat", "Rocket.Chat", names_host=True),
    Service("discord", "NotifyDiscord", "Discord"),
    Service("google_chat", "NotifyGoogleChat", "Google Chat"),
    Service("webexteams", "NotifyWebexTeams", "Webex"),
    Service("zulip", "NotifyZulip", "Zulip"),
    Service("telegram", "NotifyTelegram", "Telegram"),
    Service("pagerduty", "NotifyPagerDuty", "PagerDuty"),
    Service("opsgenie", "NotifyOpsgenie", "Opsgenie"),
)
_MAIL = Service("email", "NotifyEmail", "mail")
# For each answer of a mail server, which apprise calls the time to connect: servers delay the greeting for unknown clients, and scan a
# mail before they accept it.
_MAIL_ANSWER_SECONDS = 30.0
# Always over TLS, although apprise's class does not say so.
_ALWAYS_TLS = frozenset({"workflows"})
# Options that an address may not have: a template is a file of this machine or an address that apprise would fetch, and redirects lead to
# an address that was not checked.
_REFUSED_OPTIONS = ("template", "redirect")


class ChannelClosed(Unavailable):
    """This process cannot open the channel's address."""

    code = "channel_closed"


@cache
def _class_of(service: Service) -> Any:
    """The class of a service, imported when first needed: importing all of apprise's services takes seconds."""
    with warnings.catch_warnings():
        # apprise's encrypted mail, which is not used, imports a module that Python 3.13 no longer has.
        warnings.filterwarnings("ignore", ".*imghdr.*", DeprecationWarning)
        return getattr(import_module(f"apprise.plugins.{service.module}"), service.name)


def _sender(service: Service, options: Mapping[str, Any]) -> Any:
    apprise = import_module("apprise")
    # No redirects, so that only the checked address is called. No pictures, which would be fetched from apprise's site.
    asset = apprise.AppriseAsset(
        app_id="Plumbline",
        app_desc="Plumbline",
        app_url=get_settings().public_url,
        http_redirects=False,
        image_url_mask="",
        image_url_logo="",
        image_path_mask="",
    )
    try:
        sender = _class_of(service)(**{**options, "asset": asset})
    except (TypeError, ValueError) as error:  # apprise raises TypeError for settings that it cannot use
        raise BadInput(f"The {service.words} URL is incomplete or malformed.") from error
    sender.socket_connect_timeout, sender.socket_read_timeout = http_client.CONNECT_SECONDS, http_client.READ_SECONDS
    if service is _MAIL:
        sender.socket_connect_timeout = _MAIL_ANSWER_SECONDS
    return sender


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat service with its address, ready to send."""

    service: Service
    sender: Any

    @property
    def host(self) -> tuple[str, int] | None:
        """Host and port that a message goes to, where the address names them."""
        if not self.service.names_host:
            return None
        return str(self.sender.host), int(self.sender.port or (443 if self.is_tls else 80))

    @property
    def is_tls(self) -> bool:
        """Whether messages are encrypted on the way."""
        return bool(self.sender.secure) or self.service.module in _ALWAYS_TLS or not self.service.names_host


def chat_of(url: str) -> Chat:
    """The chat service that an address belongs to. Raises `BadInput`, whose message never quotes the address, as it holds a secret."""
    scheme = url.strip().partition("://")[0].lower()
    for service in CHATS:
        kind = _class_of(service)
        if scheme in _schemes(kind.protocol) | _schemes(kind.secure_protocol):
            options = kind.parse_url(url.strip())
        else:
            options = kind.parse_native_url(url.strip()) if scheme == "https" else None
        if options:
            for option in _REFUSED_OPTIONS:
                if option in options or option in (options.get("qsd") or {}):
                    raise BadInput(f"Remove “{option}” from the URL.")
            chat = Chat(service, _sender(service, options))
            if not chat.sender.verify_certificate:
                raise BadInput("Remove “verify” from the URL; certificates are always checked.")
            if not chat.is_tls and not get_settings().outbound_loopback:
                raise BadInput("Use a TLS URL, such as mmosts:// instead of mmost://.")
            return chat
    names = ", ".join(service.words for service in CHATS)
    raise BadInput(f"Unsupported service. Paste the message URL from one of: {names}.")


def _schemes(names: Any) -> set[str]:
    return {names} if isinstance(names, str) else set(names or ())


def mail_of(values: Mapping[str, Any]) -> Any:
    """apprise's sender for the mail server and recipients of a mail channel. Raises `BadInput`."""
    options = {
        "schema": "mailto" if values["security"] == "insecure" else "mailtos",
        "host": values["server"],
        "port": values["port"],
        "user": values["account"] or None,
        "password": values["password"] or None,
        "smtp_host": values["server"],
        "from_addr": values["sender"],
        "targets": list(values["to"]),
        "secure_mode": values["security"],
        "secure": values["security"] != "insecure",
    }
    try:
        sender = _sender(_MAIL, options)
    except BadInput:
        sender = None
    if sender is None or len(sender.targets) != len(options["targets"]):
        raise BadInput("Enter full email addresses for sender and recipients, such as storage@example.com.")
    return sender


def check_address(transport: Transport, values: Mapping[str, Any]) -> str:
    """Checks an address and returns the part of it that may be shown. Raises `BadInput` with what is wrong with it."""
    if transport == "mail":
        mail_of(values)
        return f"{', '.join(values['to'])} by {values['server']}:{values['port']}"
    if transport == "chat":
        chat = chat_of(values["url"])
        return chat.service.words + (f" at {chat.host[0]}" if chat.host else "")
    try:
        url = http_client.check_url(values["url"])
    except http_client.AddressRefused as error:
        raise BadInput(f"address: {error}") from error
    port = f":{url.port}" if url.port else ""
    return f"{url.scheme}://{url.host}{port}/…"


def mail_domains(row: NoticeChannel) -> frozenset[str]:
    """The domains of the people whom a mail channel writes to; they are shown, so no key is needed."""
    people = row.shown.rpartition(" by ")[0].split(", ")
    return frozenset(person.rpartition("@")[2].lower() for person in people if "@" in person)


def seal_address(row: NoticeChannel, values: Mapping[str, Any]) -> None:
    """Seals address and secrets into the row, bound to its id and a new version."""
    row.version += 1
    row.key_id, public = newest_key()
    row.sealed = seal.seal(json.dumps(dict(values)).encode(), public=public, data=_data(row))


def newest_key() -> tuple[str, bytes]:
    """Id and bytes of the public key under which addresses and secrets are sealed. Raises `ChannelClosed` where there is none."""
    newest = seal.newest_public(get_settings().keys, seal.NOTICES)
    if newest is None:
        raise ChannelClosed(
            "Notification public key missing. Start a background worker once, then copy its notices-<n>.pub to the API's keys folder."
        )
    return newest


def open_address(row: NoticeChannel) -> dict[str, Any]:
    """Address and secrets of a channel, as they were entered. Raises `ChannelClosed`."""
    values: dict[str, Any] = json.loads(unseal_bytes(row.sealed, row.key_id, _data(row)))
    return values


def unseal_bytes(sealed: bytes | None, key_id: str, data: bytes) -> bytes:
    """The plain bytes of something that was sealed for the background worker. Raises `ChannelClosed`."""
    private = seal.private_key(get_settings().keys, key_id, seal.NOTICES)
    if private is None or sealed is None:
        raise ChannelClosed(
            f"notices-{key_id}.key is not in the keys folder of the background workers: copy it there, or add the channel again"
        )
    try:
        return seal.unseal(sealed, private=private, data=data)
    except seal.SealBroken as error:
        raise ChannelClosed("The stored address or secret is damaged. Add the channel again.") from error


def _data(row: NoticeChannel) -> bytes:
    return seal.associated_data(row.id or 0, row.version, f"notices {row.way}")
