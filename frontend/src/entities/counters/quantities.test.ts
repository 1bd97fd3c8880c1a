import { expect, it } from "vitest";
import { panelsOf, referencesOf, seriesOf } from "./quantities";
import type { ChartLine, Charts } from "./types";

const line = (host: string, name: string, values: (number | null)[], unit = "%"): ChartLine => ({
  id: `${host}~host/:${name}`,
  host_id: host,
  host_name: host,
  subject: "host/",
  label: `${host} ${name}`,
  name,
  unit,
  values,
  lows: null,
  highs: null,
  statistics: { readings: values.length, minimum: 0, mean: 1, maximum: 2, latest: 1 },
});

const charts = (series: ChartLine[], compared: ChartLine[] = []): Charts => ({
  from: "2026-11-25T00:00:00Z",
  to: "2026-11-25T00:10:00Z",
  starts_at: "2026-11-25T00:00:00Z",
  step_seconds: 300,
  reading_seconds: 300,
  is_downsampled: false,
  hosts: [],
  series,
  comparison: { kind: "week", label: "the week before", shift_seconds: 604_800, note: "", lines: compared },
  references: [],
  marks: [],
});

it("draws one quantity in one chart, so that a small figure is not flattened by a large one of the same unit", () => {
  const data = charts([
    line("a", "tcp_retransmit_percent", [0.4]),
    line("b", "tcp_retransmit_percent", [0.1]),
    line("a", "cpu_percent", [60]),
  ]);
  expect(panelsOf(data, false).map((panel) => [panel.title, panel.lines.length])).toEqual([
    ["TCP retransmits", 2],
    ["CPU", 1],
  ]);
  expect(panelsOf(data, true).map((panel) => panel.title)).toEqual(["a: TCP retransmits", "b: TCP retransmits", "a: CPU"]);
});

it("places steps in time, keeps gaps, and gives a compared line the colour of its own", () => {
  const own = line("a", "cpu_percent", [60, null]);
  const data = charts([own], [{ ...own, label: "a cpu_percent, the week before", values: [50, 51] }]);
  const [panel] = panelsOf(data, false);
  if (!panel) throw new Error("no panel");
  const start = Date.parse("2026-11-25T00:00:00Z");
  const [drawn, compared] = seriesOf(panel, data, (one) => one.label);
  expect(drawn?.points).toEqual([
    [start, 60],
    [start + 300_000, null],
  ]);
  expect(compared).toMatchObject({ id: `${own.id} compared`, isComparison: true, colour: "var(--series-1)" });
});

it("shows the figures of the counters in the chart only", () => {
  const [panel] = panelsOf(charts([line("a", "cpu_percent", [60])]), false);
  if (!panel) throw new Error("no panel");
  const reference = (name: string, value: number) => ({ name, unit: "%", value, label: name, source: "paper", is_limit: true });
  expect(referencesOf(panel, [reference("cpu_percent", 6), reference("tcp_retransmit_percent", 0.11)])).toEqual([
    { value: 6, label: "cpu_percent", source: "paper", isLimit: true },
  ]);
});
