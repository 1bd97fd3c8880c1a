"""RVTools: many hosts of one export, as files of tables and as a workbook; only what it tells is evaluated."""

from plumbline.bundles.assess import assess_host
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.bundles.recognise import recognise
from plumbline.core.facts.configuration import Subject
from tests.bundles.archives import zipped
from tests.bundles.test_windows_bundles import hosts_of

TABLES = {
    "vHost": "Host,Cluster,ESX Version,Vendor,Model\nesx1.lab.example,SAN,VMware ESXi 7.0.3 build-21313628,Dell Inc.,PowerEdge R640\n"
    "esx2.lab.example,SAN,VMware ESXi 7.0.3 build-21313628,Dell Inc.,PowerEdge R640\n",
    "vNIC": "Host,Network Device,Driver,Speed,Duplex,MAC,Switch,Uplink port,PCI\n"
    "esx1.lab.example,vmnic4,ixgben,10000,Full,a0:36:9f:20:70:02,vSwitch1,,0000:05:00.0\n"
    "esx2.lab.example,vmnic4,ixgben,10000,Full,a0:36:9f:20:70:12,vSwitch1,,0000:05:00.0\n",
    "vSC_VMK": "Host,Port Group,Device,IP Address,MTU\n"
    "esx1.lab.example,iSCSI1,vmk1,10.10.5.21,9.000\nesx2.lab.example,iSCSI1,vmk1,10.10.5.22,1500\n",
    "vSwitch": 'Host,Switch,Offload,TSO,MTU\nesx1.lab.example,vSwitch1,True,True,"9,000"\nesx2.lab.example,vSwitch1,True,True,9000\n',
    "vHBA": "Host,Device,Type,Status,Driver,Model,WWN\n"
    "esx1.lab.example,vmhba64,iSCSI,online,iscsi_vmk,iSCSI Software Adapter,iqn.1998-01.com.vmware:esx1\n",
    "vMultiPath": "Host,Disk,Display name,Policy,Oper. State,Path 1,Path 1 state,Path 2,Path 2 state\n"
    "esx1.lab.example,naa.6090a038f0cd,EQLOGIC iSCSI Disk,VMW_PSP_RR,ok,vmhba64:C0:T0:L0,Active,vmhba64:C1:T0:L0,Active\n",
}


def csv_files() -> dict[str, bytes]:
    return {f"RVTools_tab{name}.csv": text.encode() for name, text in TABLES.items()}


def workbook() -> bytes:
    names = list(TABLES)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    sheets = "".join(f'<sheet name="{name}" sheetId="{at + 1}" r:id="rId{at}"/>' for at, name in enumerate(names))
    targets = "".join(f'<Relationship Id="rId{at}" Target="worksheets/sheet{at + 1}.xml"/>' for at in range(len(names)))
    shared: list[str] = []
    files = {
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>{sheets}</sheets></workbook>'.encode(),
        "xl/_rels/workbook.xml.rels": f"<Relationships>{targets}</Relationships>".encode(),
    }
    for at, name in enumerate(names):
        rows = []
        for line in TABLES[name].replace('"9,000"', "9000").strip().split("\n"):
            cells = []
            for column, text in enumerate(line.split(",")):
                shared.append(text)
                cells.append(f'<c r="{chr(65 + column)}1" t="s"><v>{len(shared) - 1}</v></c>')
            rows.append(f"<row>{''.join(cells)}</row>")
        files[f"xl/worksheets/sheet{at + 1}.xml"] = f'<worksheet xmlns="{main}"><sheetData>{"".join(rows)}</sheetData></worksheet>'.encode()
    items = "".join(f"<si><t>{text}</t></si>" for text in shared)
    files["xl/sharedStrings.xml"] = f'<sst xmlns="{main}">{items}</sst>'.encode()
    return zipped(files)


def test_two_hosts_with_what_the_tables_tell() -> None:
    hosts = recognise(csv_files(), "rvtools").hosts
    assert [(host.name, host.kind) for host in hosts] == [("esx1.lab.example", "rvtools"), ("esx2.lab.example", "rvtools")]
    read = assemble("esxi", hosts[0].sections).configuration
    assert read.value(Subject("vnic", "vmk1"), "mtu") == 9000
    assert read.value(Subject("vswitch", "vSwitch1"), "mtu") == 9000
    assert read.value(Subject("volume", "naa.6090a038f0cd"), "policy") == "VMW_PSP_RR"
    assert read.value(Subject("volume", "naa.6090a038f0cd"), "paths_healthy") == 2
    assert read.value(Subject("host", ""), "os_release") == "7.0"
    second = assemble("esxi", hosts[1].sections).configuration
    assert second.value(Subject("vnic", "vmk1"), "mtu") == 1500


def test_a_workbook_tells_the_same() -> None:
    for one, other in zip(recognise(csv_files(), "rvtools").hosts, hosts_of(workbook(), "RVTools.xlsx"), strict=True):
        assert {name: section.body for name, section in one.sections.items()} == {
            name: section.body for name, section in other.sections.items()
        }


def test_what_is_not_exported_is_unknown() -> None:
    told = assess_host(recognise(csv_files(), "rvtools").hosts[0], "rvtools")
    reasons = {line["rule"]: line["reason"] for line in told["unknown"]}
    assert "RVTools does not export it" in reasons["esxi55.delayed_ack"]
    assert not any(line["rule"] == "esxi55.delayed_ack" for line in [*told["passing"], *told["failing"]])
