import { useElementSize } from "@mantine/hooks";
import { useId, useMemo } from "react";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { measured } from "@/shared/lib/format";
import { day, exact } from "@/shared/lib/time";
import { AXIS_WIDTH, MARGIN } from "./geometry";
import { lineStyle } from "./line-style";
import { MarkerRow } from "./marker-row";
import { clusterMarks } from "./marks";
import { Reader } from "./reader";
import { References } from "./references";
import { timeTicks, timeTickText, valueTicks } from "./ticks";
import styles from "./time-chart.module.css";
import type { TimeMarker, TimeReference, TimeSeries } from "./types";
import { ZoomArea } from "./zoom-area";

interface TimeChartProps {
  /** What the chart shows, read to people who do not see it. */
  title: string;
  series: TimeSeries[];
  markers?: TimeMarker[];
  height: number;
  zone: string;
  /** The span of the axis in milliseconds since 1970: the requested one, whatever data there is. Without it, from first to last point. */
  from?: number | undefined;
  to?: number | undefined;
  domain?: [number | "auto", number | "auto"];
  /** Charts with the same word move their crosshair together. */
  syncId?: string;
  /** Days instead of moments below the axis. */
  isDaily?: boolean;
  /** Values that hold until the next one (counts), drawn as steps. */
  isStepped?: boolean;
  /** A figure that may not be undercut, drawn as a line across. */
  floor?: { at: number; label: string } | undefined;
  /** Spans of which nothing is known, hatched. */
  unread?: readonly (readonly [number, number])[];
  /** Figures to compare with. Those far above all values are named below the chart, so that they do not flatten the lines. */
  references?: TimeReference[];
  /** Vertical axis hidden where the page says the scale in words. */
  hasAxis?: boolean;
  /** A span was picked by dragging. Without it nothing can be picked. */
  onZoom?: ((from: number, to: number) => void) | undefined;
}

/** A line of so few points is drawn with a dot for each: a single point makes no line at all. */
const FEW_POINTS = 24;

/** A reference further above the largest value than this is named, not drawn. */
const FAR_ABOVE = 2.5;

/** Lines over time with marks for what happened; drawing only. Loaded apart, because recharts is large. */
export default function TimeChart({
  title,
  series,
  markers = [],
  height,
  zone,
  from,
  to,
  domain,
  syncId,
  isDaily = false,
  isStepped = false,
  floor,
  unread = [],
  references = [],
  hasAxis = true,
  onZoom,
}: TimeChartProps) {
  const rows = useMemo(() => joined(series), [series]);
  const times = useMemo(() => rows.map((row) => row.at), [rows]);
  const unit = series[0]?.unit ?? "";
  const start = from ?? times[0] ?? 0;
  const end = to ?? times.at(-1) ?? start + 1;
  const largest = useMemo(() => largestOf(series), [series]);
  const drawn = references.filter(({ value }) => largest === 0 || value <= largest * FAR_ABOVE);
  const top = Math.max(largest, ...drawn.map(({ value }) => value));
  const ticks = useMemo(() => (isDaily ? null : timeTicks(start, end, zone, 6)), [isDaily, start, end, zone]);
  const values = domain ? null : valueTicks(top);
  // Marks are 24 px wide, so that a finger meets one: those that would overlap are drawn as one.
  const { ref, width } = useElementSize<HTMLElement>();
  const plot = width - AXIS_WIDTH - MARGIN.right;
  const hatch = useId();
  const clusters = clusterMarks(markers, start, end, plot > 0 ? 26 / plot : undefined);
  return (
    <figure ref={ref} className={styles.figure} aria-label={title}>
      <MarkerRow clusters={clusters} zone={zone} />
      <ZoomArea from={start} to={end} onZoom={onZoom}>
        <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 600, height }}>
          <ComposedChart data={rows} margin={MARGIN} {...(syncId ? { syncId, syncMethod: "value" } : {})} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            {unread.length > 0 ? <Hatch id={hatch} /> : null}
            {unread.map(([since, until]) => (
              <ReferenceArea key={since} x1={since} x2={until} fill={`url(#${hatch})`} stroke="var(--line-strong)" ifOverflow="hidden" />
            ))}
            <XAxis
              dataKey="at"
              type="number"
              scale="time"
              domain={[start, end]}
              allowDataOverflow
              {...(ticks ? { ticks: ticks.at } : {})}
              tickFormatter={(at: number) => (ticks ? timeTickText(at, ticks.step, zone) : day(new Date(at).toISOString(), zone))}
              tick={{ fontSize: 11.5, fill: "var(--ink-2)" }}
              stroke="var(--line-strong)"
              tickLine={false}
              minTickGap={ticks ? 12 : 56}
            />
            <YAxis
              hide={!hasAxis}
              width={AXIS_WIDTH}
              domain={domain ?? [0, values?.at(-1) ?? "auto"]}
              {...(values ? { ticks: values } : { tickCount: 4 })}
              tick={{ fontSize: 11.5, fill: "var(--ink-2)" }}
              tickFormatter={(figure: number) => measured(figure, unit).replaceAll(" ", "\u00a0")}
              axisLine={false}
              tickLine={false}
              interval={0}
              allowDataOverflow
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ stroke: "var(--ink-3)" }}
              labelFormatter={(at) => exact(new Date(Number(at)).toISOString(), zone)}
              formatter={(figure, name) => [
                Array.isArray(figure) ? null : measured(typeof figure === "number" ? figure : null, unit),
                name,
              ]}
              contentStyle={{
                background: "var(--ground)",
                border: "1px solid var(--line-strong)",
                borderRadius: 6,
                fontSize: 12.5,
                padding: "6px 10px",
              }}
              itemStyle={{ color: "var(--ink)", padding: 0 }}
              labelStyle={{ color: "var(--ink-2)" }}
            />
            {clusters.map((cluster) => (
              <ReferenceLine
                key={cluster.key}
                x={start + cluster.share * (end - start)}
                stroke="var(--ink-3)"
                strokeDasharray="2 3"
                ifOverflow="hidden"
              />
            ))}
            {floor ? (
              <ReferenceLine
                y={floor.at}
                stroke="var(--outcome-fail)"
                strokeDasharray="6 3"
                label={{ value: floor.label, position: "insideBottomRight", fontSize: 11.5, fill: "var(--ink-2)" }}
              />
            ) : null}
            {drawn.map((reference) => (
              <ReferenceLine
                key={`${reference.value}${reference.label}`}
                y={reference.value}
                stroke={reference.isLimit ? "var(--outcome-fail)" : "var(--ink-3)"}
                strokeDasharray="6 3"
                ifOverflow="hidden"
              />
            ))}
            {series.map((one, index) =>
              one.band && !one.isComparison ? (
                <Area
                  key={`${one.id} band`}
                  type="linear"
                  dataKey={`${one.id} band`}
                  stroke="none"
                  fill={one.colour ?? lineStyle(index).stroke}
                  fillOpacity={0.16}
                  isAnimationActive={false}
                  connectNulls={false}
                  activeDot={false}
                  tooltipType="none"
                  legendType="none"
                />
              ) : null,
            )}
            {series.map((one, index) => (
              <Line
                type={isStepped ? "stepAfter" : "linear"}
                key={one.id}
                dataKey={one.id}
                name={one.label}
                stroke={one.colour ?? lineStyle(index).stroke}
                strokeDasharray={one.isComparison ? "1 3" : lineStyle(index).strokeDasharray}
                strokeWidth={one.isComparison ? 1.5 : 1.75}
                dot={one.points.length <= FEW_POINTS ? { r: 2.5, strokeDasharray: "0" } : false}
                isAnimationActive={false}
                connectNulls={false}
              />
            ))}
          </ComposedChart>
        </ResponsiveContainer>
        {hasAxis && times.length > 1 ? <Reader title={title} series={series} times={times} from={start} to={end} zone={zone} /> : null}
      </ZoomArea>
      <References references={references} drawn={drawn} unit={unit} />
    </figure>
  );
}

/** The pattern of spans that were not read. */
function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line x1={0} y1={0} x2={0} y2={6} stroke="var(--ink-3)" strokeWidth={1} />
      </pattern>
    </defs>
  );
}

type Row = { at: number; [id: string]: number | null | [number, number] };

/** One row per instant with a value per series, which is the shape recharts wants. */
function joined(series: TimeSeries[]): Row[] {
  const rows = new Map<number, Row>();
  const rowAt = (at: number): Row => {
    const row = rows.get(at) ?? { at };
    rows.set(at, row);
    return row;
  };
  for (const one of series) {
    for (const [at, figure] of one.points) rowAt(at)[one.id] = figure;
    for (const [at, low, high] of one.band ?? []) {
      if (low !== null && high !== null) rowAt(at)[`${one.id} band`] = [low, high];
    }
  }
  return [...rows.values()].sort((a, b) => a.at - b.at);
}

/** The largest figure of the lines; bands may reach beyond, but not further than five times that. */
function largestOf(series: TimeSeries[]): number {
  let line = 0;
  let band = 0;
  for (const one of series) {
    for (const [, figure] of one.points) if (figure !== null && figure > line) line = figure;
    for (const [, , high] of one.band ?? []) if (high !== null && high > band) band = high;
  }
  return Math.max(line, Math.min(band, line * 5));
}
