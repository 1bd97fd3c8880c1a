"""Authenticated sessions to hosts: SSH and WinRM, each with a deadline of its own. The only place that imports paramiko and pywinrm.

A call returns an answer, raises an error that means that nothing happened on the host, or raises `OutcomeUnknown`. A library's exception
never leaves this package.
"""

from plumbline.channels.errors import (
    AuthenticationRejected,
    ChannelError,
    CommandFailed,
    CommandRefused,
    HostBusy,
    HostIdentityUnknown,
    HostIdentityWrong,
    HostUnreachable,
    OutcomeUnknown,
)
from plumbline.channels.result import CommandResult

__all__ = [
    "AuthenticationRejected",
    "ChannelError",
    "CommandFailed",
    "CommandRefused",
    "CommandResult",
    "HostBusy",
    "HostIdentityUnknown",
    "HostIdentityWrong",
    "HostUnreachable",
    "OutcomeUnknown",
]
