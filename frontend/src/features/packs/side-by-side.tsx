import { Link } from "@tanstack/react-router";
import type { ComparedPair, ComparedRule, PackComparison } from "@/entities/pack/types";
import { kindLabel } from "@/entities/rule/labels";
import { query } from "@/shared/api/client";
import { QueryPanel } from "@/shared/ui/query-panel";
import styles from "./packs.module.css";

/** Two packs side by side, such as two editions of one paper: what only one requires, then what both have with differences. */
export function SideBySide({ pack, other }: { pack: string; other: string }) {
  const comparison = query.useQuery("get", "/api/v1/packs/{pack}/beside/{other}", { params: { path: { pack, other } } });
  return (
    <section className="section" aria-label="Compare packs">
      <QueryPanel query={comparison} height={320} lines={9}>
        {(data) => (
          <>
            <h2>
              {data.first} {data.first_version} compared with {data.second} {data.second_version}{" "}
              <span className="dim">{summary(data)}</span>
            </h2>
            <Alone pack={data.second} rules={data.only_second} />
            <Alone pack={data.first} rules={data.only_first} />
            {data.both.length > 0 ? <h3 style={{ marginTop: 14 }}>In both, with differences</h3> : null}
            {data.both.map((pair) => (
              <Both key={pair.first_rule} pair={pair} data={data} />
            ))}
          </>
        )}
      </QueryPanel>
      <p className="small" style={{ marginTop: 8 }}>
        <Link to="/packs/$pack" params={{ pack }} search={(before) => ({ ...before, beside: undefined })} className="link">
          Close comparison
        </Link>
      </p>
    </section>
  );
}

function summary({ only_first, only_second, both, alike, first, second }: PackComparison): string {
  const reworded = both.filter((pair) => pair.differences.length > 0).length;
  return [
    `${only_second.length} only in ${second}`,
    `${only_first.length} only in ${first}`,
    `${reworded} worded differently`,
    `${both.length - reworded} citing other sections`,
    `${alike} identical`,
  ].join(", ");
}

function Alone({ pack, rules }: { pack: string; rules: ComparedRule[] }) {
  if (rules.length === 0) return null;
  return (
    <>
      <h3 style={{ marginTop: 14 }}>
        Only in {pack} <span className="dim">{rules.length}</span>
      </h3>
      {rules.map((rule) => (
        <div key={rule.rule} className={styles.card} style={{ padding: "7px 0" }}>
          <Link to="/rules/$pack/$rule" params={{ pack, rule: rule.rule }} className="link strong">
            {rule.title}
          </Link>{" "}
          <span className="dim">{kindLabel(rule.kind)}</span>
          <div>Requires: {rule.asks}</div>
          {rule.evidence.map((line) => (
            <div key={line} className="dim small">
              {line}
            </div>
          ))}
        </div>
      ))}
    </>
  );
}

function Both({ pair, data }: { pair: ComparedPair; data: PackComparison }) {
  const changedFields = pair.differences.map(({ name }) => name);
  const places = pair.first_places === pair.second_places ? [] : ["sections"];
  return (
    <details className={styles.card} style={{ padding: "7px 0" }}>
      <summary>
        <span className="strong">{pair.title}</span> <span className="dim">{[...new Set([...changedFields, ...places])].join(", ")}</span>
      </summary>
      {pair.differences.map((one) => (
        <Sides key={`${one.name}${one.first}${one.second}`} name={one.name} first={one.first} second={one.second} data={data} />
      ))}
      {places.length > 0 ? <Sides name="Section" first={pair.first_places} second={pair.second_places} data={data} /> : null}
    </details>
  );
}

function Sides({ name, first, second, data }: { name: string; first: string; second: string; data: PackComparison }) {
  return (
    <>
      <div className="small strong">{name}</div>
      <dl className={styles.compared}>
        <div>
          <dt className="dim small">{data.first}</dt>
          <dd>{first || "Not covered"}</dd>
        </div>
        <div>
          <dt className="dim small">{data.second}</dt>
          <dd>{second || "Not covered"}</dd>
        </div>
      </dl>
    </>
  );
}
