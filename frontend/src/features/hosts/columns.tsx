import { Link } from "@tanstack/react-router";
import type { HostRow } from "@/entities/host/types";
import { NO_DATA, percent } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import type { Column } from "@/shared/ui/data-table/data-table";
import { Paths, Score, Seen, Worst } from "./cells";
import { DriftMarks } from "./drift-marks";
import styles from "./hosts.module.css";
import type { HostsSearch } from "./search";

type Sort = NonNullable<HostsSearch["sort"]>;

interface HostColumn extends Column<HostRow> {
  orders?: readonly [Sort, Sort];
}

/** Families go by the names of their chips, which are written in capitals; what is none of them is "other". */
const familyLabel = (family: string): string => (family === "other" ? family : family.toUpperCase());

/** The maker is left out where room is short: everybody knows whose Windows and whose ESXi it is. */
const System = ({ name }: { name: string }) => (
  <span title={name}>{name.replace(/^Windows Server /, "Windows ").replace(/^VMware /, "")}</span>
);

const NAME: HostColumn = {
  head: "Host",
  id: "name",
  isRowHead: true,
  orders: ["name", "-name"],
  width: 136,
  className: styles.name,
  cell: (host) => (
    <Link to="/hosts/$hostId" params={{ hostId: host.id }} className={styles.clip}>
      {visible(host.name)}
    </Link>
  ),
};

const clip = styles.clip;

/** Columns that a person may leave out. */
const CHOICES: (HostColumn & { id: string })[] = [
  { id: "score", head: "Score", orders: ["score", "-score"], width: 126, className: clip, cell: (host) => <Score host={host} /> },
  { id: "worst", head: "Top finding", width: "auto", className: clip, cell: (host) => <Worst host={host} /> },
  { id: "drift", head: "Drift", width: 68, className: clip, cell: (host) => <DriftMarks drift={host.drift} /> },
  { id: "paths", head: "Paths", orders: ["paths", "-paths"], isNumber: true, width: 66, cell: (host) => <Paths host={host} /> },
  {
    id: "last_seen",
    head: "Last check-in",
    orders: ["-last_seen", "last_seen"],
    width: 140,
    className: clip,
    cell: (host) => <Seen host={host} />,
  },
  { id: "system", head: "OS", width: 128, className: clip, cell: (host) => <System name={visible(host.os_name || NO_DATA)} /> },
  {
    id: "family",
    head: "Adapters",
    width: 88,
    className: clip,
    cell: (host) => visible(host.families.map(familyLabel).join(", ") || NO_DATA),
  },
  { id: "group", head: "Group", width: 104, className: clip, cell: (host) => visible(host.group_name) },
  { id: "coverage", head: "Coverage", isNumber: true, width: 80, cell: (host) => percent(host.rule_coverage) },
  {
    id: "mode",
    head: "Mode",
    width: 96,
    className: clip,
    cell: (host) => (host.mode_effective === "observe" ? "Observe only" : "Remediation on"),
  },
];

export const columns: HostColumn[] = [NAME, ...CHOICES];

export const columnNames = CHOICES.map(({ id, head }) => ({ id, label: head }));

/** Columns left out unless a person asks for them; the address names what differs from this. */
export const HIDDEN_AT_FIRST = ["group", "coverage", "mode"];

/** Columns that give way, in this order, where the list has little room. */
export const GIVE_WAY = ["family", "system", "drift", "group", "coverage", "mode", "last_seen"];
