import type { Schemas } from "@/shared/api/schemas";
import { lineStyle } from "@/shared/ui/charts/line-style";
import type { TimeReference, TimeSeries } from "@/shared/ui/charts/types";
import type { ChartLine, Charts } from "./types";

/** What a counter measures: counters of one quantity are drawn in one chart, on one axis. */
const QUANTITIES: Record<string, string> = {
  bytes_received: "Throughput of adapters",
  bytes_sent: "Throughput of adapters",
  packets_received: "Packets",
  packets_sent: "Packets",
  drops_received: "Dropped packets",
  drops_sent: "Dropped packets",
  errors_received: "Packets with errors",
  errors_sent: "Packets with errors",
  pause_received: "Pause frames",
  pause_sent: "Pause frames",
  tcp_segments_sent: "TCP segments",
  tcp_segments_retransmitted: "TCP segments",
  tcp_retransmit_percent: "TCP retransmits",
  cpu_percent: "CPU",
  read_bytes: "Throughput of volumes",
  write_bytes: "Throughput of volumes",
  reads: "Operations of volumes",
  writes: "Operations of volumes",
  read_latency_us: "Latency of volumes",
  write_latency_us: "Latency of volumes",
};

export const quantityOf = (name: string): string => QUANTITIES[name] ?? name;

/** Lines of one chart, and those that they are compared with. */
export interface Panel {
  key: string;
  title: string;
  lines: ChartLine[];
  compared: ChartLine[];
}

/** The charts of a page, in the order in which their lines were picked: one for each quantity, or for each quantity of each host. */
export function panelsOf(data: Charts, isByHost: boolean): Panel[] {
  const panels = new Map<string, Panel>();
  for (const line of data.series) {
    const quantity = quantityOf(line.name);
    const key = isByHost ? `${line.host_id} ${quantity}` : quantity;
    const panel = panels.get(key) ?? { key, title: isByHost ? `${line.host_name}: ${quantity}` : quantity, lines: [], compared: [] };
    panel.lines.push(line);
    const other = data.comparison?.lines.find((one) => one.id === line.id);
    if (other) panel.compared.push(other);
    panels.set(key, panel);
  }
  return [...panels.values()];
}

type Steps = Pick<Charts, "starts_at" | "step_seconds">;

/** Lines as the chart draws them; a compared line has the colour of its own. */
export function seriesOf(panel: Panel, data: Steps, labelOf: (line: ChartLine) => string): TimeSeries[] {
  const start = Date.parse(data.starts_at);
  const at = (index: number) => start + index * data.step_seconds * 1000;
  const colours = new Map(panel.lines.map((line, index) => [line.id, lineStyle(index).stroke]));
  const drawn = (line: ChartLine): TimeSeries => ({
    id: line.id,
    label: labelOf(line),
    unit: line.unit,
    points: line.values.map((figure, index) => [at(index), figure ?? null]),
    band: line.lows?.map((low, index) => [at(index), low ?? null, line.highs?.[index] ?? null]),
  });
  return [
    ...panel.lines.map(drawn),
    ...panel.compared.map((line) => ({ ...drawn(line), id: `${line.id} compared`, isComparison: true, colour: colours.get(line.id) })),
  ];
}

/** The figures to compare with in one chart. Those of several counters in it say of which. */
export function referencesOf(panel: Panel, references: Schemas["ChartReference"][]): TimeReference[] {
  const names = new Set(panel.lines.map((line) => line.name));
  const quantities = new Set([...names].map(quantityOf));
  const seen = new Set<string>();
  return references
    .filter((one) => names.has(one.name) || (one.name === "bytes_received" && quantities.has(quantityOf(one.name))))
    .map((one) => ({ value: one.value, label: one.label, source: one.source, isLimit: one.is_limit }))
    .filter((one) => {
      const key = `${one.value}${one.label}${one.source}`;
      return seen.has(key) ? false : seen.add(key);
    });
}
