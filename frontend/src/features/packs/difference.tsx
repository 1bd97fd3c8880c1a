import type { Difference, RuleDifference } from "@/entities/pack/types";
import { query } from "@/shared/api/client";
import { plural } from "@/shared/lib/format";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import styles from "./packs.module.css";

interface PackDifferenceProps {
  pack: string;
  old: number | undefined;
  version: number | undefined;
  draft: number | undefined;
}

/** What differs between two versions, or a version and a draft, rule by rule, the gravest change first. */
export function PackDifference({ pack, old, version, draft }: PackDifferenceProps) {
  const difference = query.useQuery("get", "/api/v1/packs/{pack}/difference", {
    params: { path: { pack }, query: { old, new: draft === undefined ? version : undefined, draft } },
  });
  return (
    <section className="section" aria-label="Changes">
      <QueryPanel query={difference} height={240} lines={7}>
        {(data) => (
          <>
            <h2>
              {data.old_version ? `${data.old_version} → ${data.new_version}` : `${data.new_version}, first version`}{" "}
              <span className="dim">{summary(data)}</span>
            </h2>
            {data.is_enough ? null : (
              <p>
                <StatusLabel status="warn">Version number too low</StatusLabel>{" "}
                <span className="dim">These changes need version {data.needs} or higher, because requirements or scope changed.</span>
              </p>
            )}
            {data.rules.length === 0 ? (
              <Empty title="No rule changes">{data.papers_changed ? "Only the list of papers changed." : ""}</Empty>
            ) : (
              data.rules.map((rule) => <RuleChange key={rule.rule} rule={rule} />)
            )}
          </>
        )}
      </QueryPanel>
    </section>
  );
}

const ORDER: RuleDifference["change"][] = ["added", "removed", "retired", "expectation", "scope", "weight", "words"];

function summary(data: Difference): string {
  const counts = ORDER.map((change) => [change, data.rules.filter((rule) => rule.change === change).length] as const);
  const labels: Record<RuleDifference["change"], string> = {
    added: "added",
    removed: "removed",
    retired: "retired or reactivated",
    expectation: "requirement changed",
    scope: "scope changed",
    weight: "weight changed",
    words: "text changed",
  };
  return counts
    .filter(([, n]) => n > 0)
    .map(([change, n]) => `${plural(n, "rule")}: ${labels[change]}`)
    .join(", ");
}

function weightText({ weight_before: before, weight_after: after }: RuleDifference): string {
  if (before === null) return after === null ? "" : `weight ${after.toFixed(1)}`;
  return after === null ? `weight was ${before.toFixed(1)}` : `weight ${before.toFixed(1)} → ${after.toFixed(1)}`;
}

function RuleChange({ rule }: { rule: RuleDifference }) {
  const isSame = rule.weight_before === rule.weight_after;
  return (
    <details className={styles.card} style={{ padding: "8px 0" }} open={rule.change === "expectation"}>
      <summary>
        <span className="strong">{rule.title}</span> <span className="dim mono small">{rule.rule}</span>{" "}
        <span className={rule.change === "added" ? styles.new : rule.change === "removed" ? styles.old : "dim"}>{rule.words}</span>
        {isSame ? null : <span className="dim"> {weightText(rule)}</span>}
      </summary>
      <div className={styles.fields}>
        {rule.fields.length === 0 ? <p className="dim">Not in the other version.</p> : null}
        {rule.fields.map((field) => (
          <div key={field.field}>
            <div className="strong small">{field.field}</div>
            <div className={styles.sides}>
              <div>
                <span className="dim small">Before</span>
                <pre className="code">{field.old || "(empty)"}</pre>
              </div>
              <div>
                <span className="dim small">After</span>
                <pre className="code">{field.new || "(empty)"}</pre>
              </div>
            </div>
          </div>
        ))}
      </div>
    </details>
  );
}
