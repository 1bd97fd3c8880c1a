"""QoS conformance: the share that storage reaches beside other traffic, against the share that its traffic class is configured for."""

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.configurations.compression import unpacker_of
from plumbline.configurations.read import unpack
from plumbline.core.benchmarks.loads import is_same_load
from plumbline.core.facts.configuration import Configuration
from plumbline.core.proof.qos import achieved_share
from plumbline.infra.errors import BadInput
from plumbline.models.configurations import HostConfiguration
from plumbline.models.proofs import BenchmarkRunRow
from plumbline.proofs.queries import runs_in_scope
from plumbline.proofs.run_rows import from_row
from plumbline.proofs.schemas import ShareOut

# SMB Direct, whose policy names the class of storage traffic.
_SMB_DIRECT_PORT = 445


def read_share(
    session: Session, *, actor: Actor, alone_id: int, contended_id: int, configured_percent: float | None, tolerance_points: float
) -> ShareOut:
    """The share of one run beside other traffic. The configured share is the host's own at that time, unless one is given."""
    if alone_id == contended_id:
        raise BadInput("the run alone and the run beside other traffic are the same")
    runs = runs_in_scope(session, actor=actor, ids=[alone_id, contended_id])
    (alone_row, alone), (contended_row, contended) = runs[alone_id], runs[contended_id]
    if alone_row.host_id != contended_row.host_id:
        raise BadInput("the two runs were made on different hosts")
    if not is_same_load(from_row(alone_row), from_row(contended_row)):
        raise BadInput(f"the two runs had different loads: {alone.load.words}, and {contended.load.words}")
    if alone.results.bytes_per_second is None or contended.results.bytes_per_second is None:
        raise BadInput("a run does not say its throughput")
    classes, found = _configured(session, contended_row)
    share = achieved_share(
        alone.results.bytes_per_second,
        contended.results.bytes_per_second,
        found if configured_percent is None else configured_percent,
        tolerance_points=tolerance_points,
    )
    return ShareOut(
        alone=alone,
        contended=contended,
        achieved_percent=share.achieved_percent,
        configured_percent=share.configured_percent,
        difference_points=share.difference_points,
        tolerance_points=tolerance_points,
        conformance=share.conformance,
        classes=classes,
    )


def _configured(session: Session, row: BenchmarkRunRow) -> tuple[list[str], float | None]:
    """The ETS classes at the time of a run, in words, and the share of the class that SMB Direct's policy uses."""
    stored = session.get(HostConfiguration, row.configuration_id) if row.configuration_id else None
    if stored is None:
        return [], None
    return storage_share(unpack(stored, unpacker_of(session, (stored.dictionary_id,))).configuration)


def storage_share(configuration: Configuration) -> tuple[list[str], float | None]:
    """Each ETS class in words, and the share of the one that holds SMB Direct's priority; None where no class or policy does."""
    priorities = {
        configuration.value(subject, "priority")
        for subject in configuration.subjects("qos_policy")
        if configuration.value(subject, "net_direct_port") == _SMB_DIRECT_PORT
    }
    classes = []
    share = None
    for subject in configuration.subjects("qos_class"):
        percent = configuration.value(subject, "bandwidth_percent")
        held = configuration.value(subject, "priorities")
        if configuration.value(subject, "algorithm") != "ets" or not isinstance(percent, int):
            continue
        name = configuration.value(subject, "name") or subject.id
        numbers = {int(each) for each in held if str(each).isdecimal()} if isinstance(held, tuple) else set()
        classes.append(f"{name}: {percent}%")
        if not configuration.value(subject, "is_default") and numbers & {each for each in priorities if isinstance(each, int)}:
            share = float(percent)
    return sorted(classes), share
