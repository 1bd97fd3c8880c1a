import { Link } from "@tanstack/react-router";
import { NO_DATA } from "@/shared/lib/format";
import { capital, visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { StatusLabel } from "@/shared/ui/status";
import type { PathMap } from "./types";

type Adapter = PathMap["adapters"][number];
type Cabled = Adapter & { switch: NonNullable<Adapter["switch"]> };

const isCabled = (adapter: Adapter): adapter is Cabled => adapter.switch !== null;

/** The switch port behind each storage adapter, as the switch announces it, or why it is not known. */
export function SwitchPorts({ adapters }: { adapters: Adapter[] }) {
  const rows = adapters.filter(isCabled);
  if (rows.length === 0) return null;
  const partners = rows.filter((row) => row.switch.remote_classes.length + row.switch.remote_flow_control.length > 0);
  return (
    <section className="section" aria-label="Switch ports">
      <h2>
        Switch ports <span className="dim">as the switches announce them</span>
      </h2>
      <DataTable label="Switch ports" columns={COLUMNS} rows={rows} rowKey={(row) => row.id} />
      {partners.length > 0 ? (
        <>
          <h3>DCBX</h3>
          <DataTable label="DCBX" columns={DCBX} rows={partners} rowKey={(row) => row.id} />
        </>
      ) : null}
    </section>
  );
}

const COLUMNS: Column<Cabled>[] = [
  { head: "Adapter", cell: (row) => visible(row.name) },
  { head: "Switch", cell: (row) => <Switch row={row} /> },
  { head: "Port", className: "nowrap", cell: (row) => visible(row.switch.port || NO_DATA) },
  {
    head: "MTU",
    isNumber: true,
    cell: (row) => (row.switch.cause ? <StatusLabel status="fail">{row.switch.mtu}</StatusLabel> : (row.switch.mtu ?? NO_DATA)),
  },
  { head: "Native VLAN", isNumber: true, cell: (row) => row.switch.native_vlan ?? NO_DATA },
  { head: "Platform", cell: (row) => visible(row.switch.platform || NO_DATA) },
  { head: "Heard by", cell: (row) => row.switch.protocol.toUpperCase() || NO_DATA },
];

function Switch({ row }: { row: Cabled }) {
  if (row.switch.unknown) {
    return (
      <>
        <StatusLabel status="unknown">Unknown</StatusLabel>
        <div className="small">{capital(visible(row.switch.unknown))}</div>
      </>
    );
  }
  return (
    <>
      <Link to="/switches/$switchId" params={{ switchId: row.switch.id }} className="link">
        {visible(row.switch.name || row.switch.id)}
      </Link>
      {row.switch.cause ? <div className="small">{visible(row.switch.cause)}</div> : null}
    </>
  );
}

/** `0:ets:30:0,1,2` as people write it: "class 0 ETS 30% (priorities 0,1,2)". */
function classText(raw: string): string {
  const [number, algorithm, share, priorities] = raw.split(":");
  const parts = [
    `class ${number}`,
    algorithm === "ets" ? "ETS" : (algorithm ?? ""),
    share ? `${share}%` : "",
    `(priorities ${priorities})`,
  ];
  return visible(parts.filter(Boolean).join(" "));
}

const classesText = (classes: string[]) => classes.map(classText).join(", ") || "none";
const prioritiesText = (priorities: number[]) => priorities.join(", ") || "none";

/** Two texts under one another; marked where they differ. */
function Beside({ own, partner }: { own: string; partner: string }) {
  const text = `Host: ${own}. Switch: ${partner}.`;
  return (
    <>
      {own === partner ? null : <StatusLabel status="warn">Differs</StatusLabel>}
      <div className="small">{text}</div>
    </>
  );
}

const DCBX: Column<Cabled>[] = [
  { head: "Adapter", cell: (row) => visible(row.name) },
  {
    head: "Traffic classes",
    cell: (row) => <Beside own={classesText(row.switch.own_classes)} partner={classesText(row.switch.remote_classes)} />,
  },
  {
    head: "PFC priorities",
    cell: (row) => <Beside own={prioritiesText(row.switch.own_flow_control)} partner={prioritiesText(row.switch.remote_flow_control)} />,
  },
];
