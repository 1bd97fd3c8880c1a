import type { RuleDetail } from "@/entities/rule/types";
import { count, NO_DATA } from "@/shared/lib/format";
import { CopyButton } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { type Status, StatusLabel } from "@/shared/ui/status";
import styles from "./rules.module.css";

/** What is expected: in words, and as the rule's author wrote it. */
export function Expression({ rule }: { rule: RuleDetail }) {
  return (
    <section className="section" aria-label="Expression">
      <h2>
        Expression <span className="dim">{rule.expect_words}</span> <CopyButton text={rule.yaml} label="rule as YAML" />
      </h2>
      <pre className="code">{rule.yaml}</pre>
    </section>
  );
}

const STATUS: Record<string, Status> = { pass: "pass", fail: "fail", not_applicable: "not_applicable" };

/** The small hosts that the rule is tried on before it is published, with what it must say of each. */
export function Cases({ cases }: { cases: RuleDetail["cases"] }) {
  return (
    <section className="section" aria-label="Test cases">
      <h2>
        Test cases <span className="dim">{count(cases.length)}, tried before the pack is published</span>
      </h2>
      {cases.length === 0 ? (
        <p className="dim">No case stands here: the cases of a site's own pack stay with its files.</p>
      ) : (
        <ul className={styles.plain}>
          {cases.map((one) => (
            <li key={`${one.name}.${one.expected}`}>
              <details>
                <summary className={styles.case}>
                  <StatusLabel status={STATUS[one.expected] ?? "unknown"}>{one.expected.replace("_", " ")}</StatusLabel>{" "}
                  <span>{one.name.replaceAll(".", ", ")}</span> <span className="dim">{one.about}</span>
                </summary>
                <pre className="code">{one.holds}</pre>
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const COVERED: Column<RuleDetail["covers"][number]>[] = [
  { head: "id", className: "mono nowrap", cell: (line) => line.id },
  { head: "place", cell: (line) => line.at || NO_DATA },
  { head: "says", cell: (line) => line.says || NO_DATA },
];

/** What the papers say that this rule answers for. */
export function Covers({ lines }: { lines: RuleDetail["covers"] }) {
  return (
    <section className="section" aria-label="What it covers">
      <h2>
        What it covers <span className="dim">rows, findings and traps of the papers</span>
      </h2>
      {lines.length === 0 ? (
        <p className="dim">No line of a paper; it is our own.</p>
      ) : (
        <DataTable columns={COVERED} rows={lines} rowKey={(line) => line.id} />
      )}
    </section>
  );
}
