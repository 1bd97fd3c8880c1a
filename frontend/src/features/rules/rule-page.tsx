import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { citationText, effectSizeLabel, kindLabel } from "@/entities/rule/labels";
import type { Evidence, RuleDetail } from "@/entities/rule/types";
import { query } from "@/shared/api/client";
import { count, NO_DATA, signed } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { capital } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { isMissing, NotFound } from "@/shared/ui/not-found";
import { QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { Verbatim } from "@/shared/ui/verbatim";
import { COUNTS, plain, platformLabel } from "./labels";
import { RuleEffect } from "./rule-effect";
import { RuleHistory, VersionLines } from "./rule-history";
import { RuleHosts } from "./rule-hosts";
import { RuleRemediations } from "./rule-remediations";
import { Cases, Covers, Expression } from "./rule-text";
import styles from "./rules.module.css";
import type { RuleSearch } from "./search";

interface RulePageProps {
  pack: string;
  rule: string;
  search: RuleSearch;
  setSearch: PatchSearch<RuleSearch>;
  canPlan: boolean;
}

export function RulePage({ pack, rule, search, setSearch, canPlan }: RulePageProps) {
  const detail = query.useQuery("get", "/api/v1/rules/{pack}/{rule}", { params: { path: { pack, rule } } });
  if (isMissing(detail)) {
    return (
      <NotFound what="rule" title="Rule not found in any active pack" to="/rules">
        It may have been retired, or its pack is no longer active.
      </NotFound>
    );
  }
  return (
    <QueryPanel query={detail} height={560} lines={16}>
      {(data) => (
        <>
          <div className="page-head">
            <h1>{data.title}</h1>
            <span className="dim">
              {capital(kindLabel(data.kind))}, {data.state}
            </span>
            <span className="dim mono">
              {data.pack}/{data.rule}
              <CopyButton text={`${data.pack}/${data.rule}`} label="rule ID" />
            </span>
          </div>
          <div className={styles.two}>
            <div>
              <p className={styles.ask}>{data.summary || data.expect_words}</p>
              {data.why ? (
                <p className="dim" style={{ marginTop: 6, maxWidth: "80ch" }}>
                  {data.why}
                </p>
              ) : null}
              <Where rule={data} />
              <EvidenceTable evidence={data.evidence} beds={data.beds} />
              <RuleHosts
                pack={pack}
                rule={rule}
                counts={data.hosts}
                search={search}
                setSearch={setSearch}
                planned={canPlan && data.fix.length > 0 ? data.title : undefined}
              />
              <RuleRemediations pack={pack} rule={rule} />
              <RuleEffect pack={pack} rule={rule} />
              <Expression rule={data} />
              <Cases cases={data.cases} />
              <Covers lines={data.covers} />
              <RuleHistory versions={data.versions} />
            </div>
            <Facts rule={data} />
          </div>
        </>
      )}
    </QueryPanel>
  );
}

const CLAUSES: Column<RuleDetail["applies_to"][number]>[] = [
  { head: "Condition", cell: (clause) => clause.words },
  { head: "Otherwise not applicable because", className: "dim", cell: (clause) => clause.else || NO_DATA },
];

function Where({ rule }: { rule: RuleDetail }) {
  return (
    <section className="section" aria-label="Applies to">
      <h2>Applies to</h2>
      {rule.applies_to.length === 0 ? (
        <p className="dim">All hosts.</p>
      ) : (
        <DataTable columns={CLAUSES} rows={rule.applies_to} rowKey={(clause) => clause.words} />
      )}
    </section>
  );
}

/** The figure of one piece of evidence: a change in per cent, or before and after. */
function figure(one: Evidence): string {
  if (one.percent !== null) return `${signed(one.percent)}%`;
  if (one.from !== null && one.to !== null) return `${one.from} → ${one.to}`;
  return NO_DATA;
}

const EVIDENCE: Column<Evidence>[] = [
  {
    head: "Paper and section",
    className: styles.paper,
    cell: (one) => (
      <>
        {one.paper} {one.edition}
        {one.at ? <div className="dim small">{citationText(one.at)}</div> : null}
      </>
    ),
  },
  {
    head: "Statement",
    className: styles.says,
    cell: (one) => (
      <>
        {plain(one.says) || NO_DATA}
        {one.note ? <div className="dim small">{one.note}</div> : null}
      </>
    ),
  },
  { head: "Workload", className: "dim", cell: (one) => [one.workload, one.condition].filter(Boolean).map(plain).join("; ") || NO_DATA },
  { head: "Metric", className: "dim", cell: (one) => plain(one.metric) || NO_DATA },
  { head: "Value", isNumber: true, className: "nowrap", cell: (one) => figure(one) },
  { head: "Strength", cell: (one) => (one.strength === "chart" ? "chart only, no value published" : plain(one.strength) || NO_DATA) },
  { head: "Effect", className: "dim", cell: (one) => effectSizeLabel(one.band) || NO_DATA },
];

function EvidenceTable({ evidence, beds }: { evidence: Evidence[]; beds: RuleDetail["beds"] }) {
  return (
    <section className="section" aria-label="Evidence">
      <h2>
        Evidence <span className="dim">from vendor papers</span>
      </h2>
      {evidence.length === 0 ? (
        <p className="dim">No published evidence. This is Plumbline's recommendation, with a correspondingly low weight.</p>
      ) : (
        <DataTable columns={EVIDENCE} rows={evidence} rowKey={(one) => JSON.stringify(one)} />
      )}
      {beds.map((bed) => (
        <p key={`${bed.edition}${bed.words}`} className="dim small" style={{ marginTop: 8, maxWidth: "100ch" }}>
          {bed.paper} ({bed.edition}), test system: {bed.words}
        </p>
      ))}
    </section>
  );
}

function Facts({ rule }: { rule: RuleDetail }) {
  const parts = rule.weight;
  return (
    <aside className={styles.side} aria-label="About this rule">
      <section>
        <h2>Hosts by status</h2>
        <div className={styles.counts}>
          {COUNTS.filter((one) => (rule.hosts[one.key] ?? 0) > 0).map((one) => (
            <Link
              key={one.key}
              to="/rules/$pack/$rule"
              params={{ pack: rule.pack, rule: rule.rule }}
              search={{ outcome: [one.filter] }}
              className="link"
            >
              <StatusLabel status={one.status}>
                {count(rule.hosts[one.key])} {one.label}
              </StatusLabel>
            </Link>
          ))}
        </div>
      </section>
      <section>
        <h2>Weight</h2>
        {parts.w > 0 ? (
          <>
            <div className={styles.chain}>
              <span className="strong">{parts.w.toFixed(1)}</span>
              <span className="dim">
                {parts.band
                  ? `= ${parts.band_points.toFixed(1)} effect (${effectSizeLabel(parts.band)}) × ${parts.strength_factor.toFixed(1)} strength (${plain(parts.strength)}) × ${parts.fit.toFixed(1)} similarity`
                  : "default for rules without evidence"}
              </span>
            </div>
            <p className="dim small">
              {parts.band ? "Based on the strongest evidence. " : ""}Similarity is 1 for the same adapter family and OS release as the test
              system, 0.8 for the same family, otherwise 0.5. Shown here with 1; each host's value is in its score breakdown.
            </p>
          </>
        ) : (
          <p className="dim">Not scored: for information only.</p>
        )}
      </section>
      <section>
        <h2>Fix</h2>
        <dl className={styles.facts}>
          <dt>Disruption</dt>
          <dd>{rule.impact_words || plain(rule.impact) || NO_DATA}</dd>
          {rule.fix.map((line) => (
            <Line key={line.setting} name="Sets">
              {line.label || line.setting} <Verbatim of={line.to} />
            </Line>
          ))}
          {rule.manual.map((line) => (
            <Line key={line} name="Manual step">
              {line}
            </Line>
          ))}
          {rule.manual_because ? <Line name="Not automated">{rule.manual_because}</Line> : null}
        </dl>
      </section>
      <section>
        <h2>Data sources</h2>
        <ul className={styles.plain}>
          {rule.settings.map((setting) => (
            <li key={setting.key}>
              <span className="strong" title={setting.meaning}>
                {setting.label}
              </span>{" "}
              <span className="mono dim">{setting.key}</span>
              {setting.sources.map((source) => (
                <div
                  key={`${source.platform} ${source.section} ${source.command} ${source.field} ${source.versions}`}
                  className="dim small"
                >
                  {platformLabel(source.platform)}, section {source.section}: <span className="mono">{source.command}</span>{" "}
                  {source.field ? <span className="mono">{source.field}</span> : null}
                  {source.versions ? ` (${source.versions})` : ""}
                </div>
              ))}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>Rule</h2>
        <dl className={styles.facts}>
          <dt>Platforms</dt>
          <dd>{rule.platforms.map(platformLabel).join(", ") || NO_DATA}</dd>
          <dt>Status</dt>
          <dd>{rule.state === "retired" ? "Retired: no longer evaluated" : "Active"}</dd>
          <dt>Also required by</dt>
          <dd>
            {rule.same_as.length === 0
              ? "No other pack"
              : rule.same_as.map((name) => {
                  const [pack, ...rest] = name.split("/");
                  return rest.length > 0 ? (
                    <Link key={name} to="/rules/$pack/$rule" params={{ pack: pack ?? "", rule: rest.join("/") }} className="link">
                      {name}{" "}
                    </Link>
                  ) : (
                    `${name} `
                  );
                })}
          </dd>
          <dt>Pack versions</dt>
          <dd>
            <VersionLines versions={rule.versions} />
          </dd>
        </dl>
      </section>
    </aside>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
