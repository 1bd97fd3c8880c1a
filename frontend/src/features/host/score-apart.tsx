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
    <section className={styles.apart} aria-label="The score taken apart">
      <div className="row" style={{ marginBottom: 10 }}>
        <SegmentedControl
          size="xs"
          aria-label="How rules count"
          data={[
            { value: "evidence", label: "Weigh by evidence" },
            { value: "count", label: "Count rules" },
          ]}
          value={by}
          onChange={(chosen) => setBy(chosen === "count" ? "count" : "evidence")}
        />
        <span className="dim small">
          {isCount
            ? "Not the score: what it would be if every rule counted the same, without caps."
            : "Weight = effect × strength of the evidence × likeness of the test bed to this host; 1 without evidence."}
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
        <dt>{isCount ? "if every rule counted the same" : "score"}</dt>
        <dd className="strong">{points(isCount ? data.count_based : data.score)}</dd>
      </div>
      <div>
        <dt>{isCount ? "score, weighed by evidence" : "if every rule counted the same"}</dt>
        <dd>{points(isCount ? data.score : data.count_based)}</dd>
      </div>
      <div>
        <dt>without waivers</dt>
        <dd>{points(data.without_waivers)}</dd>
      </div>
      <div>
        <dt>rule coverage</dt>
        <dd>{percent(data.rule_coverage)}</dd>
      </div>
      {data.caps.map((cap) => (
        <div key={cap.because}>
          <dt>
            {data.uncapped !== null && data.uncapped <= cap.limit ? `could not pass ${cap.limit} either, by` : `held at ${cap.limit} by`}
          </dt>
          <dd>{visible(cap.because)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Columns of the parts of a weight: left out where every rule counts the same. */
const WEIGHT = ["effect", "× strength", "× likeness", "= weight"];

interface RuleColumns {
  isCount: boolean;
  hostId: string;
  isHeld: boolean;
  lostOf: (rule: Rule) => number;
}

const ruleColumns = ({ isCount, hostId, isHeld, lostOf }: RuleColumns): Column<Rule>[] => [
  { head: "rule", cell: (rule) => <RuleName rule={rule} isCount={isCount} isHeld={isHeld} /> },
  { head: "kind", className: "dim", cell: (rule) => kindLabel(rule.kind) },
  { head: "effect", isNumber: true, cell: (rule) => <Part figure={rule.band_points} label={effectSizeLabel(rule.band)} /> },
  {
    head: "× strength",
    isNumber: true,
    cell: (rule) => <Part figure={rule.strength_factor} label={rule.strength.replaceAll("_", " ")} />,
  },
  { head: "× likeness", isNumber: true, cell: (rule) => one.format(rule.fit) },
  { head: "= weight", isNumber: true, className: "strong", cell: (rule) => two.format(rule.weight) },
  {
    head: "passing",
    isNumber: true,
    className: "nowrap",
    cell: (rule) => (
      <>
        <Link
          to="/hosts/$hostId"
          params={{ hostId }}
          search={{ apart: "yes", finding: `${rule.pack}/${rule.rule}` }}
          className="link"
          aria-label={`${rule.title}: ${rule.passing} of ${rule.judged} passing; show the findings`}
        >
          {count(rule.passing)} of {count(rule.judged)}
        </Link>
        <Uncounted rule={rule} />
      </>
    ),
  },
  {
    head: "could bring",
    isNumber: true,
    cell: (rule) => (rule.judged > 0 ? two.format(isCount ? rule.counted_possible : rule.points_possible) : NO_DATA),
  },
  { head: "lost", isNumber: true, className: "strong", cell: (rule) => (lostOf(rule) > 0 ? `−${two.format(lostOf(rule))}` : "0") },
];

function RuleName({ rule, isCount, isHeld }: { rule: Rule; isCount: boolean; isHeld: boolean }) {
  return (
    <>
      <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
        {rule.title}
      </Link>
      {rule.has_capped ? <span className="dim">{isHeld ? " (holds the score at 59)" : " (would hold the score at 59)"}</span> : null}
      {rule.source && !isCount ? <div className="dim small">{rule.source}</div> : null}
      {rule.also_asked_by.length > 0 ? <div className="dim small">also asked by {rule.also_asked_by.join(", ")}; counted once</div> : null}
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
            <Sum label="100 less what was lost" value={two.format(100 - lost)} columns={columns} />
            <Sum label="rounded down" value={points(whole)} columns={columns} />
            {!isCount && isHeld(data) ? (
              <Sum label={`held at ${data.caps[0]?.limit}`} value={points(data.score)} columns={columns} />
            ) : null}
          </>
        }
      />
      <p className="dim small" style={{ marginTop: 6 }}>
        {isCount
          ? `A rule could bring 100 / ${judged.length}, for the ${plural(judged.length, "rule")} with something judged`
          : `A rule could bring 100 × its weight / ${two.format(judged.reduce((sum, rule) => sum + rule.weight, 0))}, the weights of the ${plural(judged.length, "rule")} with something judged together`}
        ; it loses the share of its subjects that fail. Figures are rounded to two places.
      </p>
    </>
  );
}

/** One factor of the weight, with its label. */
function Part({ figure, label }: { figure: number; label: string }) {
  return (
    <>
      {one.format(figure)}
      <div className="dim small">{label || "no evidence"}</div>
    </>
  );
}

/** What does not count, next to the subjects evaluated. */
const uncounted = (rule: Rule): string[] =>
  [
    rule.waived > 0 ? `${rule.waived} waived` : "",
    rule.excluded > 0 ? `${rule.excluded} set aside` : "",
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
