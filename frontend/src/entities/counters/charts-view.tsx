import { useMemo } from "react";
import { visible } from "@/shared/lib/text";
import { ChartPanel } from "@/shared/ui/charts/chart-panel";
import { useZone } from "@/shared/ui/time-ago";
import { panelsOf, referencesOf, seriesOf } from "./quantities";
import { spanText } from "./ranges";
import { LineStatistics } from "./statistics";
import type { ChartLine, Charts } from "./types";

interface ChartsViewProps {
  data: Charts;
  /** A chart for each quantity of each host, instead of all hosts in one. */
  isByHost?: boolean;
  height?: number;
  /** Without the table of figures below each chart. */
  isBrief?: boolean;
  onZoom?: ((from: number, to: number) => void) | undefined;
}

/** Charts of counters with a common crosshair: the same on every page that shows counters. */
export function ChartsView({ data, isByHost = false, height = 220, isBrief = false, onZoom }: ChartsViewProps) {
  const zone = useZone();
  const panels = useMemo(() => panelsOf(data, isByHost), [data, isByHost]);
  const from = Date.parse(data.from);
  const to = Date.parse(data.to);
  const several = new Set(data.series.map((line) => line.host_id)).size > 1;
  const note = data.is_downsampled
    ? `Each point is the mean of ${spanText(data.step_seconds)}; the band shows the lowest and highest reading. Gaps mean no data.`
    : `Full resolution, a reading every ${spanText(data.reading_seconds)}. Gaps mean no data.`;
  const comparison = data.comparison;
  return (
    <>
      {panels.map((panel) => {
        const labelOf = (line: ChartLine) => visible(isByHost && several ? line.label.replace(`${line.host_name} `, "") : line.label);
        const marks = isByHost ? data.marks.filter((mark) => !mark.host_id || mark.host_id === panel.lines[0]?.host_id) : data.marks;
        return (
          <ChartPanel
            key={panel.key}
            title={visible(panel.title)}
            fileName={`plumbline ${panel.title}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}
            series={seriesOf(panel, data, labelOf)}
            from={from}
            to={to}
            height={height}
            zone={zone}
            syncId="counters"
            markers={marks.map((mark) => ({ ...mark, label: visible(mark.label), href: mark.href || undefined }))}
            references={referencesOf(panel, data.references)}
            onZoom={onZoom}
            notes={isBrief ? [] : [note]}
          >
            {isBrief ? null : <LineStatistics panel={panel} compared={comparison ? comparison.label : null} labelOf={labelOf} />}
          </ChartPanel>
        );
      })}
      {comparison?.note ? <p className="dim small">{comparison.note}</p> : null}
      <NotGiven data={data} />
    </>
  );
}

/** What a host does not give, said instead of left blank. */
function NotGiven({ data }: { data: Charts }) {
  const lines = data.hosts.flatMap((host) => host.not_given.map((words) => ({ key: `${host.id}${words}`, host: host.name, words })));
  if (lines.length === 0) return null;
  return (
    <ul className="dim small" aria-label="Not available" style={{ margin: "14px 0 0", paddingLeft: 18 }}>
      {lines.map(({ key, host, words }) => (
        <li key={key}>
          {visible(host)}: {words}
        </li>
      ))}
    </ul>
  );
}
