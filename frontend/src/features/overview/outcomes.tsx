import { Link } from "@tanstack/react-router";
import { count, plural } from "@/shared/lib/format";
import { ShareBar, type ShareStatus } from "@/shared/ui/charts/share-bar";
import { type Status, StatusLabel, statusText } from "@/shared/ui/status";
import styles from "./overview.module.css";
import type { Overview } from "./types";

const rows: {
  status: Status;
  key: keyof Overview["outcomes"];
  filter: "pass" | "fail" | "unknown" | "waived" | "excluded" | "not_applicable";
}[] = [
  { status: "pass", key: "pass", filter: "pass" },
  { status: "fail", key: "fail", filter: "fail" },
  { status: "unknown", key: "unknown", filter: "unknown" },
  { status: "waived", key: "waived", filter: "waived" },
  { status: "excluded", key: "excluded", filter: "excluded" },
  { status: "not_applicable", key: "not_applicable", filter: "not_applicable" },
];

/** Findings of the whole fleet by the word shown; each figure leads to the hosts that have them. */
export function Outcomes({ counts, group }: { counts: Overview["outcomes"]; group: number | undefined }) {
  const within = group === undefined ? {} : { group: [group] };
  const most = Math.max(counts.pass, counts.fail, counts.unknown, counts.waived, 1);
  return (
    <section aria-label="Findings by status">
      <h2>Findings by status</h2>
      <dl className={styles.out}>
        {rows
          .filter((row) => row.key !== "excluded" || counts.excluded > 0)
          .map((row) => (
            <div key={row.key} style={{ display: "contents" }}>
              <dt>
                <StatusLabel status={row.status} />
              </dt>
              <dd className="num">
                <Link
                  to="/hosts"
                  search={{ ...within, outcome: [row.filter] }}
                  className="link"
                  aria-label={`${count(counts[row.key])} findings, ${statusText(row.status)}: show hosts`}
                >
                  {count(counts[row.key])}
                </Link>
              </dd>
              <dd className={styles.bar}>
                {isDrawn(row.status) ? <ShareBar of={most} parts={[{ status: row.status, count: counts[row.key] }]} /> : null}
                {row.key === "fail" && counts.guard_rail > 0 ? (
                  <Link to="/hosts" search={{ ...within, outcome: ["guard_rail"] }} className="dim small link nowrap">
                    {plural(counts.guard_rail, "guardrail")}
                  </Link>
                ) : null}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function isDrawn(status: Status): status is ShareStatus {
  return status === "pass" || status === "fail" || status === "unknown" || status === "waived";
}
