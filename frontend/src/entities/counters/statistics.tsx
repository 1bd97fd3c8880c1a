import { measured, NO_DATA, signed } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { lineStyle } from "@/shared/ui/charts/line-style";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import type { Panel } from "./quantities";
import type { ChartLine } from "./types";

interface StatisticsProps {
  panel: Panel;
  /** What the lines are compared with; null without a comparison. */
  compared: string | null;
  labelOf: (line: ChartLine) => string;
}

interface StatisticsRow {
  line: ChartLine;
  other: ChartLine | undefined;
  at: number;
}

/** The figures of each line over the whole range, from all readings, beside those that it is compared with. It is the chart's legend too. */
export function LineStatistics({ panel, compared, labelOf }: StatisticsProps) {
  const rows = panel.lines.map((line, at) => ({ line, at, other: panel.compared.find((one) => one.id === line.id) }));
  const columns: Column<StatisticsRow>[] = [
    {
      head: "Counter",
      isRowHead: true,
      cell: ({ line, at }) => (
        <>
          <svg width="22" height="8" viewBox="0 0 22 8" aria-hidden="true" style={{ marginRight: 8 }}>
            <path d="M0 4H22" strokeWidth="2" {...lineStyle(at)} />
          </svg>
          {visible(labelOf(line))}
        </>
      ),
    },
    ...(["minimum", "mean", "maximum", "latest"] as const).map(
      (name): Column<StatisticsRow> => ({
        head: { minimum: "Min", mean: "Mean", maximum: "Max", latest: "Latest" }[name],
        isNumber: true,
        cell: ({ line }) => measured(line.statistics[name], line.unit),
      }),
    ),
    { head: "Readings", isNumber: true, cell: ({ line }) => line.statistics.readings.toLocaleString("en-GB") },
  ];
  if (compared !== null) {
    columns.push(
      { head: `Mean, ${compared}`, isNumber: true, cell: ({ line, other }) => measured(other?.statistics.mean, line.unit) },
      { head: "Difference", isNumber: true, cell: ({ line, other }) => difference(line, other) },
    );
  }
  return <DataTable columns={columns} rows={rows} rowKey={({ line }) => line.id} />;
}

/** By how much the mean differs, in per cent of what it is compared with. */
function difference(line: ChartLine, other: ChartLine | undefined): string {
  const [now, then] = [line.statistics.mean, other?.statistics.mean];
  if (now === null || then === null || then === undefined || then === 0) return NO_DATA;
  return `${signed((100 * (now - then)) / then)}%`;
}
