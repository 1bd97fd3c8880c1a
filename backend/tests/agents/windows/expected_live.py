"""What the agent sends outside the sections: live sessions and storage jobs, and the counters."""

from typing import Any

from tests.agents.windows.host_data import Host, Row, in_order, objects, project


def has_initiator(host: Host) -> bool:
    """The initiator's service runs."""
    return any(row["Name"] == "MSiSCSI" and row["Status"] == "Running" for row in objects(host, "Get-Service"))


def live_of(host: Host) -> dict[str, Any]:
    sessions = []
    if has_initiator(host):
        for session in objects(host, "Get-IscsiSession"):
            names = ("ConnectionIdentifier", "InitiatorAddress", "InitiatorPortNumber", "TargetAddress", "TargetPortNumber")
            connections = [{name: row[name] for name in names} for row in session["StandInConnections"]]
            sessions.append(
                {name: session[name] for name in ("SessionIdentifier", "TargetNodeAddress")} | {"connections": in_order(connections)}
            )
    jobs = [project(row, {"fields": ["Name", "JobState", "PercentComplete"]}) for row in objects(host, "Get-StorageJob")]
    return {"sessions": in_order(sessions), "storage_jobs": in_order(jobs), "nuls_removed": 0, "surrogates_replaced": 0}


ADAPTER_COUNTERS = {
    "bytes_received": ("ReceivedBytes",),
    "bytes_sent": ("SentBytes",),
    "packets_received": ("ReceivedUnicastPackets", "ReceivedMulticastPackets", "ReceivedBroadcastPackets"),
    "packets_sent": ("SentUnicastPackets", "SentMulticastPackets", "SentBroadcastPackets"),
    "drops_received": ("ReceivedDiscardedPackets",),
    "drops_sent": ("OutboundDiscardedPackets",),
    "errors_received": ("ReceivedPacketErrors",),
    "errors_sent": ("OutboundPacketErrors",),
}
VOLUME_TOTALS = {
    "read_bytes": "DiskReadBytesPersec",
    "write_bytes": "DiskWriteBytesPersec",
    "reads": "DiskReadsPersec",
    "writes": "DiskWritesPersec",
}


def _volume_id(unique_id: str) -> str:
    """As on every platform: NAA of 16 bytes; the hosts of the tests have no other."""
    text = unique_id.lower()
    assert len(text) == 32, unique_id
    return ("naa." if text.startswith("6") else "eui.") + text


def counters_of(host: Host) -> dict[str, Any]:
    series: list[Row] = []

    def add(subject: str, name: str, value: int, kind: str = "total") -> None:
        series.append({"subject": subject, "name": name, "value": value, "kind": kind})

    own = (row for row in objects(host, "Get-NetAdapter") if not row["Virtual"] and not row["Hidden"])
    macs = {row["InterfaceGuid"]: row["PermanentAddress"].lower() for row in own}
    for row in sorted(objects(host, "Get-NetAdapterStatistics"), key=lambda row: macs[row["InstanceID"]]):
        for name, fields in ADAPTER_COUNTERS.items():
            add(f"adapter/{macs[row['InstanceID']]}", name, sum(row[field] for field in fields))

    samples = host["samples"]
    both = [samples["Win32_PerfRawData_Tcpip_TCPv4"][0][0], samples["Win32_PerfRawData_Tcpip_TCPv6"][0][0]]
    add("host/", "tcp_segments_sent", sum(row["SegmentsSentPersec"] for row in both))
    add("host/", "tcp_segments_retransmitted", sum(row["SegmentsRetransmittedPersec"] for row in both))
    first, second = (next(row for row in rows if row["Name"] == "_Total") for rows in samples["Win32_PerfRawData_PerfOS_Processor"])
    idle, passed = (second[name] - first[name] for name in ("PercentProcessorTime", "Timestamp_Sys100NS"))
    add("host/", "cpu_percent", (passed - idle) * 100 // passed, "gauge")

    disks = {
        row["Number"]: row for row in objects(host, "Get-Disk") if row["BusType"] in ("iSCSI", "Spaces", "Storage Spaces", "Fibre Channel")
    }
    before, after = ({row["Name"].split(" ")[0]: row for row in rows} for rows in samples["Win32_PerfRawData_PerfDisk_PhysicalDisk"])
    for number, disk in sorted(disks.items(), key=lambda item: _volume_id(item[1]["UniqueId"])):
        old, new = before[str(number)], after[str(number)]
        subject = f"volume/{_volume_id(disk['UniqueId'])}"
        for name, field in VOLUME_TOTALS.items():
            add(subject, name, new[field])
        for name, field in (("read_latency_us", "AvgDisksecPerRead"), ("write_latency_us", "AvgDisksecPerWrite")):
            operations = (new[field + "_Base"] - old[field + "_Base"]) % 2**32
            if operations:
                ticks = (new[field] - old[field]) % 2**32  # a 32-bit counter of the disk driver: it wraps
                add(subject, name, ticks * 1_000_000 // (new["Frequency_PerfTime"] * operations), "gauge")
    return {"at": host["made_at"], "uptime_s": host["uptime_s"], "series": series}
