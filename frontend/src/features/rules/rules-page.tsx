import { MultiSelect, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Download } from "@/entities/person/csv-download";
import { RulesNav } from "@/entities/rule/rules-nav";
import { query } from "@/shared/api/client";
import type { PackRow, RuleRow } from "@/shared/api/types";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { COUNTS, kindWord, sorted } from "./labels";
import styles from "./rules.module.css";
import { type RulesSearch, rulesSearch } from "./search";

const KINDS = ["recommended", "guard_rail", "consistency", "capability", "proof", "informational", "advisory", "attestation"];
const SORTS = [
  { value: "failing", label: "Failing most first" },
  { value: "weight", label: "Heaviest first" },
  { value: "title", label: "By title" },
] as const;

export function RulesPage({ search, setSearch }: { search: RulesSearch; setSearch: PatchSearch<RulesSearch> }) {
  const { sort = "failing", ...filters } = rulesSearch.parse(search);
  const rules = query.useQuery("get", "/api/v1/rules", { params: { query: filters as object } }, { placeholderData: keepPreviousData });
  return (
    <>
      <RulesNav />
      <div className="page-head">
        <h1>{rules.data ? plural(rules.data.items.length, "rule") : "Rules"}</h1>
        <div className="end">
          <Download table="rules.csv" about="these rules" filters={filters} />
        </div>
      </div>
      <div className={styles.filters}>
        <Words value={search.q ?? ""} set={(q) => setSearch({ q: q || undefined }, true)} />
        <MultiSelect
          label="Pack"
          size="xs"
          miw={200}
          clearable
          clearButtonProps={{ "aria-label": "All packs" }}
          placeholder={search.pack?.length ? "" : "any"}
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
          placeholder={search.kind?.length ? "" : "any"}
          data={KINDS.map((kind) => ({ value: kind, label: kindWord(kind) }))}
          value={search.kind ?? []}
          onChange={(kind) => setSearch({ kind: kind.length > 0 ? kind : undefined })}
        />
        <MultiSelect
          label="With hosts that"
          size="xs"
          miw={170}
          clearable
          clearButtonProps={{ "aria-label": "Any outcome" }}
          placeholder={search.outcome?.length ? "" : "any outcome"}
          data={COUNTS.map((one) => ({ value: one.filter, label: one.word }))}
          value={search.outcome ?? []}
          onChange={(outcome) => setSearch({ outcome: outcome.length > 0 ? outcome : undefined })}
        />
        <Select
          label="Order"
          size="xs"
          w={200}
          data={[...SORTS]}
          value={sort}
          onChange={(chosen) => setSearch({ sort: SORTS.find((one) => one.value === chosen)?.value })}
        />
      </div>
      <Panel
        query={rules}
        height={520}
        lines={14}
        isEmpty={(data) => data.items.length === 0}
        empty={<Empty title="No rule matches.">Take out a filter, or look for another word of the title.</Empty>}
      >
        {(data) => (
          <>
            <RuleTable rules={sorted(data.items, sort)} />
            <Packs packs={data.packs} />
          </>
        )}
      </Panel>
    </>
  );
}

function RuleTable({ rules }: { rules: RuleRow[] }) {
  return (
    <table className="data">
      <thead>
        <tr>
          <th scope="col">rule</th>
          <th scope="col" className="on-desk">
            kind
          </th>
          <th scope="col" className="num on-desk">
            weight
          </th>
          <th scope="col" className="on-desk">
            when wrong
          </th>
          <th scope="col" className="num">
            hosts failing
          </th>
          <th scope="col" className="num on-desk">
            unknown
          </th>
          <th scope="col" className="num on-desk">
            pass
          </th>
          <th scope="col" className="num on-desk">
            n/a
          </th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <tr key={`${rule.pack}/${rule.rule}`}>
            <td className={rule.also.length > 0 ? styles.together : undefined}>
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
            </td>
            <td className="dim on-desk">{kindWord(rule.kind)}</td>
            <td className="num on-desk">{rule.weight > 0 ? rule.weight.toFixed(1) : "–"}</td>
            <td className="dim on-desk">{rule.effect || "own judgement, no paper"}</td>
            <td className="num nowrap">
              {(rule.hosts.fail ?? 0) > 0 ? (
                <Failing rule={rule} />
              ) : (rule.hosts.advice ?? 0) > 0 ? (
                <Link
                  to="/rules/$pack/$rule"
                  params={{ pack: rule.pack, rule: rule.rule }}
                  search={{ outcome: ["advice"] }}
                  className="link"
                >
                  <Outcome status="advice">{count(rule.hosts.advice)} advice</Outcome>
                </Link>
              ) : (
                "0"
              )}
            </td>
            <td className="num on-desk">{count(rule.hosts.unknown)}</td>
            <td className="num on-desk">{count(rule.hosts.pass)}</td>
            <td className="num dim on-desk">{count(rule.hosts.not_applicable)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Leads to what the figure counts: the rule's own hosts or, where several rules ask the same, the hosts that fail any of them. */
function Failing({ rule }: { rule: RuleRow }) {
  const shown = <Outcome status="fail">{count(rule.hosts.fail)}</Outcome>;
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

function Packs({ packs }: { packs: PackRow[] }) {
  return (
    <section className="section" aria-label="Packs">
      <h2>
        Packs <span className="dim">active</span>
      </h2>
      <ScrollX>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">pack</th>
              <th scope="col">title</th>
              <th scope="col">version</th>
              <th scope="col" className="num">
                rules
              </th>
              <th scope="col">papers</th>
              <th scope="col">published</th>
            </tr>
          </thead>
          <tbody>
            {packs.map((pack) => (
              <tr key={pack.pack}>
                <td className="mono nowrap">{pack.pack}</td>
                <td>{pack.title}</td>
                <td className="mono">{pack.version}</td>
                <td className="num">
                  <Link to="/rules" search={{ pack: [pack.pack] }} className="link">
                    {count(pack.rules)}
                  </Link>
                </td>
                <td className="dim">{pack.papers.join(", ")}</td>
                <td className="dim nowrap">
                  <Instant at={pack.published_at} form="moment" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}

function Words({ value, set }: { value: string; set: (words: string) => void }) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(set, 200);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      label="Search the rules"
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
