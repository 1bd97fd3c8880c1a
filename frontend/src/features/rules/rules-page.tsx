import { MultiSelect, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { CsvDownload } from "@/entities/person/csv-download";
import { kindLabel } from "@/entities/rule/labels";
import { useRules } from "@/entities/rule/queries";
import { RulesNav } from "@/entities/rule/rules-nav";
import type { PackRow, RuleRow } from "@/entities/rule/types";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { capital } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { COUNTS, sorted } from "./labels";
import styles from "./rules.module.css";
import { type RulesSearch, rulesSearch } from "./search";

const KINDS = ["recommended", "guard_rail", "consistency", "capability", "proof", "informational", "advisory", "attestation"];
const SORTS = [
  { value: "failing", label: "Most failures" },
  { value: "weight", label: "Highest weight" },
  { value: "title", label: "Title" },
] as const;

export function RulesPage({ search, setSearch }: { search: RulesSearch; setSearch: PatchSearch<RulesSearch> }) {
  const { sort = "failing", ...filters } = rulesSearch.parse(search);
  const rules = useRules(filters);
  return (
    <>
      <RulesNav />
      <div className="page-head">
        <h1>{rules.data ? plural(rules.data.items.length, "rule") : "Rules"}</h1>
        <div className="end">
          <CsvDownload table="rules.csv" about="these rules" filters={filters} />
        </div>
      </div>
      <div className={styles.filters}>
        <SearchField value={search.q ?? ""} set={(q) => setSearch({ q: q || undefined }, true)} />
        <MultiSelect
          label="Pack"
          size="xs"
          miw={200}
          clearable
          clearButtonProps={{ "aria-label": "All packs" }}
          placeholder={search.pack?.length ? "" : "Any"}
          data={(rules.data?.packs ?? []).map((pack) => ({ value: pack.pack, label: pack.pack }))}
          value={search.pack ?? []}
          onChange={(pack) => setSearch({ pack: pack.length > 0 ? pack : undefined })}
        />
        <MultiSelect
          label="Kind"
          size="xs"
          miw={170}
          clearable
          clearButtonProps={{ "aria-label": "All kinds" }}
          placeholder={search.kind?.length ? "" : "Any"}
          data={KINDS.map((kind) => ({ value: kind, label: capital(kindLabel(kind)) }))}
          value={search.kind ?? []}
          onChange={(kind) => setSearch({ kind: kind.length > 0 ? kind : undefined })}
        />
        <MultiSelect
          label="Status"
          size="xs"
          miw={170}
          clearable
          clearButtonProps={{ "aria-label": "Any status" }}
          placeholder={search.outcome?.length ? "" : "Any status"}
          data={COUNTS.map((one) => ({ value: one.filter, label: one.label }))}
          value={search.outcome ?? []}
          onChange={(outcome) => setSearch({ outcome: outcome.length > 0 ? outcome : undefined })}
        />
        <Select
          label="Sort by"
          size="xs"
          w={200}
          data={[...SORTS]}
          value={sort}
          onChange={(chosen) => setSearch({ sort: SORTS.find((one) => one.value === chosen)?.value })}
        />
      </div>
      <QueryPanel
        query={rules}
        height={520}
        lines={14}
        isEmpty={(data) => data.items.length === 0}
        empty={<Empty title="No matching rules">Remove a filter or change the search.</Empty>}
      >
        {(data) => (
          <>
            <RuleTable rules={sorted(data.items, sort)} />
            <Packs packs={data.packs} />
          </>
        )}
      </QueryPanel>
    </>
  );
}

const RULES: Column<RuleRow>[] = [
  {
    head: "Rule",
    className: (rule) => (rule.also.length > 0 ? styles.together : undefined),
    cell: (rule) => (
      <>
        <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
          {rule.title}
        </Link>
        <div className="dim small">
          {rule.pack}
          {rule.also.map((other) => (
            <span key={other.rule_no}>
              {" + "}
              <Link to="/rules/$pack/$rule" params={{ pack: other.pack, rule: other.rule }} className="link">
                {other.pack}
              </Link>
            </span>
          ))}
          {rule.also.length > 0 ? ", counted once" : ""}
          {rule.state === "active" ? "" : `, ${rule.state}`}
        </div>
      </>
    ),
  },
  { head: "Kind", className: "dim", cell: (rule) => capital(kindLabel(rule.kind)) },
  { head: "Weight", isNumber: true, cell: (rule) => (rule.weight > 0 ? rule.weight.toFixed(1) : "–") },
  { head: "Impact", className: "dim", cell: (rule) => rule.effect || "Plumbline's recommendation" },
  {
    head: "Hosts failing",
    isNumber: true,
    className: "nowrap",
    cell: (rule) =>
      (rule.hosts.fail ?? 0) > 0 ? (
        <Failing rule={rule} />
      ) : (rule.hosts.advice ?? 0) > 0 ? (
        <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} search={{ outcome: ["advice"] }} className="link">
          <StatusLabel status="advice">{count(rule.hosts.advice)} advisory</StatusLabel>
        </Link>
      ) : (
        "0"
      ),
  },
  { head: "Unknown", isNumber: true, cell: (rule) => count(rule.hosts.unknown) },
  { head: "Pass", isNumber: true, cell: (rule) => count(rule.hosts.pass) },
  { head: "N/A", isNumber: true, className: "dim", cell: (rule) => count(rule.hosts.not_applicable) },
];

function RuleTable({ rules }: { rules: RuleRow[] }) {
  return <DataTable columns={RULES} rows={rules} rowKey={(rule) => `${rule.pack}/${rule.rule}`} isHeadSticky />;
}

/** Leads to what the figure counts: the rule's own hosts or, where several rules require the same, the hosts that fail any of them. */
function Failing({ rule }: { rule: RuleRow }) {
  const shown = <StatusLabel status="fail">{count(rule.hosts.fail)}</StatusLabel>;
  if (rule.also.length > 0)
    return (
      <Link to="/hosts" search={{ rule: [rule, ...rule.also].map((one) => `${one.pack}/${one.rule}`) }} className="link">
        {shown}
      </Link>
    );
  return (
    <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} search={{ outcome: ["fail"] }} className="link">
      {shown}
    </Link>
  );
}

const PACKS: Column<PackRow>[] = [
  { head: "Pack", className: "mono nowrap", cell: (pack) => pack.pack },
  { head: "Title", cell: (pack) => pack.title },
  { head: "Version", className: "mono", cell: (pack) => pack.version },
  {
    head: "Rules",
    isNumber: true,
    cell: (pack) => (
      <Link to="/rules" search={{ pack: [pack.pack] }} className="link">
        {count(pack.rules)}
      </Link>
    ),
  },
  { head: "Papers", className: "dim", cell: (pack) => pack.papers.join(", ") },
  { head: "Published", className: "dim nowrap", cell: (pack) => <TimeAgo at={pack.published_at} form="moment" /> },
];

function Packs({ packs }: { packs: PackRow[] }) {
  return (
    <section className="section" aria-label="Packs">
      <h2>
        Packs <span className="dim">active</span>
      </h2>
      <DataTable columns={PACKS} rows={packs} rowKey={(pack) => pack.pack} />
    </section>
  );
}

function SearchField({ value, set }: { value: string; set: (words: string) => void }) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(set, 200);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      label="Search rules"
      size="xs"
      style={{ flex: "1 1 200px" }}
      maw={320}
      placeholder="flow control, delayed ack"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
    />
  );
}
