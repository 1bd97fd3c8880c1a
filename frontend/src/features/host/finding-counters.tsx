import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { ChartsView } from "@/entities/counters/charts-view";
import { useCharts } from "@/entities/counters/queries";
import { QueryPanel } from "@/shared/ui/query-panel";
import type { FindingGroup } from "./finding-groups";
import styles from "./host.module.css";

const HOURS = 48;

/** Counters that show what a setting of such an item does. */
const OF_KIND: Record<string, string[]> = {
  adapter: ["bytes_received", "bytes_sent", "drops_received", "pause_received"],
  volume: ["read_latency_us", "write_latency_us"],
};

/** The counters of the items of a finding beside the host's retransmits, when somebody opens them. */
export function FindingCounters({ group, hostId }: { group: FindingGroup; hostId: string }) {
  const [isOpen, setOpen] = useState(false);
  const items = group.findings.map((finding) => finding.subject).filter((subject) => OF_KIND[subject.kind] !== undefined);
  if (items.length === 0) return null;
  return (
    <>
      <button type="button" className={styles.disclose} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={14} aria-hidden="true" />
        Show counters
      </button>
      {isOpen ? <Counters hostId={hostId} items={items.slice(0, 2)} /> : null}
    </>
  );
}

function Counters({ hostId, items }: { hostId: string; items: { kind: string; id: string }[] }) {
  const names = items.flatMap(({ kind, id }) => (OF_KIND[kind] ?? []).map((name) => `${kind}/${id}:${name}`));
  const series = ["host/:tcp_retransmit_percent", ...names].slice(0, 8).map((one) => `${hostId}~${one}`);
  const charts = useCharts({ series, hours: HOURS });
  return (
    <QueryPanel
      query={charts}
      height={300}
      isEmpty={(data) => data.series.every((line) => line.statistics.readings === 0)}
      empty={<p className="dim">No counters in the last {HOURS} hours.</p>}
    >
      {(data) => <ChartsView data={data} height={140} isBrief />}
    </QueryPanel>
  );
}
