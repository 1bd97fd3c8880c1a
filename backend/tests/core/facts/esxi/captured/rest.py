"""The machine, its storage, its packages; and the files from which nothing is read."""

from tests.core.facts.esxi.captured import Facts

EQL, SUN, EMC = "naa.6090a088006f910fe8df241e1a01d012", "naa.600144f009d4d236000056918f920002", "naa.5000144f79272808"
COMPELLENT = "naa.6000d31000771000000000000000000d"


def version(version: str, build: int) -> Facts:
    release = ".".join(version.split(".")[:2])
    facts = {"platform": "esxi", "os_version": version, "os_release": release, "os_build": build, "os_name": f"VMware ESXi {release}"}
    return {f"host//{key}": value for key, value in facts.items()}


def volume(id: str, name: str, **more: object) -> Facts:
    return {f"volume/{id}/{key}": value for key, value in {"name": f"{name} ({id})", **more}.items()}


FACTS: dict[str, Facts] = {
    "esxcli-debug-formatter-json-system-version-get__vmware-disk-health": version("8.0.3", 25205845),
    "esxcli-system-version-get-670__vagrant-blog": version("6.7.0", 8169922),
    "esxcli-system-version-get__esxi9-nested": version("9.0.0", 24755229),
    "esxcli-system-version-get__kperryuc-ucs-55u3": version("5.5.0", 3248547),
    "esxcli-system-hostname-get__esxi9-nested": {"host//name": "esxinitya", "host//domain": ""},
    "esxcli-hardware-platform-get__esxi9-nested": {"host//manufacturer": "VMware, Inc.", "host//model": "VMware20,1"},
    # Typed three times, lockdown entered and left in between: the last word counts.
    "vim-cmd-lockdown_is_enabled__vim-cmd-blog": {"host//lockdown": False},
    "esxcli-system-settings-advanced-list-TcpipDefLROEnabled__elatov-10gb": {"host//net.lro": "disabled"},
    "esxcli-system-module-parameters-list-ixgbe-LRO__elatov-10gb": {"module/ixgbe/parameters": ("LRO=0",)},
    "esxcli-system-module-parameters-list-ixgbe-IntMode__elatov-10gb": {"module/ixgbe/parameters": ("IntMode=0",)},
    "esxcfg-mpath-l__exaforge": volume(EMC, "EMC iSCSI Disk", paths_healthy=2, paths_total=2),
    "esxcfg-mpath-b-d__elatov-eql-mscs": volume(EQL, "EQLOGIC iSCSI Disk", paths_healthy=6, paths_total=6),
    # Cut by `head -4`: how many paths there are is not known. Its device is masked differently in heading and name.
    "esxcfg-mpath-b__elatov-vnx5300": {"volume/naa.60060xxxxxxxxxxx/name": "DGC iSCSI Disk (naa.60060xxxxxxxxxxxxxx)"},
    "esxcli-storage-core-path-list-compellent__dell-cn": volume(COMPELLENT, "COMPELNT iSCSI Disk", paths_healthy=1, paths_total=1),
    "esxcli-storage-nmp-device-list-rr__elatov-10gb": volume(
        SUN, "SUN iSCSI Disk", module="VMW_SATP_ALUA", policy="VMW_PSP_RR", round_robin_iops=1000, paths_healthy=2
    ),
    "esxcli-storage-nmp-device-list-mru__elatov-10gb": volume(
        SUN, "SUN iSCSI Disk", module="VMW_SATP_ALUA", policy="VMW_PSP_MRU", paths_healthy=1
    ),
    "esxcli-storage-nmp-device-list-rr__exaforge": volume(
        EMC, "EMC iSCSI Disk", module="VMW_SATP_DEFAULT_AA", policy="VMW_PSP_RR", round_robin_iops=1000, paths_healthy=2
    ),
    "esxcli-nmp-device-list-dell-psp-eql-routed__elatov-eql-mscs": volume(
        EQL, "EQLOGIC iSCSI Disk", module="VMW_SATP_EQL", policy="DELL_PSP_EQL_ROUTED", paths_healthy=6
    ),
    "esxcli-nmp-device-list-eql-fixed__elatov-eql-mscs": volume(
        EQL, "EQLOGIC iSCSI Disk", module="VMW_SATP_EQL", policy="VMW_PSP_FIXED", paths_healthy=1
    ),
    "esxcli-storage-nmp-psp-roundrobin-deviceconfig-get-67__blockbridge-kb": {
        "volume/naa.60a010a03ff1bb511962194c40626cd1/round_robin_iops": 8
    },
    # One loop over four devices.
    "esxcli-storage-nmp-psp-roundrobin-deviceconfig-get-rule__elatov-10gb": {
        f"volume/naa.600144f009d4d2360000{end}/round_robin_iops": 1 for end in ("569169d20001", "5588ed0e0002", "564773790001")
    }
    | {f"volume/{SUN}/round_robin_iops": 1},
    # `Is Local: true`, `Is Boot Device: true`.
    "esxcli-storage-core-device-list-usb-boot__miquelmariano": {"host//boot_from_san": False},
    "esxcli-storage-core-device-list__esxi9-nested": {"host//boot_from_san": False},
}

# Files of which no setting is read, with the reason. `=`: their command is known to the product, its output here is no setting alone.
NOTHING: dict[str, str] = {
    "esxcfg-scsidevs-a-650__r630-notes": "HBAs of local disks; iSCSI adapters are read from `esxcli iscsi adapter list`",
    "esxcfg-scsidevs-a-bnx2i__kperryuc-ucs-55u3": "HBAs; iSCSI adapters are read from `esxcli iscsi adapter list`",
    "esxcli-iscsi-software-get__elatov-vcap5-64": "whether the software initiator is switched on shows in the list of adapters",
    "esxcli-network-ip-bare-namespace__net-cmds-5x": "a usage text, no answer",
    "esxcli-software-vib-install-igb__elatov-vcap5-91": "an act, not a read",
    "esxcli-software-vib-install-mem__vninja-mem-1.1.2": "an act, not a read",
    "esxcli-storage-filesystem-list__ceph-scst": "file systems are no setting",
    "esxcli-storage-vmfs-extent-list-670__vagrant-blog": "read by the runner for its home, not by the service",
    "esxcli-storage-vmfs-extent-list-osdata__homer-703": "read by the runner for its home, not by the service",
    "esxcli-storage-vmfs-extent-list__esxi9-nested": "read by the runner for its home, not by the service",
    "esxcli-storage-vmfs-extent-list__kperryuc-ucs-55u3": "read by the runner for its home, not by the service",
    "ping__esxi9-nested": "a ping that may be fragmented, from no named port",
    "vmkload_mod-s-bnx2x__nsx-notes": "a module's version; an adapter's driver version is read from `nic get`",
    "esxcli-equallogic-stat-summary__vninja-mem-1.1.2": "= counters; that it answers says only that MEM is there",
    "esxcli-iscsi-adapter-get-vmhba33__asm-bnx2i": "= details of an adapter that only the list of adapters makes an initiator",
    "esxcli-iscsi-adapter-get__elatov-macmini62": "= details of an adapter that only the list of adapters makes an initiator",
    "esxcli-iscsi-logicalnetworkportal-list-noncompliant__dell-cn": "= a candidate, no binding",
    "esxcli-network-ip-route-ipv4-list__esxi9-nested": "= the default route names vmk0, of which nothing else is known here",
    "esxcli-network-nic-software-list__elatov-10gb": "= fall-backs in software are not the adapter's offloads",
    "esxcli-network-nic-stats-get__intel-mfd-vmnic9": "= counters",
    "ethtool-S-vmnic0__elatov-vcap5-63": "= counters",
    "esxcli-network-pauseParams-set-auto-error__jp-blog": "= a refused act, reported in its words",
    "esxcli-software-vib-list-grep-bnx2__qfle3-psod": "= a filter left four packages: whether MEM is among the others is not known",
    "esxcli-software-vib-list-grep-megaraid__elatov-psod": "= a filter left one package",
    "esxcli-software-vib-list-grep-nmlx-platforms__jp-blog-801": "= a filter left two packages, with the column Platforms",
    "esxcli-software-vib-list-head__elatov-lsi": "= `head` left one package",
    "esxcli-storage-core-adapter-list-grep__elatov-lsi": "= the HBA of a local disk",
    "esxcli-storage-core-device-list-d-local__elatov-lsi": "= a local disk without the field of the boot device, and no path",
    "esxcli-storage-core-device-list-d__elatov-zfs": "= a disk without its paths: whether iSCSI leads to it is not known",
    "esxcli-storage-core-device-list-local__elatov-macmini62": "= a local disk without the field of the boot device",
    "esxcli-storage-core-path-list-hpp__vmware-disk-health": "= paths of local disks",
    "esxcli-storage-nmp-satp-list-60__elatov-10gb": "= what the array's plug-ins would choose, not what a volume has",
    "lspci-n__intel-mfd-8": "= PCI ids, by names of adapters that only their list makes adapters",
    "lspci-p__intel-mfd-8": "= PCI ids, by names of adapters that only their list makes adapters",
    "vmkping-c-1__elatov-vcap5-65": "= a ping that does not say from which port",
    "vmkping-d-s-1500-message-too-long__vcf9-notes": "= a ping that does not say from which port",
    "vmkping-d-s-8972-success__vmware-notes": "= a ping that does not say from which port",
}
