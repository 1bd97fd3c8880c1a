import { Link } from "@tanstack/react-router";
import type { WaiverDetail, WaiverPreview } from "@/entities/waiver/types";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { QueryPanel } from "@/shared/ui/query-panel";
import { together } from "./labels";
import { useForecast } from "./queries";
import styles from "./waivers.module.css";

/** The forecast of a request that waits: what whoever decides on it looks at first. */
export function Forecast({ waiver }: { waiver: WaiverDetail }) {
  const preview = useForecast(waiver.id);
  return (
    <section className="section" aria-label="What it would change">
      <h2>What it would change</h2>
      <QueryPanel query={preview} height={120}>
        {(data) => <Change preview={data} />}
      </QueryPanel>
    </section>
  );
}

const HOSTS: Column<WaiverPreview["items"][number]>[] = [
  {
    head: "host",
    cell: (one) => (
      <Link to="/hosts/$hostId" params={{ hostId: one.host.id }} className="link">
        {visible(one.host.name)}
      </Link>
    ),
  },
  { head: "findings", isNumber: true, cell: (one) => count(one.findings) },
  { head: "score", isNumber: true, cell: (one) => one.score ?? NO_DATA },
  { head: "with it", isNumber: true, className: "strong", cell: (one) => one.score_after ?? NO_DATA },
  { head: "cap", className: "dim", cell: (one) => (one.capped_by && !one.cap_after ? "lifted" : visible(one.cap_after)) },
];

/** Findings, hosts, scores and caps before and after. */
export function Change({ preview }: { preview: WaiverPreview }) {
  const isOne = preview.items.length === 1;
  return (
    <>
      <div className={styles.change}>
        <span>
          <b>{plural(preview.findings, "failing finding")}</b> on {plural(preview.hosts, "host")}
          {preview.rules.length > 1 ? `, of ${preview.rules.length} rules that ask the same and are waived together: those of ` : ""}
          {preview.rules.length > 1 ? together(preview.rules.map(({ pack }) => pack)) : ""}
        </span>
        {preview.already_waived > 0 ? <span className="dim">{count(preview.already_waived)} waived already</span> : null}
        {preview.score_mean !== null && preview.score_mean_after !== null ? (
          <span>
            {isOne ? "score " : "mean score "}
            <b>
              {isOne ? preview.items[0]?.score : preview.score_mean} → {isOne ? preview.items[0]?.score_after : preview.score_mean_after}
            </b>
          </span>
        ) : null}
        <span className={preview.caps_lifted > 0 ? "strong" : "dim"}>
          {preview.caps_lifted > 0 ? `the cap of 59 lifted on ${plural(preview.caps_lifted, "host")}` : "no cap lifted"}
        </span>
        {preview.passing_hosts > 0 ? <span className="dim">{plural(preview.passing_hosts, "host")} in scope pass it anyway</span> : null}
      </div>
      {preview.items.length > 1 ? <DataTable columns={HOSTS} rows={preview.items} rowKey={(one) => one.host.id} /> : null}
      {preview.hosts > preview.items.length && preview.items.length > 0 ? (
        <p className="dim small">
          Scores of the {count(preview.items.length)} lowest hosts; the counts are of all {count(preview.hosts)}.
        </p>
      ) : null}
    </>
  );
}
