import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { FromTo } from "@/shared/ui/verbatim";
import type { SettingDifference } from "./types";

const WHOLE = { came: "was not there when the baseline was accepted", went: "is not there any more", changed: "" } as const;

const COLUMNS: Column<SettingDifference>[] = [
  {
    head: "of",
    cell: (item) => (
      <>
        {visible(item.subject.label)} {item.subject.kind === "host" ? null : <span className="dim">{item.subject.kind}</span>}
      </>
    ),
  },
  { head: "setting", cell: (item) => item.label || <span className="dim">the whole {item.subject.kind}</span> },
  {
    head: "accepted, and now",
    cell: (item) => (item.what === "changed" ? <FromTo from={item.accepted} to={item.now} /> : WHOLE[item.what]),
  },
];

/** What differs between an accepted configuration and another one, a line for each setting. */
export function DifferenceTable({ items }: { items: SettingDifference[] }) {
  return <DataTable columns={COLUMNS} rows={items} rowKey={(item) => `${item.subject.kind}/${item.subject.id}/${item.key}`} />;
}
