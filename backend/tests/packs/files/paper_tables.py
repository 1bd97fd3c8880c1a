"""The papers' own tables, typed from the papers and not from our rules: what an untouched host has, and what is recommended.

The tests of the papers' hosts take both states from here. A row is written as the paper prints it; next to it are the values that reading
the host must give, since frame sizes are stored as one L3 MTU (9614 in the driver is 9600, "Enabled" on the X520 is 9000).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.core.facts.configuration import SettingValue


@dataclass(frozen=True)
class Row:
    """One row: its place, the setting, and default and recommended value as printed ("" if no table recommends one).

    `key` is the setting of the catalogue, with its kind; `delivered` and `asked` are the host's values in either state. `rule` is the
    rule for the row, without its first word, if the two values differ.
    """

    at: str
    setting: str
    default: str
    recommended: str
    key: str
    delivered: SettingValue
    asked: SettingValue
    rule: str = ""

    @property
    def differs(self) -> bool:
        return bool(self.recommended) and self.recommended != self.default


# BP1057, edition of 2013: defaults of Tables 10 to 13 (appendix B), recommendations of Tables 6 to 9 (section 5). Rows without a setting
# of its own in the catalogue (IPv4 header checksums of the X520) are left out.
_WINDOWS_STACK = (
    Row("Table 13", "Receive-Side Scaling State", "Enabled", "", "host.tcp.rss", "enabled", "enabled"),
    Row("Table 13", "Receive Window Auto-Tuning Level", "Normal", "", "host.tcp.auto_tuning", "normal", "normal"),
    Row("Table 13", "Receive Segment Coalescing State", "Enabled", "", "host.tcp.rsc", "enabled", "enabled"),
)
_WINDOWS_ACKS = (
    Row("Table 13", "Delayed ACK algorithm", "Enabled", "", "adapter.delayed_ack_registry", "enabled", "enabled"),
    Row("Table 13", "Nagle's algorithm", "Enabled", "", "adapter.nagle_registry", "enabled", "enabled"),
)
_CHIMNEY_OFF = Row("Table 13", "Chimney Offload State", "Disabled", "", "host.tcp.chimney", "disabled", "disabled")

BP1057: Mapping[str, tuple[Row, ...]] = {
    "ndis": (
        Row("Table 10", "Flow control", "Rx & Tx Enabled", "", "adapter.flow_control", "rx_tx", "rx_tx"),
        Row("Table 10", "Interrupt moderation", "Enabled", "", "adapter.interrupt_moderation", "enabled", "enabled"),
        Row("Tables 10, 6", "Jumbo packet", "1514", "9614", "adapter.mtu", 1500, 9600, "bcm57810.ndis.jumbo"),
        Row("Table 10", "Large Send Offload V2", "Enabled", "", "adapter.lso_ipv4", "enabled", "enabled"),
        Row("Table 10", "Number of RSS queues", "4", "", "adapter.rss_queues", 4, 4),
        Row("Tables 10, 6", "Receive buffers", "0=Auto", "3000", "adapter.receive_buffers", 0, 3000, "bcm57810.ndis.receive_buffers"),
        Row("Table 10", "Receive Side Scaling", "Enabled", "", "adapter.rss", "enabled", "enabled"),
        Row("Table 10", "Recv Segment Coalescing", "Enabled", "", "adapter.rsc_ipv4", "enabled", "enabled"),
        Row("Tables 10, 6", "TCP Connection Offload", "Disabled", "Enabled", "adapter.tcp_connection_offload", "disabled", "enabled",
            "bcm57810.ndis.toe"),
        Row("Table 10", "TCP/UDP Checksum Offload", "Rx & Tx Enabled", "", "adapter.checksum_tcp_ipv4", "rx_tx", "rx_tx"),
        Row("Tables 10, 6", "Transmit buffers", "0=Auto", "5000", "adapter.transmit_buffers", 0, 5000, "bcm57810.ndis.transmit_buffers"),
        Row("Tables 13, 7", "Chimney Offload State", "Disabled", "Enabled", "host.tcp.chimney", "disabled", "enabled", "bcm57810.ndis.toe"),
        *_WINDOWS_STACK, *_WINDOWS_ACKS,
    ),
    "isoe": (
        Row("Tables 11, 8", "Flow control", "Auto", "Rx & Tx enabled", "initiator.flow_control", "auto", "rx_tx",
            "bcm57810.isoe.flow_control"),
        Row("Tables 11, 8", "MTU", "1500", "9600", "initiator.mtu", 1500, 9600, "bcm57810.isoe.mtu"),
        *_WINDOWS_STACK, _CHIMNEY_OFF,
    ),
    "x520": (
        Row("Table 12", "Interrupt Moderation", "Enabled", "", "adapter.interrupt_moderation", "enabled", "enabled"),
        Row("Tables 12, 9", "Jumbo packet", "Disabled", "Enabled", "adapter.mtu", 1500, 9000, "x520.jumbo"),
        Row("Table 12", "Large Send Offload V2", "Enabled", "", "adapter.lso_ipv4", "enabled", "enabled"),
        Row("Table 12", "Maximum Number of RSS Queues", "8", "", "adapter.rss_queues", 8, 8),
        Row("Table 12", "Flow Control", "Rx & Tx Enabled", "", "adapter.flow_control", "rx_tx", "rx_tx"),
        Row("Tables 12, 9", "Receive Buffers", "512", "4096", "adapter.receive_buffers", 512, 4096, "x520.receive_buffers"),
        Row("Tables 12, 9", "Transmit Buffers", "512", "16384", "adapter.transmit_buffers", 512, 16384, "x520.transmit_buffers"),
        Row("Table 12", "Receive Side Scaling", "Enabled", "", "adapter.rss", "enabled", "enabled"),
        Row("Table 12", "Recv Segment Coalescing", "Enabled", "", "adapter.rsc_ipv4", "enabled", "enabled"),
        Row("Table 12", "RSS load balancing profile", "Closest Processor", "", "adapter.rss_profile", "closest", "closest"),
        Row("Table 12", "TCP Checksum Offload", "Enabled", "", "adapter.checksum_tcp_ipv4", "rx_tx", "rx_tx"),
        *_WINDOWS_STACK, *_WINDOWS_ACKS, _CHIMNEY_OFF,
    ),
}  # fmt: skip

# ESXi 5.5, January 2014: Tables 6 to 8 print default and recommendation side by side; Table 2 the offloads that cannot be changed. Section
# 3.3 has the other settings of MEM's best practices, and section 6 recommends MEM itself.
_MEM = (
    Row("3.3", "LoginTimeout", "5", "60", "initiator.login_timeout_seconds", 5, 60, "login_timeout"),
    Row("6", "MEM with best practices", "not installed", "1.2 or later", "host.mem", "", "1.2.0.365964", "mem"),
)


def _esxi(table: str, ack: str) -> tuple[Row, ...]:
    return (
        Row(f"Tables {table}", "Flow control", "Rx & Tx Enabled", "Rx & Tx Enabled", "adapter.flow_control", "rx_tx", "rx_tx"),
        Row(f"Tables {table}", "Jumbo packet", "1500", "9000", "vnic.mtu", 1500, 9000, "jumbo.vmkernel"),
        Row(f"Table {table[0]}", "Large Receive Offload", "Enabled", "Enabled", "host.net.lro", "enabled", "enabled"),
        Row(
            f"Tables 2, {table[0]}",
            "TCP/UDP Checksum Offload, Rx",
            "Enabled",
            "Enabled",
            "adapter.checksum_offload_rx",
            "enabled",
            "enabled",
        ),
        Row(
            f"Tables 2, {table[0]}",
            "TCP/UDP Checksum Offload, Tx",
            "Enabled",
            "Enabled",
            "adapter.checksum_offload_tx",
            "enabled",
            "enabled",
        ),
        Row("Table 2", "tcp segmentation offload", "On", "", "host.net.hw_tso", "enabled", "enabled"),
        Row(f"Tables {table}", ack, "Enabled", "Disabled", "initiator.delayed_ack", "enabled", "disabled", "delayed_ack"),
        *_MEM,
    )


# With the software initiator the uplink has the frame size too; a hardware initiator takes it from its VMkernel port only.
_UPLINK = Row("Tables 3, 5", "Jumbo packet", "1500", "9000", "adapter.mtu", 1500, 9000, "jumbo.adapter")

ESXI55: Mapping[str, tuple[Row, ...]] = {
    "esxi-5.5-bcm57810": (*_esxi("6, 3", "iSCSI software initiator Delayed ACK"), _UPLINK),
    "esxi-5.5-isoe": _esxi("7, 4", "iSCSI hardware initiator Delayed ACK"),
    "esxi-5.5-x520": (*_esxi("8, 5", "iSCSI software initiator Delayed ACK"), _UPLINK),
}


def rules_that_differ(rows: tuple[Row, ...]) -> frozenset[str]:
    """The rules that must fail on an untouched host: those of the rows whose recommendation is not the default."""
    return frozenset(row.rule for row in rows if row.differs)
