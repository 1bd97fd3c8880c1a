"""Secrets of every kind that bundles are known to hold: none of them is in what is kept, shown or reported."""

import json
from pathlib import Path

import pytest

from plumbline.bundles.assess import Assessment
from plumbline.bundles.limits import Budget
from plumbline.bundles.walk import read_archive
from plumbline.core.facts.bundles.recognise import recognise
from plumbline.infra.clock import utc_now
from plumbline.reports.assessment import report_of
from tests.bundles import esxi_bundle, windows_bundle
from tests.bundles.archives import tgz, zipped

# Each stands where the collectors are known to leave one.
PLANTED = [f"pl4nted-{number:02d}-secret-word" for number in range(24)]
TOP = "esx-a-2026-01-12--13.56-1/"


def esxi_files() -> dict[str, bytes]:
    recorded = esxi_bundle.Recorded("6.7")
    dump = esxi_bundle.dump_of(recorded, secrets={"chapName": PLANTED[0], "chapSecret": PLANTED[1], "mutualChapSecret": PLANTED[2]})
    database = f"""Dumping Configuration DB to stdout
=========[InitiatorNodes]=========
   `transport.name`='iscsi_vmk'
   `node.name`='iqn.1998-01.com.vmware:esx'
   `node.session.auth.username`='{PLANTED[3]}'
   `node.session.auth.password`='{PLANTED[4]}'
   `node.session.auth.password_in`='{PLANTED[5]}'
   `node.conn[0].iscsi.DelayedAck`='0'
=========[discovery]=========
   `discovery.sendtargets.auth.password`='{PLANTED[6]}'
"""
    conf = (
        f'/system/uuid = "1"\n/vmkernel/module/ixgben/options = "password={PLANTED[7]}"\n/net/x/communities = "{PLANTED[8]}"\n'
        f'/adv/UserVars/HostClientPassword = "{PLANTED[9]}"\n'
    )
    files = esxi_bundle.files_of("6.7") | {
        "commands/vmware-vimdump_-o----U-dcui.txt": dump.encode(),
        "commands/vmkiscsid_--dump-db.txt": database.encode(),
        "commands/localcli_iscsi-adapter-auth-chap-get.txt": f"   Name: {PLANTED[10]}\n".encode(),
        "etc/vmware/esx.conf": conf.encode(),
        "etc/vmware/snmp.xml": f"<communities>{PLANTED[11]}</communities>".encode(),
        "etc/vmware/ssl/rui.key": f"-----BEGIN PRIVATE KEY-----\n{PLANTED[12]}\n".encode(),
        "etc/shadow": f"root:{PLANTED[13]}:".encode(),
        "etc/vmware/configstore/current-store-1": b"SQLite format 3\0" + PLANTED[14].encode(),
        "bootbank/local.tgz": tgz({"etc/shadow": PLANTED[15].encode()}),
        "error.log": f"could not run esxcli, password {PLANTED[16]}\n".encode(),
    }
    return {TOP + path: content for path, content in files.items()}


def windows_files() -> dict[str, bytes]:
    host = windows_bundle.Host("x520-2012r2-default")
    base = "[HKEY_LOCAL_MACHINE\\"
    extra = "\r\n".join(
        [
            "",
            base + "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Winlogon]",
            f'"DefaultPassword"="{PLANTED[17]}"',
            base + "SYSTEM\\CurrentControlSet\\Services\\SNMP\\Parameters\\ValidCommunities]",
            f'"{PLANTED[18]}"=dword:00000004',
            base + "SYSTEM\\CurrentControlSet\\Services\\MSiSCSI\\Persistent]",
            f'"CHAPSecret"="{PLANTED[19]}"',
            "",
        ]
    )
    files = windows_bundle.net_view(host)
    files["_Localhost/RegistryFiles.zip"] = zipped(
        {"hklm.reg": windows_bundle.registry_of(host, extra).encode("utf-16"), "hkcu.reg": PLANTED[20].encode()}
    )
    files["_Logs/Get-NetView.log"] = f"PS C:\\> net use * /user:x {PLANTED[21]}".encode()
    files["Get-NetAdapter.txt"] = files["Get-NetAdapter.txt"].replace(b"Administrator @", PLANTED[22].encode() + b" @")
    files["_Localhost/winevt/Security.txt"] = PLANTED[23].encode()
    return files


@pytest.mark.parametrize(
    "content", [pytest.param(tgz(esxi_files()), id="vm-support"), pytest.param(zipped(windows_files()), id="Get-NetView")]
)
def test_no_secret_is_kept_or_shown(content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bundle"
    path.write_bytes(content)
    with path.open("rb") as file:
        hosts = [host for part in read_archive(file, "bundle", Budget()) for host in recognise(part.files, part.name).hosts]
    assert len(hosts) == 1
    bodies = b"\n".join(section.body + section.error.encode() for host in hosts for section in host.sections.values())
    assessment = Assessment()
    assessment.add_path(path)
    told = assessment.told()
    shown = json.dumps(told) + json.dumps(report_of(told, title="t", made_by="m", now=utc_now()))
    printed = "".join(capfd.readouterr())
    for secret in PLANTED:
        assert secret.encode() not in bodies
        assert secret not in shown
        assert secret not in printed


def test_the_settings_beside_the_secrets_are_read(tmp_path: Path) -> None:
    path = tmp_path / "bundle"
    path.write_bytes(tgz(esxi_files()))
    assessment = Assessment()
    assessment.add_path(path)
    (host,) = assessment.hosts
    assert any(line["rule"] == "esxi55.delayed_ack" for line in [*host["failing"], *host["passing"]])
