"""The results of do-not-fragment pings for VMkernel ports, adapters and initiators."""

from plumbline.core.facts.configuration import Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.esxi.observations import Observations
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.join import Join

# From best to worst.
_OUTCOMES = ("ok", "not_run", "silent", "too_big")


def _worst(outcomes: list[str]) -> str:
    return max(outcomes, key=_OUTCOMES.index)


def set_probes(join: Join, observed: Observations) -> None:
    """Outcomes at each interface's own MTU; an adapter and an initiator have the worst outcome of their interfaces."""
    if "probes" not in join.sections:
        return
    why = join.observation("probes", "probe_unread", "")
    san = set(observed.san_vmks())
    if "iscsi" not in join.sections and "iscsi" not in join.unread:
        # Copied outputs without the iSCSI section: the ports that pings were sent from are taken for the SAN's.
        san |= {probe.vmk for probe in observed.probes if probe.vmk}
    by_adapter: dict[str, list[str]] = {}
    for vmk in sorted(san, key=natural):
        for vmnic in observed.uplinks_of(vmk)[0]:
            by_adapter.setdefault(vmnic, []).append(vmk)
    for vmk in sorted(san, key=natural):
        _frame_probe(join, observed, Subject("vnic", vmk), [vmk], why, with_size=False)
    for vmnic, vmks in by_adapter.items():
        if vmnic in observed.nics:
            _frame_probe(join, observed, observed.nics[vmnic].subject, vmks, why, with_size=True)
    for initiator in observed.initiators.values():
        mine = [binding.vmk for binding in observed.bindings if binding.vmhba == initiator.vmhba] or [
            observed.vmk_of_address[session.local].name
            for session in observed.sessions
            if session.vmhba == initiator.vmhba and session.local in observed.vmk_of_address
        ]
        if mine:
            _frame_probe(join, observed, initiator.subject, sorted(set(mine), key=natural), why, with_size=False)


def _frame_probe(join: Join, observed: Observations, subject: Subject, vmks: list[str], why: str, *, with_size: bool) -> None:
    mine = [probe for probe in observed.probes if probe.vmk in vmks]
    if not mine:
        reading: Reading = Unknown(why) if why else Value("not_run", Source("probes", "vmkping", "", "no portal to ping"))
        join.set(subject, "frame_probe", reading)
        if with_size:
            join.set(subject, "frame_probe_size", Unknown(why or "no probe was run"))
        return
    considered = []
    for vmk in vmks:
        mtu = observed.vmks[vmk].mtu if vmk in observed.vmks else None
        of_vmk = [probe for probe in mine if probe.vmk == vmk]
        considered.extend([probe for probe in of_vmk if probe.size == mtu] or of_vmk)
    outcome = _worst([probe.outcome for probe in considered])
    worst = next(probe for probe in considered if probe.outcome == outcome)
    not_pinged = [vmk for vmk in vmks if all(probe.vmk != vmk for probe in mine)]
    if outcome == "ok" and not_pinged:
        join.set_value(subject, "frame_probe", "not_run", Source("probes", "vmkping", not_pinged[0], "no portal to ping"))
    else:
        join.set_value(subject, "frame_probe", outcome, worst.source)
    if not with_size:
        return
    largest: dict[tuple[str, str], int] = {}
    for probe in mine:
        pair = (probe.vmk, probe.portal)
        largest[pair] = max(largest.get(pair, 0), probe.size if probe.outcome == "ok" else 0)
    smallest = min(largest.values())
    if smallest:
        join.set_value(subject, "frame_probe_size", smallest, worst.source)
    else:
        join.set(subject, "frame_probe_size", Unknown("not every path answered", worst.source))
