import { Link } from "@tanstack/react-router";
import { plural } from "@/shared/lib/format";
import styles from "./matrix.module.css";
import type { Matrix } from "./types";

/** The packs that ask it: rules that ask the same are one column. */
const packsOf = (rule: Matrix["rules"][number]) => [rule, ...rule.also].map((one) => one.pack).join(" + ");

/** The column heads: each rule as a link, written upwards. */
export function RuleHeads({ rules, corner }: { rules: Matrix["rules"]; corner: string }) {
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.corner}>
          <span className="dim">{corner}</span>
        </th>
        {rules.map((rule) => (
          <th key={`${rule.pack}/${rule.rule}`} scope="col">
            <Link
              to="/rules/$pack/$rule"
              params={{ pack: rule.pack, rule: rule.rule }}
              className={styles.slant}
              title={`${rule.title} (${packsOf(rule)}), ${plural(rule.hosts_failing, "host")} failing`}
            >
              <span>
                {rule.title}
                {rule.also.length > 0 ? (
                  <span className="dim">
                    {" "}
                    ({rule.also.length + 1} packs<span className="hidden-visually">: {packsOf(rule)}</span>)
                  </span>
                ) : null}
              </span>
            </Link>
          </th>
        ))}
      </tr>
    </thead>
  );
}
