import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { measured } from "@/shared/lib/format";
import { day, exact, moment, timeOfDay } from "@/shared/lib/time";
import styles from "./time-chart.module.css";

interface TimeSeries {
  id: string;
  label: string;
  unit: string;
  /** [milliseconds since 1970, value]; null where nothing is known, which leaves a gap and is never drawn as 0. */
  points: [number, number | null][];
  /** A token instead of the next colour of the row. */
  colour?: string;
}

interface TimeMarker {
  at: string;
  label: string;
}

interface TimeChartProps {
  /** What the chart shows, read to people who do not see it. */
  title: string;
  series: TimeSeries[];
  markers?: TimeMarker[];
  height: number;
  zone: string;
  domain?: [number | "auto", number | "auto"];
  /** Charts with the same word move their crosshair together. */
  syncId?: string;
  /** Days instead of moments below the axis. */
  isDaily?: boolean;
  /** Values that hold until the next one (counts), drawn as steps. */
  isStepped?: boolean;
  /** A figure that may not be undercut, drawn as a line across. */
  floor?: { at: number; label: string } | undefined;
  /** Vertical axis hidden where the page says the scale in words. */
  hasAxis?: boolean;
}

/** Lines are told apart by dash as well as by hue. */
const dashes = ["0", "5 3", "2 2", "8 3 2 3"];

/** A line of so few points is drawn with a dot for each: a single point makes no line at all. */
const FEW_POINTS = 24;

/** A span so short that its axis tells seconds. */
const SHORT_MS = 10 * 60_000;

/** Lines over time with dashed marks for what happened; drawing only. Loaded apart, because recharts is large. */
export default function TimeChart({
  title,
  series,
  markers = [],
  height,
  zone,
  domain,
  syncId,
  isDaily = false,
  isStepped = false,
  floor,
  hasAxis = true,
}: TimeChartProps) {
  const rows = joined(series);
  const unit = series[0]?.unit ?? "";
  const first = rows[0]?.at;
  const last = rows.at(-1)?.at;
  // Within minutes the minute alone would stand twice on the axis.
  const isShort = first !== undefined && last !== undefined && last - first < SHORT_MS;
  const tick = isDaily ? day : isShort ? timeOfDay : moment;
  const shown = markers.filter(({ at }) => first !== undefined && last !== undefined && Date.parse(at) >= first && Date.parse(at) <= last);
  return (
    <figure className={styles.figure} aria-label={title}>
      <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 600, height }}>
        <LineChart data={rows} margin={{ top: 14, right: 8, bottom: 0, left: 0 }} syncId={syncId} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={["dataMin", "dataMax"]}
            tickFormatter={(at: number) => tick(new Date(at).toISOString(), zone)}
            tick={{ fontSize: 11.5, fill: "var(--ink-2)" }}
            stroke="var(--line-strong)"
            tickLine={false}
            minTickGap={56}
          />
          <YAxis
            hide={!hasAxis}
            width={72}
            domain={domain ?? [0, "auto"]}
            tick={{ fontSize: 11.5, fill: "var(--ink-2)" }}
            tickFormatter={(figure: number) => measured(figure, unit).replaceAll(" ", "\u00a0")}
            axisLine={false}
            tickLine={false}
            tickCount={4}
            allowDataOverflow
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--ink-3)" }}
            labelFormatter={(at) => exact(new Date(Number(at)).toISOString(), zone)}
            formatter={(figure, name) => [measured(typeof figure === "number" ? figure : null, unit), name]}
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
          {shown.map((marker) => (
            <ReferenceLine
              key={`${marker.at}${marker.label}`}
              x={Date.parse(marker.at)}
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
          {series.map((one, index) => (
            <Line
              type={isStepped ? "stepAfter" : "linear"}
              key={one.id}
              dataKey={one.id}
              name={one.label}
              stroke={one.colour ?? `var(--series-${(index % 8) + 1})`}
              strokeDasharray={dashes[index % dashes.length]}
              strokeWidth={1.75}
              dot={one.points.length <= FEW_POINTS ? { r: 2.5, strokeDasharray: "0" } : false}
              isAnimationActive={false}
              connectNulls={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </figure>
  );
}

/** One row per instant with a value per series, which is the shape recharts wants. */
function joined(series: TimeSeries[]): { at: number; [id: string]: number | null }[] {
  const rows = new Map<number, { at: number; [id: string]: number | null }>();
  for (const one of series) {
    for (const [at, figure] of one.points) {
      const row = rows.get(at) ?? { at };
      row[one.id] = figure;
      rows.set(at, row);
    }
  }
  return [...rows.values()].sort((a, b) => a.at - b.at);
}
