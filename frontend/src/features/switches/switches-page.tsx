import { Link } from "@tanstack/react-router";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { issuesText, onlyHereText, protocolText } from "./labels";
import { useSwitches } from "./queries";
import type { SwitchList, SwitchRow } from "./types";

/** As many hosts as the server names. */
const MOST_HOSTS = 100;
const HOW = "ESXi hears CDP on standard virtual switches, and on a distributed switch CDP or LLDP, whichever it listens to.";

/** The switches behind the hosts: one bad switch is one row here, not a finding on forty hosts. */
export function SwitchesPage() {
  const switches = useSwitches();
  return (
    <>
      <div className="page-head">
        <h1>Switches</h1>
        <span className="dim">Physical switches the hosts are cabled to, as they announce themselves</span>
      </div>
      <QueryPanel
        query={switches}
        height={420}
        lines={10}
        isEmpty={(data) => data.items.length === 0}
        empty={
          <Empty title="No switch heard yet">
            {HOW} Turn CDP or LLDP on for the ports of the SAN switches; hosts with agent 1.2.0 or newer report them at their next check-in.
          </Empty>
        }
      >
        {(data) => (
          <>
            <section aria-label="Switches">
              <DataTable label="Switches" columns={COLUMNS} rows={data.items} rowKey={(row) => row.id} />
            </section>
            <Unheard data={data} />
          </>
        )}
      </QueryPanel>
    </>
  );
}

const COLUMNS: Column<SwitchRow>[] = [
  {
    head: "Switch",
    cell: (row) => (
      <Link to="/switches/$switchId" params={{ switchId: row.id }} className="link">
        {visible(row.name || row.id)}
      </Link>
    ),
  },
  { head: "Failing ports", cell: (row) => <Failing row={row} /> },
  { head: "Ports", isNumber: true, cell: (row) => count(row.ports) },
  { head: "Hosts", isNumber: true, cell: (row) => count(row.hosts) },
  {
    head: "No second switch",
    cell: (row) => (row.only_here > 0 ? <StatusLabel status="fail">{onlyHereText(row.only_here)}</StatusLabel> : NO_DATA),
  },
  { head: "Platform", cell: (row) => visible(row.platform || NO_DATA) },
  { head: "Address", className: "nowrap", cell: (row) => visible(row.address || NO_DATA) },
  { head: "Heard by", cell: (row) => protocolText(row.protocol) },
];

function Failing({ row }: { row: SwitchRow }) {
  if (row.failing === 0) return <StatusLabel status="pass">None</StatusLabel>;
  return (
    <>
      <StatusLabel status="fail">
        {row.failing} of {plural(row.ports, "port")}
      </StatusLabel>
      <div className="small">{issuesText(row.issues)}</div>
    </>
  );
}

/** Adapters whose switch is not known, with the way to change that. */
function Unheard({ data }: { data: SwitchList }) {
  const { unheard_esxi: esxi, unheard_windows: windows, unheard_hosts: hosts } = data;
  if (esxi + windows === 0) return null;
  return (
    <section className="section" aria-label="Not heard">
      <h2>Not heard</h2>
      {esxi > 0 ? (
        <p>
          {plural(esxi, "storage adapter")} of ESXi hosts heard no switch. {HOW}
        </p>
      ) : null}
      {hosts.length > 0 ? (
        <ul aria-label="Hosts that heard no switch">
          {hosts.map((host) => (
            <li key={host.id}>
              <Link to="/hosts/$hostId" params={{ hostId: host.id }} search={{ tab: "paths" }} className="link">
                {visible(host.name)}
              </Link>{" "}
              <span className="dim">{visible(host.adapters.join(", "))}</span>
            </li>
          ))}
          {hosts.length < esxi && hosts.length === MOST_HOSTS ? <li className="dim">and more hosts</li> : null}
        </ul>
      ) : null}
      {windows > 0 ? (
        <p>{plural(windows, "storage adapter")} of Windows hosts: Windows has no command that shows the switch at the other end.</p>
      ) : null}
    </section>
  );
}
