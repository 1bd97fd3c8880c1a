import type { RuleDetail } from "@/shared/api/types";
import { count, NO_DATA } from "@/shared/lib/format";
import { CopyAction } from "@/shared/ui/copy-button";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome, type Status } from "@/shared/ui/status";
import styles from "./rules.module.css";

/** What is expected: in words, and as the rule's author wrote it. */
export function Expression({ rule }: { rule: RuleDetail }) {
  return (
    <section className="section" aria-label="Expression">
      <h2>
        Expression <span className="dim">{rule.expect_words}</span> <CopyAction text={rule.yaml} label="rule as YAML" />
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
                  <Outcome status={STATUS[one.expected] ?? "unknown"}>{one.expected.replace("_", " ")}</Outcome>{" "}
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
        <ScrollX>
          <table className="data">
            <thead>
              <tr>
                <th scope="col">id</th>
                <th scope="col">place</th>
                <th scope="col">says</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td className="mono nowrap">{line.id}</td>
                  <td>{line.at || NO_DATA}</td>
                  <td>{line.says || NO_DATA}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
    </section>
  );
}
