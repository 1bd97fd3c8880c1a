"""The papers' own results where their text gives numbers, with the systems that they were measured on. Pure data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReferenceRun:
    """One figure of a paper. `value` is in `unit`: a plain `%` is a difference from the state without `change`."""

    paper: str
    at: str
    load: str
    change: str
    value: float
    unit: str
    platform: str
    adapter: str
    note: str = ""


_BCM = "Broadcom BCM57810"
_X520 = "Intel X520"
_CHELSIO = "Chelsio T520-CR"
_QLOGIC = "QLogic QLE3142"
_S2D = "Windows Server 2016, S2D, four nodes, 80 virtual machines"
_BP1057 = "Windows Server, EqualLogic SAN"
_ESXI = "ESXi 5.5, EqualLogic SAN"
_2008 = "Windows Server 2008 R2 and ESX 4, StarWind iSCSI target"


REFERENCE_RUNS: tuple[ReferenceRun, ...] = (
    ReferenceRun("bp1057", "4.2.2", "256K sequential read", "RSS turned off", -30, "%", _BP1057, _X520),
    ReferenceRun("bp1057", "4.2.7", "256K sequential read", "receive window auto-tuning turned off", -30, "%", _BP1057, f"{_BCM}, {_X520}"),
    ReferenceRun("bp1057", "4.2.10", "8K random, 67% read", "iSOE instead of NDIS", 30, "%", _BP1057, _BCM, "more than"),
    ReferenceRun("bp1057", "4.2.10", "256K sequential read", "iSOE instead of NDIS", 10, "%", _BP1057, _BCM),
    ReferenceRun(
        "bp1057", "4.2.4, Figure 4", "256K sequential read", "congested SAN, NDIS: retransmits", 0.11, "% retransmits", _BP1057, _BCM
    ),
    ReferenceRun("bp1057", "4.2.4, Figure 4", "256K sequential read", "congested SAN, TOE: retransmits", 0, "% retransmits", _BP1057, _BCM),
    ReferenceRun("esxi55", "4.3, Figure 14", "256K sequential read", "iSOE instead of the standard adapter", 13, "%", _ESXI, _BCM),
    ReferenceRun("chelsio", "Figure 3", "256K write, VMFleet", "storage alone, no QoS", 2008, "MB/s", _S2D, _CHELSIO),
    ReferenceRun("chelsio", "Figure 4", "256K write, VMFleet", "beside other traffic, no QoS", 1443, "MB/s", _S2D, _CHELSIO),
    ReferenceRun("chelsio", "Figure 5", "256K write, VMFleet", "beside other traffic, QoS 80:20", 1563, "MB/s", _S2D, _CHELSIO),
    ReferenceRun("chelsio", "Figure 6", "256K write, VMFleet", "beside other traffic, QoS 10:90", 210, "MB/s", _S2D, _CHELSIO),
    ReferenceRun("qlogic", "Packets and frames work", "NTttcp, 4K packets", "jumbo instead of standard frames", 90, "%", _2008, _QLOGIC),
    ReferenceRun("qlogic", "Packets and frames work", "NTttcp, 8K packets", "jumbo instead of standard frames", 16, "%", _2008, _QLOGIC),
    ReferenceRun(
        "qlogic",
        "Packets and frames work",
        "NTttcp, 64K packets, 3+3 threads",
        "jumbo and offloads, one port",
        13_674,
        "Mb/s",
        _2008,
        _QLOGIC,
    ),
    ReferenceRun(
        "qlogic", "Provisioning for high I/O throughput", "Iometer, 128K streaming", "standard frames", 223, "MB/s", _2008, _QLOGIC
    ),
    ReferenceRun(
        "qlogic", "Provisioning for high I/O throughput", "Iometer, 128K streaming", "jumbo and all offloads", 474, "MB/s", _2008, _QLOGIC
    ),
    ReferenceRun("qlogic", "Streaming server data", "Iometer, 64K read", "one ESX virtual machine", 225, "MB/s", _2008, _QLOGIC),
    ReferenceRun(
        "qlogic",
        "Streaming server data",
        "Iometer, 4K random, 80% read",
        "one ESX virtual machine",
        5000,
        "IOPS",
        _2008,
        _QLOGIC,
        "about; the paper's box says 5,700",
    ),
    ReferenceRun(
        "qlogic",
        "Streaming server data",
        "Iometer, 4K random, 80% read",
        "two ESX virtual machines",
        8200,
        "IOPS",
        _2008,
        _QLOGIC,
        "about",
    ),
)
