import { columnVisibilityFeature, createColumnHelper, tableFeatures } from "@tanstack/react-table";
import type { HostRow } from "@/shared/api/types";
import { NO_DATA, percent } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Paths, Score, Seen, Worst } from "./cells";
import { DriftMarks } from "./drift-marks";
import type { HostsSearch } from "./search";

export const features = tableFeatures({ columnVisibilityFeature });

type Sort = NonNullable<HostsSearch["sort"]>;

export interface ColumnNote {
  /** Sort asked for by the first and by the second press on the header. */
  sorts?: [Sort, Sort];
  isNumber?: boolean;
  width: number | string;
}

/** How each column is drawn beside its cells; kept apart from the table's own definition. */
export const columnNotes: Record<string, ColumnNote> = {
  score: { sorts: ["score", "-score"], width: 104 },
  worst: { width: "auto" },
  drift: { width: 68 },
  paths: { sorts: ["paths", "-paths"], isNumber: true, width: 66 },
  last_seen: { sorts: ["-last_seen", "last_seen"], width: 112 },
  system: { width: 136 },
  family: { width: 88 },
  group: { width: 104 },
  coverage: { isNumber: true, width: 80 },
  mode: { width: 96 },
};

/** Families go by the names of their chips, which are written in capitals; what is none of them is "other". */
const familyWord = (family: string): string => (family === "other" ? family : family.toUpperCase());

/** The maker is left out where room is short: everybody knows whose Windows and whose ESXi it is. */
const System = ({ name }: { name: string }) => (
  <span title={name}>{name.replace(/^Windows Server /, "Windows ").replace(/^VMware /, "")}</span>
);

const helper = createColumnHelper<typeof features, HostRow>();

export const columns = helper.columns([
  helper.display({ id: "score", header: "score", cell: ({ row }) => <Score host={row.original} /> }),
  helper.display({ id: "worst", header: "worst finding", cell: ({ row }) => <Worst host={row.original} /> }),
  helper.display({ id: "drift", header: "drift", cell: ({ row }) => <DriftMarks drift={row.original.drift} /> }),
  helper.display({ id: "paths", header: "paths", cell: ({ row }) => <Paths host={row.original} /> }),
  helper.display({ id: "last_seen", header: "check-in", cell: ({ row }) => <Seen host={row.original} /> }),
  helper.display({ id: "system", header: "system", cell: ({ row }) => <System name={visible(row.original.os_name || NO_DATA)} /> }),
  helper.display({
    id: "family",
    header: "adapters",
    cell: ({ row }) => visible(row.original.families.map(familyWord).join(", ") || NO_DATA),
  }),
  helper.display({ id: "group", header: "group", cell: ({ row }) => visible(row.original.group_name) }),
  helper.display({ id: "coverage", header: "coverage", cell: ({ row }) => percent(row.original.rule_coverage) }),
  helper.display({
    id: "mode",
    header: "mode",
    cell: ({ row }) => (row.original.mode_effective === "observe" ? "observe only" : "remediate"),
  }),
]);

export const columnNames: { id: string; label: string }[] = [
  { id: "score", label: "score" },
  { id: "worst", label: "worst finding" },
  { id: "drift", label: "drift" },
  { id: "paths", label: "paths" },
  { id: "last_seen", label: "check-in" },
  { id: "system", label: "system" },
  { id: "family", label: "adapters" },
  { id: "group", label: "group" },
  { id: "coverage", label: "coverage" },
  { id: "mode", label: "mode" },
];

/** Columns left out unless a person asks for them; the address names what differs from this. */
export const HIDDEN_AT_FIRST = ["group", "coverage", "mode"];

/** Columns that give way, in this order, where the list has little room. */
export const GIVE_WAY = ["family", "system", "drift", "group", "coverage", "mode"];
