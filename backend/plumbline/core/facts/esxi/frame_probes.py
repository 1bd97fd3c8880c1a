"""The results of do-not-fragment pings for VMkernel ports, adapters and initiators."""

from plumbline.core.facts.configuration import Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.esxi.observations import Observations
from plumbline.core.facts.esxi.probes import VMKPING
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.frame_sizes import OUTCOMES, Decided, decide
from plumbline.core.facts.join import Join


def set_probes(join: Join, observed: Observations) -> None:
    """Outcomes at what each interface's paths have to carry; an adapter and an initiator have the worst of their interfaces."""
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
        reading: Reading = Unknown(why) if why else Value("not_run", Source("probes", VMKPING, "", "no portals to test"))
        join.set(subject, "frame_probe", reading)
        if with_size:
            join.set(subject, "frame_probe_size", Unknown(why or "test not run"))
        return
    pinged = {vmk: sent for vmk in vmks if (sent := [probe for probe in mine if probe.vmk == vmk])}
    decided = {vmk: decide(sent, observed.vmks[vmk].mtu if vmk in observed.vmks else None) for vmk, sent in pinged.items()}
    # Not decided ranks between what came through and what did not, as in one interface's own pings.
    worst = max(decided, key=lambda vmk: _rank(decided[vmk]))
    not_pinged = [vmk for vmk in vmks if vmk not in pinged]
    source = Source("probes", VMKPING, worst, decided[worst].shown)
    if decided[worst].outcome == "ok" and why:
        # Portals that no list showed were not pinged.
        join.set(subject, "frame_probe", Unknown(why, source))
    elif decided[worst].outcome == "ok" and not_pinged:
        join.set_value(subject, "frame_probe", "not_run", Source("probes", VMKPING, not_pinged[0], "no portals to test"))
    elif decided[worst].outcome:
        join.set_value(subject, "frame_probe", decided[worst].outcome, source)
    else:
        join.set(subject, "frame_probe", Unknown(decided[worst].why, source))
    if not with_size:
        return
    smallest = min(each.size for each in decided.values())
    if smallest:
        join.set_value(subject, "frame_probe_size", smallest, source)
    else:
        join.set(subject, "frame_probe_size", Unknown("not all paths replied", source))


def _rank(decided: Decided) -> float:
    return OUTCOMES.index(decided.outcome) if decided.outcome else OUTCOMES.index("silent") - 0.5
