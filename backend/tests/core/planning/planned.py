"""Plans of single hosts for the tests of this folder."""

from plumbline.core.planning.build import build_plan
from plumbline.core.planning.inputs import HostFacts, Limits
from plumbline.core.planning.plan import Plan, Refusal, Step
from tests.core.planning.hosts import (
    MACS,
    a_rule,
    on,
    the_settings,
)

SAN1, SAN2 = on(MACS[0]), on(MACS[1])
PAUSE = a_rule("adapter.flow_control", "rx_tx")
BUFFERS = a_rule("adapter.receive_buffers", None)
FRAME = a_rule("adapter.mtu", 9000)
RSS = a_rule("host.tcp.rss", "enabled")
ATTESTED = Limits(frame_attested_by="ana")


def plan(*hosts: HostFacts, limits: Limits = Limits(), **more: object) -> Plan:
    """The plan of these hosts."""
    return build_plan(hosts, the_settings(), limits, **more)  # type: ignore[arg-type]


def steps(host: HostFacts, limits: Limits = Limits()) -> tuple[Step, ...]:
    """The steps of a host that must have some, and nothing refused."""
    made = plan(host, limits=limits)
    assert made.refusals == ()
    return made.hosts[0].steps


def refusal(host: HostFacts, limits: Limits = Limits()) -> Refusal:
    """The one refusal of a host on which nothing is left."""
    made = plan(host, limits=limits)
    assert made.is_empty
    (one,) = made.refusals
    return one
