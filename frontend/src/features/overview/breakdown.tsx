import { Link } from "@tanstack/react-router";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { ShareBar } from "@/shared/ui/charts/share-bar";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import styles from "./overview.module.css";
import type { OutcomeBar, Overview } from "./types";

interface BreakdownProps {
  title: string;
  filter: "os" | "cluster";
  bars: OutcomeBar[];
  group: number | undefined;
}

const barColumns = (filter: "os" | "cluster", within: { group?: number[] }): Column<OutcomeBar>[] => [
  {
    head: filter === "os" ? "OS" : "Cluster",
    className: "wraps",
    cell: (bar) => (
      <Link to="/hosts" search={{ ...within, [filter]: [bar.value] }} className="link">
        {visible(bar.label || "None")}
      </Link>
    ),
  },
  {
    head: "Share",
    width: "34%",
    cell: (bar) => (
      <ShareBar
        parts={[
          { status: "pass", count: bar.pass },
          { status: "fail", count: bar.fail },
          { status: "unknown", count: bar.unknown },
        ]}
      />
    ),
  },
  {
    head: "Failing",
    isNumber: true,
    className: "nowrap",
    cell: (bar) => (
      <>
        <span className="hidden-visually">{count(bar.pass)} pass, </span>
        <Link to="/hosts" search={{ ...within, [filter]: [bar.value], outcome: ["fail"] }} className="link">
          {count(bar.fail)} fail
        </Link>
      </>
    ),
  },
  { head: "Unknown", isNumber: true, className: "nowrap dim", cell: (bar) => `${count(bar.unknown)} unknown` },
];

export function Breakdown({ title, filter, bars, group }: BreakdownProps) {
  const within = group === undefined ? {} : { group: [group] };
  return (
    <section aria-label={title}>
      <h2>
        {title} <span className="dim">Pass, fail, unknown</span>
      </h2>
      {bars.length === 0 ? (
        <p className="dim">No cluster data. Add a vCenter, or set the cluster on a host's Settings tab.</p>
      ) : (
        <DataTable columns={barColumns(filter, within)} rows={bars} rowKey={(bar) => bar.value} isHeadHidden isCards={false} />
      )}
    </section>
  );
}

export function Distribution({ bands, group }: { bands: Overview["distribution"]; group: number | undefined }) {
  const within = group === undefined ? {} : { group: [group] };
  const most = Math.max(1, ...bands.map((band) => band.hosts));
  return (
    <section aria-label="Scores">
      <h2>Hosts by score</h2>
      <div className={styles.distribution} style={{ gridTemplateColumns: `repeat(${Math.max(1, bands.length)}, minmax(0, 1fr))` }}>
        {bands.map((band) => (
          <Link
            key={band.from}
            to="/hosts"
            search={{ ...within, score_below: band.to + 1, sort: "-score" }}
            aria-label={`${plural(band.hosts, "host")} scoring ${band.from}–${band.to}: show hosts`}
          >
            {band.hosts > 0 ? count(band.hosts) : ""}
            <i style={{ height: Math.round((64 * band.hosts) / most) }} />
          </Link>
        ))}
      </div>
      <div className={styles.axis} aria-hidden="true">
        <span>0</span>
        <span>100</span>
      </div>
    </section>
  );
}
