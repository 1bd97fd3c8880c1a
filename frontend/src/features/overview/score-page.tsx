import { SegmentedControl, Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useGroupChoices } from "@/entities/group/queries";
import { CsvDownload } from "@/entities/person/csv-download";
import { query } from "@/shared/api/client";
import { count, NO_DATA, percent, plural, score as points } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PropertyList } from "@/shared/ui/property-list";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Distribution } from "./breakdown";
import styles from "./overview.module.css";
import type { ScoreSearch } from "./search";
import type { FleetScoreParts } from "./types";

type Rule = FleetScoreParts["rules"][number];

const two = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const one = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

interface ScorePageProps {
  search: ScoreSearch;
  setSearch: PatchSearch<ScoreSearch>;
}

/** The fleet's score taken apart: what each rule, rounding and caps took from a hundred. */
export function ScorePage({ search, setSearch }: ScorePageProps) {
  const apart = query.useQuery("get", "/api/v1/score", { params: { query: { group: search.group } } });
  const groups = useGroupChoices();
  const by = search.by ?? "evidence";
  return (
    <>
      <div className="page-head">
        <h1>Score breakdown</h1>
        <span className="dim small">{apart.data ? <TimeAgo at={apart.data.as_of} form="exact" /> : null}</span>
        <div className="end">
          <SegmentedControl
            size="xs"
            aria-label="Weighting"
            data={[
              { value: "evidence", label: "Weighted by evidence" },
              { value: "count", label: "Equal weight" },
            ]}
            value={by}
            onChange={(chosen) => setSearch({ by: chosen === "count" ? "count" : undefined })}
          />
          <Select
            aria-label="Group"
            size="xs"
            w={180}
            searchable={groups.length > 8}
            data={[{ value: "", label: "All groups" }, ...groups.slice(1)]}
            value={search.group === undefined ? "" : String(search.group)}
            onChange={(chosen) => setSearch({ group: chosen ? Number(chosen) : undefined })}
          />
          <CsvDownload table="score.csv" about="this score" filters={{ group: search.group }} />
        </div>
      </div>
      <QueryPanel
        query={apart}
        height={520}
        lines={14}
        isEmpty={(data) => data.hosts_scored === 0}
        empty={<Empty title="No scored hosts">A host gets a score once at least one rule passes or fails.</Empty>}
      >
        {(data) => <Apart data={data} by={by} group={search.group} />}
      </QueryPanel>
    </>
  );
}

function Apart({ data, by, group }: { data: FleetScoreParts; by: "evidence" | "count"; group: number | undefined }) {
  const within = group === undefined ? {} : { group: [group] };
  const figures = by === "count" ? data.counted : data.weighed;
  const isWeak = data.rule_coverage !== null && data.rule_coverage < 0.8;
  return (
    <>
      <div className={styles.three}>
        <section aria-label="Fleet score">
          <h2>
            Average score <span className="dim">of {plural(data.hosts_scored, "host")}</span>
          </h2>
          <div className={styles.score} data-weak={isWeak || undefined}>
            {points(figures.mean)}
            <small> /100</small>
          </div>
          <div className={styles.lines}>
            <span className="dim">
              Average {figures.mean === null ? NO_DATA : one.format(figures.mean)}, median {points(figures.median)}
              {by === "evidence" && data.without_waivers !== null ? `, without waivers ${one.format(data.without_waivers)}` : ""}
            </span>
            {data.hosts_waived > 0 ? (
              <span className="dim">
                <Link to="/hosts" search={{ ...within, outcome: ["waived"] }} className="link">
                  {plural(data.hosts_waived, "host")} with waivers
                </Link>
              </span>
            ) : null}
            <span className="dim">
              <Link to="/hosts" search={{ ...within, outcome: ["unknown"] }} className="link">
                {percent(data.rule_coverage)} coverage
              </Link>
              ,{" "}
              <Link to="/hosts" search={{ ...within, freshness: ["fresh"] }} className="link">
                {percent(data.hosts_known ? data.hosts_fresh / data.hosts_known : null)} of hosts up to date ({count(data.hosts_fresh)} of{" "}
                {count(data.hosts_known)})
              </Link>
            </span>
            {by === "count" ? <span className="dim">For comparison only: every rule weighted equally, caps ignored.</span> : null}
          </div>
        </section>
        <section aria-label="Lowest 5 hosts">
          <h2>Lowest 5 hosts</h2>
          <PropertyList
            items={figures.worst.map((host) => ({
              key: host.id,
              name: (
                <Link to="/hosts/$hostId" params={{ hostId: host.id }} search={{ apart: "yes" }} className="link">
                  {visible(host.name)}
                </Link>
              ),
              value: <div className="num">{host.score}</div>,
            }))}
          />
        </section>
        <Distribution bands={figures.distribution} group={group} />
      </div>
      <Rules data={data} by={by} within={within} />
    </>
  );
}

interface RuleLoss extends Rule {
  lost: number;
  of: number;
}

const ruleColumns = (within: { group?: number[] }): Column<RuleLoss>[] => [
  {
    head: "Rule",
    cell: (rule) => (
      <>
        <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
          {rule.title}
        </Link>
        {rule.kind === "guard_rail" ? <span className="dim"> (guardrail)</span> : null}
      </>
    ),
  },
  {
    head: "Hosts failing",
    isNumber: true,
    cell: (rule) => (
      <Link
        to="/hosts"
        search={{ ...within, rule: [rule, ...rule.also].map((each) => `${each.pack}/${each.rule}`), outcome: ["fail"] }}
        className="link"
        aria-label={`${plural(rule.hosts_failing, "host")} failing ${rule.title}`}
      >
        {count(rule.hosts_failing)}
      </Link>
    ),
  },
  { head: "Evaluated", isNumber: true, cell: (rule) => count(rule.hosts_judged) },
  { head: "Max points", isNumber: true, cell: (rule) => two.format(rule.of) },
  { head: "Points lost", isNumber: true, className: "strong", cell: (rule) => (rule.lost > 0 ? `−${two.format(rule.lost)}` : "0") },
  {
    head: "Capped hosts",
    className: "dim",
    cell: (rule) => (rule.hosts_capped > 0 ? `${plural(rule.hosts_capped, "host")} capped at 59` : ""),
  },
];

function Rules({ data, by, within }: { data: FleetScoreParts; by: "evidence" | "count"; within: { group?: number[] } }) {
  if (data.rules.length === 0)
    return (
      <Empty title={`Too many hosts for a rule breakdown (limit ${count(data.looked_at)}). Choose a smaller group.`}>
        The figures above cover all hosts.
      </Empty>
    );
  const isCount = by === "count";
  const rows = [...data.rules]
    .map((rule) => ({
      ...rule,
      lost: isCount ? rule.counted_lost : rule.points_lost,
      of: isCount ? rule.counted_possible : rule.points_possible,
    }))
    .sort((a, b) => b.lost - a.lost || b.of - a.of);
  const lost = rows.reduce((sum, rule) => sum + rule.lost, 0);
  return (
    <section className="section" aria-label="Points lost by rule">
      <h2>
        Points lost by rule <span className="dim">out of 100, average of {plural(data.hosts_scored, "host")}</span>
      </h2>
      <DataTable
        columns={ruleColumns(within)}
        rows={rows}
        rowKey={(rule) => `${rule.pack}/${rule.rule}`}
        foot={
          <>
            <Sum label="100 minus points lost" value={100 - lost} />
            {isCount ? (
              <Sum label="Rounding down" value={data.counted.mean} minus={100 - lost - (data.counted.mean ?? 0)} />
            ) : (
              <>
                <Sum label="Rounding down" value={100 - lost - data.lost_to_rounding} minus={data.lost_to_rounding} />
                <Sum label={`Caps, on ${plural(data.hosts_capped, "host")}`} value={data.weighed.mean} minus={data.lost_to_caps} />
              </>
            )}
          </>
        }
      />
    </section>
  );
}

function Sum({ label, value, minus }: { label: string; value: number | null; minus?: number }) {
  return (
    <tr>
      <th scope="row" colSpan={4}>
        {label}
        {minus === undefined ? "" : ` (−${two.format(minus)})`}
      </th>
      <td className="num strong">{value === null ? NO_DATA : two.format(value)}</td>
      <td />
    </tr>
  );
}
