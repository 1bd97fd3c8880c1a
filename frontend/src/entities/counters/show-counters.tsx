import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { QueryPanel } from "@/shared/ui/query-panel";
import { ChartsView } from "./charts-view";
import styles from "./counters.module.css";
import { type ChartRequest, useCharts } from "./queries";

/** Counters beside what a page is about, read when somebody opens them. `emptyText`: what is said where none were reported. */
export function ShowCounters({ request, emptyText }: { request: ChartRequest; emptyText: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <button type="button" className={styles.disclose} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={14} aria-hidden="true" />
        Show counters
      </button>
      {isOpen ? <Opened request={request} emptyText={emptyText} /> : null}
    </div>
  );
}

function Opened({ request, emptyText }: { request: ChartRequest; emptyText: string }) {
  const charts = useCharts(request);
  return (
    <QueryPanel
      query={charts}
      height={300}
      isEmpty={(data) => data.series.every((line) => line.statistics.readings === 0)}
      empty={<p className="dim">{emptyText}</p>}
    >
      {(data) => <ChartsView data={data} height={140} isBrief />}
    </QueryPanel>
  );
}
