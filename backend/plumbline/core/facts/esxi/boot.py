"""Whether a host boots from the SAN: by the firmware's table, by the boot device, by the disk of the boot files."""

from plumbline.core.facts.configuration import HOST, Source, Unknown
from plumbline.core.facts.esxi.iscsi import DEPENDENT_DRIVERS
from plumbline.core.facts.esxi.observations import Observations
from plumbline.core.facts.esxi.paths import DEVICES
from plumbline.core.facts.esxi.system import BOOT_BANK, IBFT
from plumbline.core.facts.join import Join


def set_boot(join: Join, observed: Observations) -> None:
    """`host.boot_from_san`, unknown where nothing shows the boot device."""
    by_table = join.observation("system", "ibft", None)
    bank = {disk: observed.devices[disk].is_iscsi for disk in join.observation("system", "boot_disks", ()) if disk in observed.devices}
    boot = [disk for disk in observed.devices.values() if disk.is_boot]
    if by_table:
        join.set_value(HOST, "boot_from_san", True, Source("system", IBFT, "", "the iSCSI boot table names a target"))
    elif any(disk.is_iscsi for disk in boot):
        name = next(disk.id for disk in boot if disk.is_iscsi)
        join.set_value(HOST, "boot_from_san", True, Source("paths", DEVICES, "Is Boot Device", name))
    elif any(bank.values()):
        name = next(disk for disk, is_iscsi in bank.items() if is_iscsi)
        join.set_value(HOST, "boot_from_san", True, Source("system", BOOT_BANK, "", name))
    elif boot and all(disk.is_iscsi is False or disk.is_local for disk in boot):
        join.set_value(HOST, "boot_from_san", False, Source("paths", DEVICES, "Is Boot Device", boot[0].id))
    elif bank and all(is_iscsi is False or observed.devices[disk].is_local for disk, is_iscsi in bank.items()):
        join.set_value(HOST, "boot_from_san", False, Source("system", BOOT_BANK, "", next(iter(bank))))
    elif by_table is False:
        _boots_by_hba(join)
    elif "system" in join.sections or "paths" in join.sections:
        join.set(HOST, "boot_from_san", Unknown("no boot device information"))


def _boots_by_hba(join: Join) -> None:
    """Neither the firmware's table nor a boot device shows that the host boots from the SAN: only an HBA with a BIOS of its own could."""
    own = [name for name, driver in join.observation("iscsi", "hbas", {}).items() if driver not in DEPENDENT_DRIVERS]
    if own:
        join.set(HOST, "boot_from_san", Unknown(f"{', '.join(own)} can boot the host on its own, and no boot device was reported"))
    else:
        join.set_value(HOST, "boot_from_san", False, Source("system", IBFT, "", "no target in the iSCSI boot table"))
