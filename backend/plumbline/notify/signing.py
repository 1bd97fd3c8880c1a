"""The secrets that sign a webhook's messages: the first is sealed together with the address, each later one by itself.

The API cannot open an address, so it seals a new secret separately. For a day after a rotation the old secret signs too, so that the
receiver can change over without refusing a message.
"""

import base64
import secrets
from datetime import datetime, timedelta

from plumbline.models.notify import NoticeChannel
from plumbline.notify.address import newest_key, unseal_bytes
from plumbline.vault import seal

SECRET_PREFIX = "whsec_"  # noqa: S105 - how such secrets begin
OVERLAP = timedelta(hours=24)


def new_secret() -> str:
    """A secret of 32 random bytes, in the form of the Standard Webhooks."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def rotate(row: NoticeChannel, *, now: datetime, keeps_old: bool) -> str:
    """Replaces the signing secret and returns the new one. The old one signs too for `OVERLAP`, or ends at once."""
    if keeps_old:
        row.old_secret_sealed, row.old_secret_key_id, row.old_secret_until = row.secret_sealed, row.secret_key_id, now + OVERLAP
    else:
        row.old_secret_sealed, row.old_secret_key_id, row.old_secret_until = None, "", None
    secret = new_secret()
    row.secret_version += 1
    row.secret_key_id, public = newest_key()
    row.secret_sealed = seal.seal(secret.encode(), public=public, data=_data(row, row.secret_version))
    return secret


def active_secrets(row: NoticeChannel, *, first: str, now: datetime) -> tuple[str, ...]:
    """The secrets that sign now, the newest first. `first` is the one that is sealed with the address. Raises `ChannelClosed`."""
    old = row.secret_version - 1
    if old < 0 or row.secret_sealed is None:
        return (first,)
    newest = unseal_bytes(row.secret_sealed, row.secret_key_id, _data(row, row.secret_version)).decode()
    if row.old_secret_until is None or row.old_secret_until <= now:
        return (newest,)
    if row.old_secret_sealed is None:
        return newest, first
    return newest, unseal_bytes(row.old_secret_sealed, row.old_secret_key_id, _data(row, old)).decode()


def _data(row: NoticeChannel, version: int) -> bytes:
    return seal.associated_data(row.id or 0, version, "notices webhook secret")
