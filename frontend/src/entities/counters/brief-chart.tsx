import { measured } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { LazyTimeChart } from "@/shared/ui/charts/lazy-time-chart";
import { useZone } from "@/shared/ui/time-ago";
import { referencesOf, seriesOf } from "./quantities";
import type { ChartLine, Charts } from "./types";

interface BriefChartProps {
  data: Charts;
  line: ChartLine;
  height?: number;
  /** A span that was dragged over. */
  onZoom?: (from: number, to: number) => void;
}

/** One counter in a narrow place, with its marks and limits, without the table and the menu. */
export function BriefChart({ data, line, height = 116, onZoom }: BriefChartProps) {
  const zone = useZone();
  const panel = { key: line.id, title: line.label, lines: [line], compared: [] };
  const last = line.statistics.latest;
  return (
    <LazyTimeChart
      title={`${visible(line.label)} from ${data.from} to ${data.to}, latest ${measured(last, line.unit)}`}
      height={height}
      zone={zone}
      from={Date.parse(data.from)}
      to={Date.parse(data.to)}
      series={seriesOf(panel, data, (one) => visible(one.label))}
      markers={data.marks.map((mark) => ({ ...mark, label: visible(mark.label), href: mark.href || undefined }))}
      onZoom={onZoom}
      references={referencesOf(panel, data.references).filter((one) => one.isLimit)}
    />
  );
}
