"""A vm-support bundle of ESXi as the reads of a check-in.

What `localcli` printed is the answer of the same `esxcli` command. For what vm-support does not run, another file tells the same: then the
read holds only what that file says. Order of trust: JSON, text, `vmware-vimdump`, `esxcfg-info`, `esx.conf`.
"""

import re

from plumbline.core.facts.bundles.capture_time import captured_at
from plumbline.core.facts.bundles.esx_conf import module_options
from plumbline.core.facts.bundles.hosts import BundledHost, is_secret, text_of
from plumbline.core.facts.bundles.iscsi_database import read_database
from plumbline.core.facts.bundles.iscsi_parameters import Sources, set_parameters
from plumbline.core.facts.bundles.parts import VmSupport
from plumbline.core.facts.bundles.vm_support_files import NOT_RUN, BundleFiles
from plumbline.core.facts.bundles.vm_support_network import set_nics, set_routes, set_switches
from plumbline.core.facts.captures.decoding import decode
from plumbline.core.facts.esxi import advanced, iscsi, modules, nic_tuning, nics, paths, software, system, vmkernel, vswitch
from plumbline.core.facts.esxi.readers import rows_of
from plumbline.core.facts.esxi.values import as_int

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


class _Reader(BundleFiles):
    def __init__(self, bundle: VmSupport) -> None:
        super().__init__(bundle)
        self.identity: list[str] = []
        self.table = ""

    def read(self) -> BundledHost:
        readme = self.bundle.others.get("README")
        about = text_of(readme.content[:8192]) if readme else ""
        self._direct()
        name = self._system()
        self.table = set_nics(self)
        set_switches(self)
        set_routes(self)
        self._iscsi()
        self._advanced()
        self._modules()
        self._options(about)
        time = self.text("date")
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

    def _direct(self) -> None:
        for command in _DIRECT:
            stem = "localcli_" + command.removeprefix("esxcli ").replace(" ", "-")
            found = self.answer(stem)
            if found is not None and (rows_of(found[0]) or command in (system.MAINTENANCE, system.IBFT)):
                self.reads.text(command, found[0], found[1], is_partial=found[2])
            elif found is not None:
                self.reads.missing(command, f"{found[1]} holds no row that could be read")
            elif command in _EMPTY_LISTS and self.printed_nothing(command):
                self.reads.records(command, [], "action.log")
            elif command in _EXPECTED:
                self.reads.missing(command, self.why_missing(stem, command))
        for stem, command in _TOOLS.items():
            file = self.file(stem)
            if file is not None:
                text = text_of(file.content)
                if command == system.BOOT_BANK:
                    text = re.sub(r"^\s*Logical device:\s*(\S+?)(?::\d+)?\s*$", r"\1:1", text, flags=re.MULTILINE)
                self.reads.text(command, text, self.path(file), is_partial=file.is_cut)
        if not self.reads.has(paths.PATHS_BRIEF):
            self.reads.missing(paths.PATHS, self.why_missing("localcli_storage-core-path-list", paths.PATHS))

    def _system(self) -> str:
        """Version, name, machine; returns the host's name."""
        version = _RELEASE.search(self.text("vmware_-vl"))
        uname = _UNAME.search(self.text("uname_-a"))
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
            self.notes.append(f"ESXi {number} is not a release that bundles are read of (5.5 to 9.0): check its findings on the host")
        dns = next(iter(self.dump.get("vim.host.DnsConfig", [])), {})
        name, domain = str(dns.get("hostName") or ""), str(dns.get("domainName") or "")
        if name and self.dump_file:
            self.reads.records(system.HOSTNAME, {"Host Name": name, "Domain Name": domain}, self.path(self.dump_file))
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
                system.HOSTNAME, {"Host Name": name.split(".")[0], "Domain Name": name.partition(".")[2]}, self.path(self.conf_file)
            )
        machine = next(iter(self.dump.get("vim.host.SystemInfo", [])), {})
        if machine.get("model") and self.dump_file:
            row = {"Vendor Name": machine.get("vendor") or "", "Product Name": machine["model"], "UUID": machine.get("uuid") or ""}
            self.reads.records(system.PLATFORM, row, self.path(self.dump_file))
            self.identity.append(str(machine.get("uuid") or ""))
        elif self.info.hardware.get("product-name") and self.info_file:
            row = {"Vendor Name": self.info.hardware.get("vendor-name", ""), "Product Name": self.info.hardware["product-name"]}
            self.reads.records(system.PLATFORM, row, self.path(self.info_file))
        else:
            self.reads.missing(system.PLATFORM, "not in the bundle: commands/vmware-vimdump_-o----U-dcui.txt was looked for")
        self.identity.extend(one for one in (self.conf.get("/system/uuid", ""), self.info.hardware.get("uuid", "")) if one)
        state = self.dump.get("runtime", [])
        if state and self.dump_file:
            self.reads.text(system.MAINTENANCE, "Enabled" if state[0]["inMaintenanceMode"] else "Disabled", self.path(self.dump_file))
        elif not self.reads.has(system.MAINTENANCE):
            self.reads.missing(system.MAINTENANCE, "not in the bundle: commands/vmware-vimdump_-o----U-dcui.txt was looked for")
        self.reads.missing(system.SUMMARY, NOT_RUN)
        self.reads.missing(system.LOCKDOWN, NOT_RUN)
        return name

    def _iscsi(self) -> None:
        adapters = self.answer("localcli_storage-core-adapter-list")
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
            self.reads.records(iscsi.ADAPTERS, self._dumped_adapters(), self.path(self.dump_file))
        elif not self.reads.has(iscsi.ADAPTERS):
            self.reads.missing(iscsi.ADAPTERS, self.why_missing("localcli_storage-core-adapter-list", iscsi.STORAGE_ADAPTERS))
        database = self.file("vmkiscsid_--dump-db")
        sources = Sources(
            hbas=self.dump.get("vim.host.InternetScsiHba", []),
            hbas_from=self.path(self.dump_file) if self.dump_file else "",
            database=read_database(decode(database.content)) if database else {},
            database_from=self.path(database) if database else "",
        )
        set_parameters(self.reads, sources, self._listed_adapters(), self._listed_paths())
        if self.text("localcli_iscsi-software-get").strip().lower() == "false":
            self.notes.append("the software iSCSI adapter is off on this host")

    def _listed_adapters(self) -> list[dict[str, str]]:
        """The iSCSI adapters: name, driver, IQN where it is told."""
        found = self.answer("localcli_iscsi-adapter-list") or self.answer("localcli_storage-core-adapter-list")
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
        answer = self.answer("localcli_storage-core-path-list")
        found = []
        for record in rows_of(answer[0]) if answer else []:
            path = paths.listed_path(record)
            if path is not None and path.transport == "iscsi" and path.isid and path.target and answer:
                found.append((path.vmhba, path.target, path.isid, answer[1]))
        return found

    def _advanced(self) -> None:
        options = {str(one.get("key")): one.get("value") for one in self.dump.get("vim.option.OptionValue", [])}
        changed = self.answer(_ADVANCED_FILE)
        rows = {record.get("Path"): as_int(record.get("Int Value")) for record in (rows_of(changed[0]) if changed else [])}
        for path, default in _DEFAULTS.items():
            line = f"{advanced.ADVANCED} -o {path}"
            key = path.strip("/").replace("/", ".")
            if isinstance(options.get(key), int) and not isinstance(options[key], bool) and self.dump_file:
                self.reads.records(advanced.ADVANCED, {"Path": path, "Int Value": options[key]}, self.path(self.dump_file), line=line)
            elif changed is not None and not changed[2] and rows:
                value = rows.get(path)
                self.reads.records(
                    advanced.ADVANCED, {"Path": path, "Int Value": default if value is None else value}, changed[1], line=line
                )
            elif self.conf_file and f"/adv{path}" in self.conf:
                self.reads.records(
                    advanced.ADVANCED, {"Path": path, "Int Value": self.conf[f"/adv{path}"]}, self.path(self.conf_file), line=line
                )
            else:
                why = f"not in the bundle: commands/vmware-vimdump_-o----U-dcui.txt and commands/{_ADVANCED_FILE}.txt were looked for"
                self.reads.missing(advanced.ADVANCED, why, line=line)

    def _modules(self) -> None:
        drivers = {record.get("Driver") or "" for record in rows_of(self.table)} | {one["driver"] for one in self._listed_adapters()}
        for driver in sorted(drivers - {""}):
            self.reads.missing(modules.PARAMETERS, NOT_RUN, line=f"{modules.PARAMETERS} -m {driver}")
        for module, options in module_options(self.conf).items():
            if self.conf_file and not is_secret(options) and "'" not in options:
                text = f"{module} enabled = 1 options = '{options}'"
                self.reads.text(modules.OPTIONS_OLD, text, self.path(self.conf_file), line=f"{modules.OPTIONS_OLD} {module}")

    def _options(self, about: str) -> None:
        """What the collector's own README tells about how it was run."""
        if re.search(r"['\"]obfuscate['\"]: True", about):
            self.notes.append("the host's name was hidden when the bundle was collected: the name is that of uname")
        manifests = re.search(r"['\"]manifests['\"]: ['\"]([^'\"]+)['\"]", about)
        if manifests and manifests.group(1) not in ("default", "None"):
            self.notes.append(f"only these manifests were collected, and what others hold is unknown: {manifests.group(1)[:200]}")


# Lists that print nothing where there is nothing to list.
_EMPTY_LISTS = frozenset((iscsi.BINDINGS, iscsi.LOGICAL, iscsi.PHYSICAL, paths.NMP, paths.PATHS))
# Commands that every release from 5.5 on runs for a bundle.
_EXPECTED = frozenset((iscsi.BINDINGS, paths.NMP, paths.DEVICES, software.VIBS, iscsi.IP_CONNECTIONS))
