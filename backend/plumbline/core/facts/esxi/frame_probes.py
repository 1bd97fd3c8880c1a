"""What do-not-fragment pings say of interfaces, adapters and initiators."""

from plumbline.core.facts.configuration import Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.esxi.observations import Joins
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.join import Steps

# From best to worst.
_OUTCOMES = ("ok", "not_run", "silent", "too_big")


def _worst(outcomes: list[str]) -> str:
    return max(outcomes, key=_OUTCOMES.index)


def say_probes(joins: Joins, facts: Steps) -> None:
    """Outcomes at each interface's own MTU; an adapter and an initiator take the worst of their interfaces."""
    if "probes" not in joins.parts:
        return
    why = joins.seen("probes", "probe_unread", "")
    san = joins.san_vmks()
    if "iscsi" not in joins.parts and "iscsi" not in joins.unread:
        # Copied outputs without the iSCSI section: whoever was pinged from, that interface is meant.
        san = {probe.vmk: "" for probe in joins.probes if probe.vmk} | san
    by_adapter: dict[str, list[str]] = {}
    for vmk in sorted(san, key=natural):
        for vmnic in joins.uplinks_of(vmk)[0]:
            by_adapter.setdefault(vmnic, []).append(vmk)
    for vmk in sorted(san, key=natural):
        _frame_probe(joins, facts, Subject("vnic", vmk), [vmk], why, with_size=False)
    for vmnic, vmks in by_adapter.items():
        if vmnic in joins.nics:
            _frame_probe(joins, facts, joins.nics[vmnic].subject, vmks, why, with_size=True)
    for initiator in joins.initiators.values():
        mine = [binding.vmk for binding in joins.bindings if binding.vmhba == initiator.vmhba] or [
            joins.by_address[session.local].name
            for session in joins.sessions
            if session.vmhba == initiator.vmhba and session.local in joins.by_address
        ]
        if mine:
            _frame_probe(joins, facts, initiator.subject, sorted(set(mine), key=natural), why, with_size=False)


def _frame_probe(joins: Joins, facts: Steps, subject: Subject, vmks: list[str], why: str, *, with_size: bool) -> None:
    mine = [probe for probe in joins.probes if probe.vmk in vmks]
    if not mine:
        reading: Reading = Unknown(why) if why else Value("not_run", Source("probes", "vmkping", "", "no portal to ping"))
        facts.put(subject, "frame_probe", reading)
        if with_size:
            facts.put(subject, "frame_probe_size", Unknown(why or "no probe was run"))
        return
    judged = []
    for vmk in vmks:
        mtu = joins.vmks[vmk].mtu if vmk in joins.vmks else None
        of_vmk = [probe for probe in mine if probe.vmk == vmk]
        judged.extend([probe for probe in of_vmk if probe.size == mtu] or of_vmk)
    outcome = _worst([probe.outcome for probe in judged])
    worst = next(probe for probe in judged if probe.outcome == outcome)
    silent_about = [vmk for vmk in vmks if all(probe.vmk != vmk for probe in mine)]
    if outcome == "ok" and silent_about:
        facts.say(subject, "frame_probe", "not_run", Source("probes", "vmkping", silent_about[0], "no portal to ping"))
    else:
        facts.say(subject, "frame_probe", outcome, worst.source)
    if not with_size:
        return
    largest: dict[tuple[str, str], int] = {}
    for probe in mine:
        pair = (probe.vmk, probe.portal)
        largest[pair] = max(largest.get(pair, 0), probe.size if probe.outcome == "ok" else 0)
    smallest = min(largest.values())
    if smallest:
        facts.say(subject, "frame_probe_size", smallest, worst.source)
    else:
        facts.put(subject, "frame_probe_size", Unknown("not every path answered", worst.source))
