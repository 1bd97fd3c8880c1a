import { Link } from "@tanstack/react-router";
import type { ComparedPair, ComparedRule, PackComparison } from "@/entities/pack/types";
import { query } from "@/shared/api/client";
import { plural } from "@/shared/lib/format";
import { QueryPanel } from "@/shared/ui/query-panel";
import styles from "./packs.module.css";

/** Two packs side by side, such as two editions of one paper: what each asks alone, then what both tell differently. */
export function SideBySide({ pack, other }: { pack: string; other: string }) {
  const comparison = query.useQuery("get", "/api/v1/packs/{pack}/beside/{other}", { params: { path: { pack, other } } });
  return (
    <section className="section" aria-label="Beside another pack">
      <QueryPanel query={comparison} height={320} lines={9}>
        {(data) => (
          <>
            <h2>
              {data.first} {data.first_version} beside {data.second} {data.second_version} <span className="dim">{summary(data)}</span>
            </h2>
            <Alone pack={data.second} rules={data.only_second} />
            <Alone pack={data.first} rules={data.only_first} />
            {data.both.length > 0 ? <h3 style={{ marginTop: 14 }}>Asked by both, told differently</h3> : null}
            {data.both.map((pair) => (
              <Both key={pair.first_rule} pair={pair} data={data} />
            ))}
          </>
        )}
      </QueryPanel>
      <p className="small" style={{ marginTop: 8 }}>
        <Link to="/packs/$pack" params={{ pack }} search={(before) => ({ ...before, beside: undefined })} className="link">
          Close the comparison
        </Link>
      </p>
    </section>
  );
}

function summary({ only_first, only_second, both, alike, first, second }: PackComparison): string {
  const reworded = both.filter((pair) => pair.differences.length > 0).length;
  return [
    `${only_second.length} asked by ${second} alone`,
    `${only_first.length} by ${first} alone`,
    `${plural(reworded, "rule")} of both in other words`,
    `${both.length - reworded} at other places of the papers`,
    `${alike} alike`,
  ].join(", ");
}

function Alone({ pack, rules }: { pack: string; rules: ComparedRule[] }) {
  if (rules.length === 0) return null;
  return (
    <>
      <h3 style={{ marginTop: 14 }}>
        Asked by {pack} alone <span className="dim">{rules.length}</span>
      </h3>
      {rules.map((rule) => (
        <div key={rule.rule} className={styles.card} style={{ padding: "7px 0" }}>
          <Link to="/rules/$pack/$rule" params={{ pack, rule: rule.rule }} className="link strong">
            {rule.title}
          </Link>{" "}
          <span className="dim">{rule.kind.replaceAll("_", " ")}</span>
          <div>asks: {rule.asks}</div>
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
  const places = pair.first_places === pair.second_places ? [] : ["places"];
  return (
    <details className={styles.card} style={{ padding: "7px 0" }}>
      <summary>
        <span className="strong">{pair.title}</span> <span className="dim">{[...new Set([...changedFields, ...places])].join(", ")}</span>
      </summary>
      {pair.differences.map((one) => (
        <Sides key={`${one.name}${one.first}${one.second}`} name={one.name} first={one.first} second={one.second} data={data} />
      ))}
      {places.length > 0 ? <Sides name="where it stands" first={pair.first_places} second={pair.second_places} data={data} /> : null}
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
          <dd>{first || "says nothing of it"}</dd>
        </div>
        <div>
          <dt className="dim small">{data.second}</dt>
          <dd>{second || "says nothing of it"}</dd>
        </div>
      </dl>
    </>
  );
}
