"""What can go wrong between Plumbline and a host. Each error says whether a retry can help, and whether anything may have happened."""

from plumbline.infra.errors import PlumblineError


class ChannelError(PlumblineError):
    """Base of all errors of a channel.

    `is_retryable`: the same call may succeed later without any change. `is_outcome_known`: the request had no effect, or
    the answer says which.
    """

    status = 502
    code = "channel"
    is_retryable = False
    is_outcome_known = True


class HostUnreachable(ChannelError):
    """No connection, or it broke before the request was sent."""

    code = "host_unreachable"
    is_retryable = True


class HostBusy(ChannelError):
    """The host refuses another session now (shell quota). Wait: an immediate retry makes it worse."""

    code = "host_busy"
    is_retryable = True


class HostIdentityUnknown(ChannelError):
    """No key or certificate of the host is on record, so no credential is sent."""

    code = "host_identity_unknown"


class HostIdentityWrong(ChannelError):
    """The host shows another key or certificate than the one on record. Nothing was sent."""

    code = "host_identity_wrong"


class AuthenticationRejected(ChannelError):
    """The host rejects the credential. A retry would lock the account."""

    code = "authentication_rejected"


class CommandRefused(ChannelError):
    """Not sent: too long, or nothing that this channel may carry."""

    code = "command_refused"


class CommandFailed(ChannelError):
    """The command ended with a failure."""

    code = "command_failed"


class OutcomeUnknown(ChannelError):
    """Sent without an answer that can be trusted: timeout, broken connection, or an empty answer. Read the state, never resend."""

    code = "outcome_unknown"
    is_outcome_known = False
