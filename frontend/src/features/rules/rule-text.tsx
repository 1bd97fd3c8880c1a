import type { RuleDetail } from "@/entities/rule/types";
import { count, NO_DATA } from "@/shared/lib/format";
import { CopyButton } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { type Status, StatusLabel, statusText } from "@/shared/ui/status";
import styles from "./rules.module.css";

/** What is expected: in words, and as the rule's author wrote it. */
export function Expression({ rule }: { rule: RuleDetail }) {
  return (
    <section className="section" aria-label="Condition">
      <h2>
        Condition <span className="dim">{rule.expect_words}</span> <CopyButton text={rule.yaml} label="rule as YAML" />
      </h2>
      <pre className="code">{rule.yaml}</pre>
    </section>
  );
}

const STATUS: Record<string, Status> = { pass: "pass", fail: "fail", not_applicable: "not_applicable" };

/** The small hosts that the rule is run on before it is published, with the expected result of each. */
export function Cases({ cases }: { cases: RuleDetail["cases"] }) {
  return (
    <section className="section" aria-label="Test cases">
      <h2>
        Test cases <span className="dim">{count(cases.length)}, run before the pack is published</span>
      </h2>
      {cases.length === 0 ? (
        <p className="dim">No test cases stored. Test cases of site packs stay with their files.</p>
      ) : (
        <ul className={styles.plain}>
          {cases.map((one) => (
            <li key={`${one.name}.${one.expected}`}>
              <details>
                <summary className={styles.case}>
                  <StatusLabel status={STATUS[one.expected] ?? "unknown"}>{statusText(STATUS[one.expected] ?? "unknown")}</StatusLabel>{" "}
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
  { head: "ID", className: "mono nowrap", cell: (line) => line.id },
  { head: "Location", cell: (line) => line.at || NO_DATA },
  { head: "Text", cell: (line) => line.says || NO_DATA },
];

/** The lines of the papers that this rule covers. */
export function Covers({ lines }: { lines: RuleDetail["covers"] }) {
  return (
    <section className="section" aria-label="Paper references">
      <h2>
        Paper references <span className="dim">lines of the papers this rule covers</span>
      </h2>
      {lines.length === 0 ? (
        <p className="dim">None. This is Plumbline's own rule.</p>
      ) : (
        <DataTable columns={COVERED} rows={lines} rowKey={(line) => line.id} />
      )}
    </section>
  );
}
