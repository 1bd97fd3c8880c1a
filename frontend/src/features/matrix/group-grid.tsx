import { Link } from "@tanstack/react-router";
import { NO_DATA, plural, score } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import styles from "./matrix.module.css";
import { RuleHeads } from "./rule-heads";
import type { MatrixSearch } from "./search";
import type { Matrix } from "./types";

type Cell = NonNullable<Matrix["groups"][number]["cells"][number]>;

/** Clusters or groups x rules: how many hosts fail of those that the rule applies to. */
export function GroupGrid({ matrix, by, search }: { matrix: Matrix; by: "cluster" | "group"; search: MatrixSearch }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable without a mouse
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would say that this is a form
    <div className={styles.frame} role="group" aria-label="Matrix, scrolls" tabIndex={0}>
      <table className={styles.table}>
        <caption className="hidden-visually">Hosts failing each rule, by {by}</caption>
        <RuleHeads rules={matrix.rules} corner={`${by === "cluster" ? "Cluster" : "Group"}, hosts, average score`} />
        <tbody>
          {matrix.groups.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                {by === "cluster" && row.key === "" ? (
                  <span>{row.label}</span>
                ) : (
                  <Link
                    to="/matrix"
                    search={{
                      ...search,
                      hosts: undefined,
                      ...(by === "cluster" ? { cluster: row.key } : { group: Number(row.key), by: undefined }),
                    }}
                    className="link"
                  >
                    {visible(row.label)}
                  </Link>
                )}{" "}
                <span className="dim">
                  {plural(row.hosts, "host")}, {score(row.score_mean)}
                </span>
              </th>
              {matrix.rules.map((rule, column) => (
                <td key={`${rule.pack}/${rule.rule}`}>
                  <Sum cell={row.cells[column] ?? null} label={`${row.label}, ${rule.title}`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Sum({ cell, label }: { cell: Cell | null; label: string }) {
  if (cell === null) return <span className={styles.nothing} />;
  const { fail = 0, unknown = 0, waived = 0, excluded = 0, advice = 0, pass = 0 } = cell;
  const of = fail + unknown + waived + excluded + advice + pass;
  const level = fail === 0 ? 0 : fail * 2 >= of ? 2 : 1;
  return (
    <span className={styles.sum} data-level={level} title={`${label}: ${fail} fail, ${unknown} unknown, ${waived} waived, ${pass} pass`}>
      {of === 0 ? NO_DATA : fail}
      <span className="hidden-visually"> of {of} failing</span>
    </span>
  );
}
