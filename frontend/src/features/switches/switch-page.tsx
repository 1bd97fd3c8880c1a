import { Link } from "@tanstack/react-router";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import { capital, visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PropertyList } from "@/shared/ui/property-list";
import { QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { onlyHereText, protocolText } from "./labels";
import { useSwitch } from "./queries";
import type { SwitchPortRow } from "./types";

/** One switch and the hosts behind its ports, failing ports first. */
export function SwitchPage({ switchId }: { switchId: string }) {
  const found = useSwitch(switchId);
  return (
    <QueryPanel query={found} height={420} lines={10}>
      {(data) => (
        <>
          <div className="page-head">
            <h1>{visible(data.name || data.id)}</h1>
            <span className="dim">
              {plural(data.ports, "port")}, {plural(data.hosts, "host")}
            </span>
          </div>
          <PropertyList
            items={[
              { key: "platform", name: "Platform", value: visible(data.platform || NO_DATA) },
              { key: "address", name: "Address", value: visible(data.address || NO_DATA) },
              { key: "id", name: "ID", value: visible(data.id) },
              { key: "protocol", name: "Heard by", value: protocolText(data.protocol) },
            ]}
          />
          {data.only_here > 0 ? (
            <p style={{ marginTop: 12 }}>
              <StatusLabel status="fail">{onlyHereText(data.only_here)}</StatusLabel> All their paths are lost if it fails or restarts. A
              stack announces itself as one switch.
            </p>
          ) : null}
          <section className="section" aria-label="Ports">
            <h2>
              Ports <span className="dim">{count(data.ports)}</span>
            </h2>
            <DataTable
              label="Ports"
              columns={COLUMNS}
              rows={data.port_rows}
              rowKey={(row) => `${row.host_id} ${row.adapter}`}
              foot={
                data.port_rows.length < data.ports ? (
                  <tr>
                    <td colSpan={COLUMNS.length}>The first {count(data.port_rows.length)} ports, failing ones first.</td>
                  </tr>
                ) : undefined
              }
            />
          </section>
        </>
      )}
    </QueryPanel>
  );
}

const COLUMNS: Column<SwitchPortRow>[] = [
  { head: "Port", className: "nowrap", cell: (row) => visible(row.port || NO_DATA) },
  {
    head: "Status",
    cell: (row) =>
      row.problem ? (
        <>
          <StatusLabel status="fail">Failing</StatusLabel>
          <div className="small">
            {capital(visible(row.problem))}
            {row.lost_at ? (
              <>
                . Not heard since <TimeAgo at={row.lost_at} form="moment" />
              </>
            ) : null}
          </div>
        </>
      ) : (
        <StatusLabel status="pass">OK</StatusLabel>
      ),
  },
  {
    head: "Host",
    cell: (row) => (
      <Link to="/hosts/$hostId" params={{ hostId: row.host_id }} search={{ tab: "paths" }} className="link">
        {visible(row.host)}
      </Link>
    ),
  },
  { head: "Adapter", cell: (row) => visible(row.adapter_name) },
  { head: "Healthy paths", isNumber: true, cell: (row) => (row.paths_total ? `${row.paths_healthy} of ${row.paths_total}` : NO_DATA) },
  { head: "Switch MTU", isNumber: true, cell: (row) => row.switch_mtu ?? NO_DATA },
  { head: "Host MTU", isNumber: true, cell: (row) => row.mtu ?? NO_DATA },
  { head: "Native VLAN", isNumber: true, cell: (row) => row.native_vlan ?? NO_DATA },
  { head: "Cluster", cell: (row) => visible(row.cluster || NO_DATA) },
];
