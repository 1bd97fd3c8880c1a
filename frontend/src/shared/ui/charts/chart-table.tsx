import { useMemo } from "react";
import { measured } from "@/shared/lib/format";
import { exact } from "@/shared/lib/time";
import { DataTable } from "@/shared/ui/data-table/data-table";
import styles from "./chart-panel.module.css";
import type { TimeSeries } from "./types";

/** Rows that are drawn at once; all of them are in the CSV file. */
const MOST_ROWS = 300;

interface TableRow {
  at: number;
  figures: Map<string, number | null>;
}

/** The figures of a chart, newest first: a row for each time, a column for each line. */
export function ChartTable({ title, series, zone }: { title: string; series: TimeSeries[]; zone: string }) {
  const rows = useMemo(() => tableRows(series), [series]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} aria-label={`Figures of ${title}`} tabIndex={0}>
      <DataTable<TableRow>
        label={title}
        rows={rows.slice(0, MOST_ROWS)}
        rowKey={(row) => String(row.at)}
        isCards={false}
        columns={[
          { head: "Time", className: "nowrap", cell: (row) => exact(new Date(row.at).toISOString(), zone) },
          ...series.map((one) => ({
            head: one.label,
            id: one.id,
            isNumber: true,
            cell: (row: TableRow) => measured(row.figures.get(one.id), one.unit),
          })),
        ]}
      />
      {rows.length > MOST_ROWS ? (
        <p className="dim small">
          The newest {MOST_ROWS} of {rows.length} rows. The CSV file has all of them.
        </p>
      ) : null}
    </section>
  );
}

function tableRows(series: TimeSeries[]): TableRow[] {
  const rows = new Map<number, TableRow>();
  for (const one of series) {
    for (const [at, figure] of one.points) {
      const row = rows.get(at) ?? { at, figures: new Map() };
      row.figures.set(one.id, figure);
      rows.set(at, row);
    }
  }
  return [...rows.values()].sort((a, b) => b.at - a.at);
}
