import { SegmentedControl } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { CsvDownload } from "@/entities/person/csv-download";
import { effectSizeLabel, kindLabel } from "@/entities/rule/labels";
import { count, NO_DATA, percent, plural, score as points } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { QueryPanel } from "@/shared/ui/query-panel";
import styles from "./host.module.css";
import { useScore } from "./queries";
import type { HostScore } from "./types";

const one = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

type By = "evidence" | "count";
type Rule = HostScore["rules"][number];

interface ScoreApartProps {
  hostId: string;
  by: By;
  setBy: (by: By) => void;
}

/** The score taken apart: what each rule could bring and what it lost, down to the parts of its weight. */
export function ScoreApart({ hostId, by, setBy }: ScoreApartProps) {
  const score = useScore(hostId, true);
  const isCount = by === "count";
  return (
    <section className={styles.apart} aria-label="Score breakdown">
      <div className="row" style={{ marginBottom: 10 }}>
        <SegmentedControl
          size="xs"
          aria-label="Weighting"
          data={[
            { value: "evidence", label: "Weighted by evidence" },
            { value: "count", label: "Equal weight" },
          ]}
          value={by}
          onChange={(chosen) => setBy(chosen === "count" ? "count" : "evidence")}
        />
        <span className="dim small">
          {isCount
            ? "For comparison only: every rule weighted equally, caps ignored."
            : "Weight = effect × evidence strength × similarity of the test system to this host. Rules without evidence weigh 1."}
        </span>
        <span style={{ marginLeft: "auto" }}>
          <CsvDownload table={`hosts/${hostId}/score.csv`} about="this score" />
        </span>
      </div>
      <QueryPanel query={score} height={260} lines={8}>
        {(data) => (
          <>
            <Figures data={data} isCount={isCount} />
            <Rules data={data} isCount={isCount} hostId={hostId} />
          </>
        )}
      </QueryPanel>
    </section>
  );
}

function Figures({ data, isCount }: { data: HostScore; isCount: boolean }) {
  return (
    <dl className={styles.kv} style={{ marginBottom: 12 }}>
      <div>
        <dt>{isCount ? "Equal-weight score" : "Score (weighted)"}</dt>
        <dd className="strong">{points(isCount ? data.count_based : data.score)}</dd>
      </div>
      <div>
        <dt>{isCount ? "Score (weighted)" : "Equal-weight score"}</dt>
        <dd>{points(isCount ? data.score : data.count_based)}</dd>
      </div>
      <div>
        <dt>Without waivers</dt>
        <dd>{points(data.without_waivers)}</dd>
      </div>
      <div>
        <dt>Coverage</dt>
        <dd>{percent(data.rule_coverage)}</dd>
      </div>
      {data.caps.map((cap) => (
        <div key={cap.because}>
          <dt>{data.uncapped !== null && data.uncapped <= cap.limit ? `Also capped at ${cap.limit} by` : `Capped at ${cap.limit} by`}</dt>
          <dd>{visible(cap.because)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Columns of the parts of a weight: left out where every rule counts the same. */
const WEIGHT = ["Effect", "× Strength", "× Similarity", "= Weight"];

interface RuleColumns {
  isCount: boolean;
  hostId: string;
  isHeld: boolean;
  lostOf: (rule: Rule) => number;
}

const ruleColumns = ({ isCount, hostId, isHeld, lostOf }: RuleColumns): Column<Rule>[] => [
  { head: "Rule", cell: (rule) => <RuleName rule={rule} isCount={isCount} isHeld={isHeld} /> },
  { head: "Kind", className: "dim", cell: (rule) => kindLabel(rule.kind) },
  { head: "Effect", isNumber: true, cell: (rule) => <Part figure={rule.band_points} label={effectSizeLabel(rule.band)} /> },
  {
    head: "× Strength",
    isNumber: true,
    cell: (rule) => <Part figure={rule.strength_factor} label={rule.strength.replaceAll("_", " ")} />,
  },
  { head: "× Similarity", isNumber: true, cell: (rule) => one.format(rule.fit) },
  { head: "= Weight", isNumber: true, className: "strong", cell: (rule) => two.format(rule.weight) },
  {
    head: "Passing",
    isNumber: true,
    className: "nowrap",
    cell: (rule) => (
      <>
        <Link
          to="/hosts/$hostId"
          params={{ hostId }}
          search={{ apart: "yes", finding: `${rule.pack}/${rule.rule}` }}
          className="link"
          aria-label={`${rule.title}: ${rule.passing} of ${rule.judged} passing: show findings`}
        >
          {count(rule.passing)} of {count(rule.judged)}
        </Link>
        <Uncounted rule={rule} />
      </>
    ),
  },
  {
    head: "Max points",
    isNumber: true,
    cell: (rule) => (rule.judged > 0 ? two.format(isCount ? rule.counted_possible : rule.points_possible) : NO_DATA),
  },
  { head: "Points lost", isNumber: true, className: "strong", cell: (rule) => (lostOf(rule) > 0 ? `−${two.format(lostOf(rule))}` : "0") },
];

function RuleName({ rule, isCount, isHeld }: { rule: Rule; isCount: boolean; isHeld: boolean }) {
  return (
    <>
      <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
        {rule.title}
      </Link>
      {rule.has_capped ? <span className="dim">{isHeld ? " (caps the score at 59)" : " (would cap the score at 59)"}</span> : null}
      {rule.source && !isCount ? <div className="dim small">{rule.source}</div> : null}
      {rule.also_asked_by.length > 0 ? (
        <div className="dim small">also required by {rule.also_asked_by.join(", ")}; counted once</div>
      ) : null}
    </>
  );
}

function Rules({ data, isCount, hostId }: { data: HostScore; isCount: boolean; hostId: string }) {
  const lostOf = (rule: Rule) => (isCount ? rule.counted_lost : rule.points_lost);
  const rows = [...data.rules].sort((a, b) => lostOf(b) - lostOf(a) || b.points_possible - a.points_possible);
  const lost = rows.reduce((sum, rule) => sum + lostOf(rule), 0);
  const whole = isCount ? data.count_based : data.uncapped;
  const columns = isCount ? 4 : 8;
  const judged = rows.filter((rule) => rule.judged > 0);
  return (
    <>
      <DataTable
        columns={ruleColumns({ isCount, hostId, isHeld: isHeld(data), lostOf })}
        hidden={isCount ? WEIGHT : []}
        rows={rows}
        rowKey={(rule) => `${rule.pack}/${rule.rule}`}
        foot={
          <>
            <Sum label="100 minus points lost" value={two.format(100 - lost)} columns={columns} />
            <Sum label="Rounded down" value={points(whole)} columns={columns} />
            {!isCount && isHeld(data) ? (
              <Sum label={`Capped at ${data.caps[0]?.limit}`} value={points(data.score)} columns={columns} />
            ) : null}
          </>
        }
      />
      <p className="dim small" style={{ marginTop: 6 }}>
        {isCount
          ? `Max points per rule = 100 / ${judged.length} (${plural(judged.length, "evaluated rule")})`
          : `Max points per rule = 100 × weight / ${two.format(judged.reduce((sum, rule) => sum + rule.weight, 0))} (total weight of ${plural(judged.length, "evaluated rule")})`}
        . A rule loses points in proportion to its failing items. Rounded to two decimals.
      </p>
    </>
  );
}

/** One factor of the weight, with its label. */
function Part({ figure, label }: { figure: number; label: string }) {
  return (
    <>
      {one.format(figure)}
      <div className="dim small">{label || "No evidence"}</div>
    </>
  );
}

/** What does not count, next to the subjects evaluated. */
const uncounted = (rule: Rule): string[] =>
  [
    rule.waived > 0 ? `${rule.waived} waived` : "",
    rule.excluded > 0 ? `${rule.excluded} excluded` : "",
    rule.unknown > 0 ? `${rule.unknown} unknown` : "",
  ].filter(Boolean);

function Uncounted({ rule }: { rule: Rule }) {
  const words = uncounted(rule);
  return words.length > 0 ? <div className="dim small">{words.join(", ")}</div> : null;
}

/** Whether a cap takes something: it does not where the parts make less than it allows. */
const isHeld = (data: HostScore): boolean => data.caps.some((cap) => data.uncapped !== null && data.uncapped > cap.limit);

function Sum({ label, value, columns }: { label: string; value: string; columns: number }) {
  return (
    <tr>
      <th scope="row" colSpan={columns}>
        {label}
      </th>
      <td className="num strong">{value}</td>
    </tr>
  );
}
