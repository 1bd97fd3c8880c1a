import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FromTo } from "@/shared/ui/verbatim";
import type { SettingDifference } from "./types";

const WHOLE = { came: "Added since the baseline", went: "Removed since the baseline", changed: "" } as const;

const COLUMNS: Column<SettingDifference>[] = [
  {
    head: "Item",
    cell: (item) => (
      <>
        {visible(item.subject.label)} {item.subject.kind === "host" ? null : <span className="dim">{item.subject.kind}</span>}
      </>
    ),
  },
  { head: "Setting", cell: (item) => item.label || <span className="dim">Entire {item.subject.kind}</span> },
  {
    head: "Baseline → now",
    cell: (item) => (item.what === "changed" ? <FromTo from={item.accepted} to={item.now} /> : WHOLE[item.what]),
  },
];

/** What differs between an accepted configuration and another one, a line for each setting. */
export function DifferenceTable({ items }: { items: SettingDifference[] }) {
  return <DataTable columns={COLUMNS} rows={items} rowKey={(item) => `${item.subject.kind}/${item.subject.id}/${item.key}`} />;
}
