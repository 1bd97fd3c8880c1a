import { Link } from "@tanstack/react-router";
import type { WaiverDetail, WaiverPreview } from "@/entities/waiver/types";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { QueryPanel } from "@/shared/ui/query-panel";
import { together } from "./labels";
import { useForecast } from "./queries";
import styles from "./waivers.module.css";

/** The effect of a pending request, which its approver reads first. */
export function Forecast({ waiver }: { waiver: WaiverDetail }) {
  const preview = useForecast(waiver.id);
  return (
    <section className="section" aria-label="Effect">
      <h2>Effect</h2>
      <QueryPanel query={preview} height={120}>
        {(data) => <Change preview={data} />}
      </QueryPanel>
    </section>
  );
}

const HOSTS: Column<WaiverPreview["items"][number]>[] = [
  {
    head: "Host",
    cell: (one) => (
      <Link to="/hosts/$hostId" params={{ hostId: one.host.id }} className="link">
        {visible(one.host.name)}
      </Link>
    ),
  },
  { head: "Findings", isNumber: true, cell: (one) => count(one.findings) },
  { head: "Score", isNumber: true, cell: (one) => one.score ?? NO_DATA },
  { head: "With waiver", isNumber: true, className: "strong", cell: (one) => one.score_after ?? NO_DATA },
  { head: "Cap", className: "dim", cell: (one) => (one.capped_by && !one.cap_after ? "Removed" : visible(one.cap_after)) },
];

/** Findings, hosts, scores and caps before and after. */
export function Change({ preview }: { preview: WaiverPreview }) {
  const isOne = preview.items.length === 1;
  return (
    <>
      <div className={styles.change}>
        <span>
          <b>{plural(preview.findings, "failing finding")}</b> on {plural(preview.hosts, "host")}
          {preview.rules.length > 1 ? `, from ${preview.rules.length} equivalent rules waived together: ` : ""}
          {preview.rules.length > 1 ? together(preview.rules.map(({ pack }) => pack)) : ""}
        </span>
        {preview.already_waived > 0 ? <span className="dim">{count(preview.already_waived)} already waived</span> : null}
        {preview.score_mean !== null && preview.score_mean_after !== null ? (
          <span>
            {isOne ? "score " : "average score "}
            <b>
              {isOne ? preview.items[0]?.score : preview.score_mean} → {isOne ? preview.items[0]?.score_after : preview.score_mean_after}
            </b>
          </span>
        ) : null}
        <span className={preview.caps_lifted > 0 ? "strong" : "dim"}>
          {preview.caps_lifted > 0 ? `cap removed on ${plural(preview.caps_lifted, "host")}` : "no cap removed"}
        </span>
        {preview.passing_hosts > 0 ? (
          <span className="dim">
            {preview.passing_hosts === 1 ? "1 host in scope passes" : `${count(preview.passing_hosts)} hosts in scope pass`} anyway
          </span>
        ) : null}
      </div>
      {preview.items.length > 1 ? <DataTable columns={HOSTS} rows={preview.items} rowKey={(one) => one.host.id} /> : null}
      {preview.hosts > preview.items.length && preview.items.length > 0 ? (
        <p className="dim small">
          Showing the {count(preview.items.length)} lowest scores. Totals cover all {count(preview.hosts)} hosts.
        </p>
      ) : null}
    </>
  );
}
