"""What can go wrong between us and a host. Each error says whether trying again can help, and whether anything may have happened."""

from plumbline.infra.errors import PlumblineError


class ChannelError(PlumblineError):
    """Base of all errors of a channel.

    `is_retryable`: the same call may succeed later without anybody changing anything. `is_outcome_known`: nothing of what was asked
    can have happened, or the answer says what did.
    """

    status = 502
    code = "channel"
    is_retryable = False
    is_outcome_known = True


class HostUnreachable(ChannelError):
    """No connection, or it broke before anything was asked."""

    code = "host_unreachable"
    is_retryable = True


class HostBusy(ChannelError):
    """The host refuses another session now (shell quota). Wait; trying again at once makes it worse."""

    code = "host_busy"
    is_retryable = True


class HostIdentityUnknown(ChannelError):
    """No key or certificate of the host is on record, so no credential is sent."""

    code = "host_identity_unknown"


class HostIdentityWrong(ChannelError):
    """The host shows another key or certificate than the one on record. Nothing was sent."""

    code = "host_identity_wrong"


class AuthenticationRejected(ChannelError):
    """The host does not take the credential. Trying again would lock the account."""

    code = "authentication_rejected"


class CommandRefused(ChannelError):
    """We did not send it: too long, or not a thing this channel may carry."""

    code = "command_refused"


class CommandFailed(ChannelError):
    """The command ended and says that it failed."""

    code = "command_failed"


class OutcomeUnknown(ChannelError):
    """Asked, and no answer that can be trusted: time ran out, the connection broke, or the answer is empty. Read back, never resend."""

    code = "outcome_unknown"
    is_outcome_known = False
