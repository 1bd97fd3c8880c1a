"""A vm-support bundle of ESXi as the reads of a check-in.

What `localcli` printed is the answer of the same `esxcli` command. For what vm-support does not run, another file tells the same: then the
read holds only what that file says. Order of trust: JSON, text, `vmware-vimdump`, `esxcfg-info`, `esx.conf`.
"""

import json
import re
from typing import Any

from plumbline.core.facts.bundles.capture_time import captured_at
from plumbline.core.facts.bundles.esx_conf import module_options, read_conf, teaming
from plumbline.core.facts.bundles.esxcfg_info import Info, read_info
from plumbline.core.facts.bundles.hosts import BundledHost, EsxiReads, is_secret, text_of
from plumbline.core.facts.bundles.iscsi_database import read_database
from plumbline.core.facts.bundles.iscsi_parameters import Sources, set_parameters
from plumbline.core.facts.bundles.nicinfo import read_nicinfo
from plumbline.core.facts.bundles.parts import File, VmSupport
from plumbline.core.facts.bundles.vimdump import read_dump
from plumbline.core.facts.captures.decoding import decode
from plumbline.core.facts.esxi import advanced, iscsi, modules, nic_tuning, nics, paths, software, system, vmkernel, vswitch
from plumbline.core.facts.esxi.entries import command_of
from plumbline.core.facts.esxi.readers import rows_of
from plumbline.core.facts.esxi.sources import COMMANDS
from plumbline.core.facts.esxi.values import as_int, pci_location

# Commands of the sections that a bundle may hold as they are, under the file name that vm-support makes of them.
_DIRECT = tuple(
    command
    for command in (
        *(system.VERSION, system.HOSTNAME, system.PLATFORM, system.MAINTENANCE, system.IBFT),
        *(nics.NIC_LIST, nics.PCI_DEVICES, nic_tuning.PAUSE, nic_tuning.TSO, nic_tuning.CSO, nic_tuning.COALESCE),
        *(vswitch.STANDARD, vswitch.DISTRIBUTED, vswitch.PORTGROUPS, vmkernel.INTERFACES, vmkernel.ADDRESSES, vmkernel.ROUTES),
        *(iscsi.ADAPTERS, iscsi.PORTALS, iscsi.BINDINGS, iscsi.LOGICAL, iscsi.PHYSICAL, iscsi.SESSIONS, iscsi.CONNECTIONS),
        *(paths.NMP, paths.PATHS, paths.DEVICES, iscsi.STORAGE_ADAPTERS, software.VIBS, iscsi.IP_CONNECTIONS),
        "esxcli software profile get",
    )
)
_TOOLS = {
    "esxcfg-vswitch_-l": vswitch.STANDARD_OLD,
    "esxcfg-vmknic_-l": vmkernel.INTERFACES_OLD,
    "esxcfg-nics_-l": nics.NICS_OLD,
    "esxcfg-mpath_-b": paths.PATHS_BRIEF,
    "lspci_-p": nics.PCI_LIST,
    "lspci_-n": nics.PCI_LIST_SHORT,
    "vmkfstools_-P--v-10-bootbank": system.BOOT_BANK,
}
# Settings of the whole stack whose list shows only what was changed: the default of every release from 5.5 to 9.0.
_DEFAULTS = {"/Net/TcpipDefLROEnabled": 1, "/Net/UseHwTSO": 1, "/Net/UseHwTSO6": 1}
_ADVANCED_FILE = "localcli_system-settings-advanced-list--d"
_RELEASE = re.compile(r"VMware ESXi? (\d+\.\d+\.\d+)\s+build-(\d+)")
_UNAME = re.compile(r"^VMkernel (\S+) (\d+\.\d+\.\d+) .*?build-(\d+)", re.MULTILINE)


def read_vm_support(bundle: VmSupport) -> BundledHost:
    """The host of one bundle. What it does not tell is unknown, with the file that was looked for."""
    return _Reader(bundle).read()


class _Reader:
    def __init__(self, bundle: VmSupport) -> None:
        self.bundle = bundle
        self.reads = EsxiReads(COMMANDS)
        self.notes = list(bundle.notes)
        self.action = self._log("action.log")
        self.error = self._log("error.log")
        self.conf_file = bundle.others.get("etc/vmware/esx.conf")
        self.conf = read_conf(text_of(self.conf_file.content)) if self.conf_file else {}
        self.dump_file = bundle.commands.get("vmware-vimdump_-o----U-dcui")
        self.dump = read_dump(decode(self.dump_file.content).split("\n")) if self.dump_file else {}
        self.info_file = bundle.commands.get("esxcfg-info_-a--F-xml")
        self.info = read_info(self.info_file.content) if self.info_file and not self.info_file.is_cut else Info()
        self.identity: list[str] = []
        self.table = ""

    def read(self) -> BundledHost:
        readme = self.bundle.others.get("README")
        about = text_of(readme.content[:8192]) if readme else ""
        self._direct()
        name = self._system()
        self._nics()
        self._vswitch()
        self._routes()
        self._iscsi()
        self._advanced()
        self._modules()
        self._options(about)
        time = self._text("date")
        return BundledHost(
            "esxi",
            "vm-support",
            name or self.bundle.top.rpartition("/")[2],
            self.reads.sections(),
            dict(self.reads.members),
            captured_at(about, time, self.bundle.top),
            tuple(dict.fromkeys(self.identity)),
            tuple(self.notes),
        )

    # --- Files ------------------------------------------------------------------------------------------------------------------------

    def _log(self, name: str) -> str:
        file = self.bundle.others.get(name)
        return " ".join(text_of(file.content).split()) if file else ""

    def _errors(self, name: str) -> list[str]:
        file = self.bundle.others.get("error.log")
        return [] if file is None else [line.strip() for line in text_of(file.content).split("\n") if name in " ".join(line.split())]

    def _file(self, stem: str) -> File | None:
        return self.bundle.commands.get(stem)

    def _text(self, stem: str) -> str:
        file = self._file(stem)
        return text_of(file.content) if file else ""

    def _path(self, file: File) -> str:
        return file.path.removeprefix(self.bundle.top + "/") if self.bundle.top else file.path

    def _answer(self, stem: str) -> tuple[str, str, bool] | None:
        """What the file of a command says: text, member, and whether only a part of it; JSON before text."""
        file = self.bundle.json.get(stem)
        if file is not None and not file.is_cut:
            document = _document(text_of(file.content))
            if document is not None:
                return document, self._path(file), False
        file = self._file(stem)
        return (text_of(file.content), self._path(file), file.is_cut) if file is not None else None

    def _why_missing(self, stem: str, command: str = "") -> str:
        """The sentence for a file that is not there."""
        words = command or stem.replace("_", " ").replace("-", " ")
        for line in self._errors(words.removeprefix("esxcli ")):
            return f"the collector could not run it: {line[:160]}"
        return f"not in the bundle: commands/{stem}.txt was looked for"

    def _printed_nothing(self, command: str) -> bool:
        """Whether the collector ran a command that printed nothing: such a command leaves no file."""
        words = command.removeprefix("esxcli ")
        return f"localcli {words}" in self.action and words not in self.error

    # --- Sections ---------------------------------------------------------------------------------------------------------------------

    def _direct(self) -> None:
        for command in _DIRECT:
            stem = "localcli_" + command.removeprefix("esxcli ").replace(" ", "-")
            found = self._answer(stem)
            if found is not None and (rows_of(found[0]) or command in (system.MAINTENANCE, system.IBFT)):
                self.reads.text(command, found[0], found[1], is_partial=found[2])
            elif found is not None:
                self.reads.missing(command, f"{found[1]} holds no row that could be read")
            elif command in _EMPTY_LISTS and self._printed_nothing(command):
                self.reads.records(command, [], "action.log")
            elif command in _EXPECTED:
                self.reads.missing(command, self._why_missing(stem, command))
        for stem, command in _TOOLS.items():
            file = self._file(stem)
            if file is not None:
                text = text_of(file.content)
                if command == system.BOOT_BANK:
                    text = re.sub(r"^\s*Logical device:\s*(\S+?)(?::\d+)?\s*$", r"\1:1", text, flags=re.MULTILINE)
                self.reads.text(command, text, self._path(file), is_partial=file.is_cut)
        if not self.reads.has(paths.PATHS_BRIEF):
            self.reads.missing(paths.PATHS, self._why_missing("localcli_storage-core-path-list", paths.PATHS))

    def _system(self) -> str:
        """Version, name, machine; returns the host's name."""
        version = _RELEASE.search(self._text("vmware_-vl"))
        uname = _UNAME.search(self._text("uname_-a"))
        boot = self.bundle.others.get("bootbank/boot.cfg")
        build = re.search(r"^build=(\d+\.\d+\.\d+)-(?:[\d.]*\.)?(\d{5,})", text_of(boot.content), re.MULTILINE) if boot else None
        told = [(version, "vmware_-vl", 1), (uname, "uname_-a", 2), (build, "", 1)]
        number = ""
        for match, stem, first in told:
            if match is not None:
                number = match.group(first)
                product = {"Product": "VMware ESXi", "Version": number, "Build": f"Releasebuild-{match.group(first + 1)}"}
                self.reads.records(system.VERSION, product, f"commands/{stem}.txt" if stem else "bootbank/boot.cfg")
                break
        else:
            self.reads.missing(system.VERSION, "not in the bundle: commands/vmware_-vl.txt and commands/uname_-a.txt were looked for")
        if number and ".".join(number.split(".")[:2]) not in system.RELEASES[2:]:
            self.notes.append(f"ESXi {number} is none of the releases that bundles are read of (5.5 to 9.0): check what it shows by hand")
        dns = next(iter(self.dump.get("vim.host.DnsConfig", [])), {})
        name, domain = str(dns.get("hostName") or ""), str(dns.get("domainName") or "")
        if name and self.dump_file:
            self.reads.records(system.HOSTNAME, {"Host Name": name, "Domain Name": domain}, self._path(self.dump_file))
        elif uname:
            name = uname.group(1)
            short, _, rest = name.partition(".")
            is_address = re.fullmatch(r"[\d.]+", name) is not None
            self.reads.records(
                system.HOSTNAME,
                {"Host Name": name if is_address else short, "Domain Name": "" if is_address else rest},
                "commands/uname_-a.txt",
            )
        elif self.conf.get("/adv/Misc/HostName") and self.conf_file:
            name = self.conf["/adv/Misc/HostName"]
            self.reads.records(
                system.HOSTNAME, {"Host Name": name.split(".")[0], "Domain Name": name.partition(".")[2]}, self._path(self.conf_file)
            )
        machine = next(iter(self.dump.get("vim.host.SystemInfo", [])), {})
        if machine.get("model") and self.dump_file:
            row = {"Vendor Name": machine.get("vendor") or "", "Product Name": machine["model"], "UUID": machine.get("uuid") or ""}
            self.reads.records(system.PLATFORM, row, self._path(self.dump_file))
            self.identity.append(str(machine.get("uuid") or ""))
        elif self.info.hardware.get("product-name") and self.info_file:
            row = {"Vendor Name": self.info.hardware.get("vendor-name", ""), "Product Name": self.info.hardware["product-name"]}
            self.reads.records(system.PLATFORM, row, self._path(self.info_file))
        else:
            self.reads.missing(system.PLATFORM, "not in the bundle: commands/vmware-vimdump_-o----U-dcui.txt was looked for")
        self.identity.extend(one for one in (self.conf.get("/system/uuid", ""), self.info.hardware.get("uuid", "")) if one)
        state = self.dump.get("runtime", [])
        if state and self.dump_file:
            self.reads.text(system.MAINTENANCE, "Enabled" if state[0]["inMaintenanceMode"] else "Disabled", self._path(self.dump_file))
        elif not self.reads.has(system.MAINTENANCE):
            self.reads.missing(system.MAINTENANCE, "not in the bundle: commands/vmware-vimdump_-o----U-dcui.txt was looked for")
        self.reads.missing(system.SUMMARY, _NOT_RUN)
        self.reads.missing(system.LOCKDOWN, _NOT_RUN)
        return name

    def _nics(self) -> None:
        file = self._file("nicinfo.sh")
        if file is None:
            if not self.reads.has(nics.NICS_OLD):
                self.reads.missing(nics.NIC_LIST, self._why_missing("nicinfo.sh"))
        else:
            member = self._path(file)
            table, blocks = read_nicinfo(text_of(file.content))
            self.table = table
            if table:
                self.reads.text(nics.NIC_LIST, table, member)
            else:
                self.reads.missing(nics.NIC_LIST, f"{member} holds no table of adapters")
            for block in blocks[:-1] if file.is_cut else blocks:
                line = f"{nics.NIC_GET} -n {block.name}"
                if rows_of(block.get) and "Driver" in block.get:
                    self.reads.text(nics.NIC_GET, block.get, member, line=line)
                else:
                    self.reads.missing(
                        nics.NIC_GET, f"{member}: {(block.get.strip().split(chr(10)) or [''])[0][:120] or 'nothing'}", line=line
                    )
                if block.rings:
                    self.reads.text(nic_tuning.RING_OLD, block.rings, member, line=f"{nic_tuning.RING_OLD} {block.name}")
                elif block.receive or block.transmit:
                    sizes = {"RX": block.receive or "", "TX": block.transmit or ""}
                    self.reads.records(nic_tuning.RING_CURRENT, sizes, member, line=f"{nic_tuning.RING_CURRENT} -n {block.name}")
        for command in (nic_tuning.TSO, nic_tuning.CSO, nic_tuning.COALESCE):
            self.reads.missing(command, _NOT_RUN)
        self.reads.missing(nic_tuning.RING_CURRENT, _NOT_RUN)
        self._pci()

    def _pci(self) -> None:
        """PCI ids: by the host's API, else by the two lines that `lspci -v` prints of each device."""
        devices = self.dump.get("vim.host.PciDevice", [])
        listed = [
            {
                "Address": place,
                "Vendor ID": f"0x{int(device['vendorId']) & 0xFFFF:04x}",
                "Device ID": f"0x{int(device['deviceId']) & 0xFFFF:04x}",
            }
            for device in devices
            if isinstance(device.get("vendorId"), int) and isinstance(device.get("deviceId"), int)
            if (place := pci_location(_with_segment(str(device.get("id") or ""))))
        ]
        if listed and self.dump_file:
            self.reads.records(nics.PCI_DEVICES, listed, self._path(self.dump_file))
            return
        file = self._file("lspci_-v")
        if file is None:
            if not any(self.reads.has(command) for command in (nics.PCI_LIST, nics.PCI_LIST_SHORT, nics.PCI_DEVICES)):
                self.reads.missing(nics.PCI_LIST, self._why_missing("lspci_-v"))
            return
        found = re.findall(
            r"^([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])\b([^\n]*)\n\s+Class [0-9a-f]{4}: ([0-9a-f]{4}):([0-9a-f]{4})\b",
            text_of(file.content),
            re.MULTILINE | re.IGNORECASE,
        )
        listed = [{"Address": place, "Vendor ID": f"0x{vendor}", "Device ID": f"0x{device}"} for place, _, vendor, device in found]
        if listed:
            self.reads.records(nics.PCI_DEVICES, listed, self._path(file))
        else:
            self.reads.missing(nics.PCI_LIST, f"{self._path(file)} shows no PCI ids")

    def _vswitch(self) -> None:
        if not self.reads.has(vswitch.STANDARD_OLD) and not self.reads.has(vswitch.STANDARD):
            self.reads.missing(vswitch.STANDARD_OLD, self._why_missing("esxcfg-vswitch_-l"))
        if not self.reads.has(vmkernel.INTERFACES_OLD) and not self.reads.has(vmkernel.INTERFACES):
            self.reads.missing(vmkernel.INTERFACES_OLD, self._why_missing("esxcfg-vmknic_-l"))
        found: dict[str, tuple[tuple[list[str], list[str], list[str]], File]] = {}
        for policies, file in (
            (_dumped_teaming(self.dump), self.dump_file),
            (self.info.teaming, self.info_file),
            (teaming(self.conf), self.conf_file),
        ):
            for group, policy in policies.items():
                if file is not None:
                    found.setdefault(group, (policy, file))
        for group, (policy, file) in found.items():
            row = dict(zip(("Active Adapters", "Standby Adapters", "Unused Adapters"), policy, strict=True))
            line = f"{vswitch.FAILOVER} -p {json.dumps(group)}"
            if command_of(line).options.get("-p") == group:
                self.reads.records(vswitch.FAILOVER, row, self._path(file), line=line)

    def _routes(self) -> None:
        file = self._file("esxcfg-route_-l")
        if file is None:
            if not self.reads.has(vmkernel.ROUTES):
                self.reads.missing(vmkernel.ROUTES, self._why_missing("esxcfg-route_-l"))
            return
        found = [
            {"Network": network, "Netmask": mask, "Gateway": gateway, "Interface": vmk}
            for network, mask, gateway, vmk in re.findall(
                r"^(default|\d+\.\d+\.\d+\.\d+)\s+(\d+\.\d+\.\d+\.\d+)\s+(Local Subnet|\d+\.\d+\.\d+\.\d+)\s+(vmk\d+)\s*$",
                text_of(file.content),
                re.MULTILINE | re.IGNORECASE,
            )
        ]
        if found:
            self.reads.records(vmkernel.ROUTES, found, self._path(file))
        else:
            self.reads.missing(vmkernel.ROUTES, f"{self._path(file)} holds no route that could be read")

    def _iscsi(self) -> None:
        adapters = self._answer("localcli_storage-core-adapter-list")
        if not self.reads.has(iscsi.ADAPTERS) and adapters is not None:
            listed = [
                {
                    "Adapter": record.get("HBA Name") or "",
                    "Driver": record.get("Driver") or "",
                    "State": record.get("Link State") or "",
                    "UID": record.get("UID") or "",
                }
                for record in rows_of(adapters[0])
                if iscsi.is_iscsi_adapter(record)
            ]
            self.reads.records(iscsi.ADAPTERS, listed, adapters[1], is_partial=adapters[2])
        elif not self.reads.has(iscsi.ADAPTERS) and self.dump_file and self.dump.get("vim.host.InternetScsiHba"):
            self.reads.records(iscsi.ADAPTERS, self._dumped_adapters(), self._path(self.dump_file))
        elif not self.reads.has(iscsi.ADAPTERS):
            self.reads.missing(iscsi.ADAPTERS, self._why_missing("localcli_storage-core-adapter-list", iscsi.STORAGE_ADAPTERS))
        database = self._file("vmkiscsid_--dump-db")
        sources = Sources(
            hbas=self.dump.get("vim.host.InternetScsiHba", []),
            hbas_from=self._path(self.dump_file) if self.dump_file else "",
            database=read_database(decode(database.content)) if database else {},
            database_from=self._path(database) if database else "",
        )
        set_parameters(self.reads, sources, self._listed_adapters(), self._listed_paths())
        if self._text("localcli_iscsi-software-get").strip().lower() == "false":
            self.notes.append("the software iSCSI adapter is off on this host")

    def _listed_adapters(self) -> list[dict[str, str]]:
        """The iSCSI adapters: name, driver, IQN where it is told."""
        found = self._answer("localcli_iscsi-adapter-list") or self._answer("localcli_storage-core-adapter-list")
        if found is None:
            return [{"name": one["Adapter"], "driver": one["Driver"], "iqn": one["UID"]} for one in self._dumped_adapters()]
        return [
            {"name": record.get("Adapter", "HBA Name") or "", "driver": record.get("Driver") or "", "iqn": record.get("UID") or ""}
            for record in rows_of(found[0])
            if iscsi.is_iscsi_adapter(record)
        ]

    def _dumped_adapters(self) -> list[dict[str, str]]:
        """The iSCSI adapters as the host's API lists them."""
        listed = {str(hba["device"]): hba for hba in self.dump.get("vim.host.InternetScsiHba", []) if hba.get("device")}
        return [
            {
                "Adapter": name,
                "Driver": str(hba.get("driver") or ""),
                "State": str(hba.get("status") or ""),
                "UID": str(hba.get("iScsiName") or ""),
            }
            for name, hba in listed.items()
        ]

    def _listed_paths(self) -> list[tuple[str, str, str, str]]:
        """Adapter, target and session of each path, and the member that lists it."""
        answer = self._answer("localcli_storage-core-path-list")
        found = []
        for record in rows_of(answer[0]) if answer else []:
            path = paths.listed_path(record)
            if path is not None and path.transport == "iscsi" and path.isid and path.target and answer:
                found.append((path.vmhba, path.target, path.isid, answer[1]))
        return found

    def _advanced(self) -> None:
        options = {str(one.get("key")): one.get("value") for one in self.dump.get("vim.option.OptionValue", [])}
        changed = self._answer(_ADVANCED_FILE)
        rows = {record.get("Path"): as_int(record.get("Int Value")) for record in (rows_of(changed[0]) if changed else [])}
        for path, default in _DEFAULTS.items():
            line = f"{advanced.ADVANCED} -o {path}"
            key = path.strip("/").replace("/", ".")
            if isinstance(options.get(key), int) and not isinstance(options[key], bool) and self.dump_file:
                self.reads.records(advanced.ADVANCED, {"Path": path, "Int Value": options[key]}, self._path(self.dump_file), line=line)
            elif changed is not None and not changed[2] and rows:
                value = rows.get(path)
                self.reads.records(
                    advanced.ADVANCED, {"Path": path, "Int Value": default if value is None else value}, changed[1], line=line
                )
            elif self.conf_file and f"/adv{path}" in self.conf:
                self.reads.records(
                    advanced.ADVANCED, {"Path": path, "Int Value": self.conf[f"/adv{path}"]}, self._path(self.conf_file), line=line
                )
            else:
                why = f"not in the bundle: commands/vmware-vimdump_-o----U-dcui.txt and commands/{_ADVANCED_FILE}.txt were looked for"
                self.reads.missing(advanced.ADVANCED, why, line=line)

    def _modules(self) -> None:
        drivers = {record.get("Driver") or "" for record in rows_of(self.table)} | {one["driver"] for one in self._listed_adapters()}
        for driver in sorted(drivers - {""}):
            self.reads.missing(modules.PARAMETERS, _NOT_RUN, line=f"{modules.PARAMETERS} -m {driver}")
        for module, options in module_options(self.conf).items():
            if self.conf_file and not is_secret(options) and "'" not in options:
                text = f"{module} enabled = 1 options = '{options}'"
                self.reads.text(modules.OPTIONS_OLD, text, self._path(self.conf_file), line=f"{modules.OPTIONS_OLD} {module}")

    def _options(self, about: str) -> None:
        """What the collector's own README tells about how it was run."""
        if re.search(r"['\"]obfuscate['\"]: True", about):
            self.notes.append("the host's name was hidden when the bundle was collected: the name is that of uname")
        manifests = re.search(r"['\"]manifests['\"]: ['\"]([^'\"]+)['\"]", about)
        if manifests and manifests.group(1) not in ("default", "None"):
            self.notes.append(f"only these manifests were collected, and what others hold is unknown: {manifests.group(1)[:200]}")


_NOT_RUN = "no command of vm-support prints it: install the agent, or run the command on the host"
# Lists that print nothing where there is nothing to list.
_EMPTY_LISTS = frozenset((iscsi.BINDINGS, iscsi.LOGICAL, iscsi.PHYSICAL, paths.NMP, paths.PATHS))
# Commands that every release from 5.5 on runs for a bundle.
_EXPECTED = frozenset((iscsi.BINDINGS, paths.NMP, paths.DEVICES, software.VIBS, iscsi.IP_CONNECTIONS))


def _document(text: str) -> str | None:
    """A JSON document, of which stray lines may precede the beginning."""
    lines = text.split("\n")
    for at in range(min(len(lines), 100)):
        if lines[at].lstrip()[:1] in ("[", "{"):
            rest = "\n".join(lines[at:])
            try:
                document: Any = json.loads(rest)
            except (ValueError, RecursionError):
                continue
            return rest if isinstance(document, list | dict) else None
    return None


def _with_segment(place: str) -> str:
    return place if place.count(":") > 1 else "0000:" + place


def _dumped_teaming(dump: dict[str, list[dict[str, Any]]]) -> dict[str, tuple[list[str], list[str], list[str]]]:
    """The uplinks of each port group by the host's API: the policy in force where it is told, else the group's or the switch's own."""
    switches: dict[str, tuple[list[str], Any]] = {}
    for switch in dump.get("vim.host.VirtualSwitch", []):
        pnics = [str(one).rpartition("-")[2] for one in switch.get("pnic") or [] if isinstance(one, str)]
        switches[str(switch.get("name"))] = (pnics, _order(switch.get("spec")))
    found: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for group in dump.get("vim.host.PortGroup", []):
        spec: dict[str, Any] = group["spec"] if isinstance(group.get("spec"), dict) else {}
        name, on = str(spec.get("name") or ""), str(spec.get("vswitchName") or "")
        uplinks, inherited = switches.get(on, ([], None))
        order = _order({"policy": group.get("computedPolicy")}) or _order(spec) or inherited
        if name and order is not None:
            found.setdefault(name, (*order, [one for one in uplinks if one not in order[0] and one not in order[1]]))
    return found


def _order(spec: Any) -> tuple[list[str], list[str]] | None:
    for step in ("policy", "nicTeaming", "nicOrder"):
        spec = spec.get(step) if isinstance(spec, dict) else None
    if not isinstance(spec, dict) or not isinstance(spec.get("activeNic"), list):
        return None
    standby = spec.get("standbyNic")
    return [str(one) for one in spec["activeNic"]], [str(one) for one in standby] if isinstance(standby, list) else []
