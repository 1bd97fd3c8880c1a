import { Chip } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CsvDownload } from "@/entities/person/csv-download";
import { PlanFixButton } from "@/entities/plan/plan-fix-button";
import type { RuleDetail, RuleHost } from "@/entities/rule/types";
import { api } from "@/shared/api/client";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { Verbatim } from "@/shared/ui/verbatim";
import { COUNTS } from "./labels";
import styles from "./rules.module.css";
import type { RuleSearch } from "./search";

/** Whether the reason adds something to the observed and the expected value beside it. */
const says = ({ reason, reason_repeats }: RuleHost): boolean => reason !== "" && !reason_repeats;

interface RuleHostsProps {
  pack: string;
  rule: string;
  counts: RuleDetail["hosts"];
  search: RuleSearch;
  setSearch: PatchSearch<RuleSearch>;
  /** What a plan for this rule is called; absent where none can be made, or this person may not. */
  planned?: string | undefined;
}

/** Hosts that one plan may have. */
const MOST_HOSTS = 500;

const columnsOf = (pack: string, rule: string): Column<RuleHost>[] => [
  {
    head: "Host",
    cell: (row) => (
      <Link
        to="/hosts/$hostId"
        params={{ hostId: row.host_id }}
        search={{ finding: `${pack}/${rule}/${row.subject.id}` }}
        className="link nowrap"
      >
        {visible(row.name)}
      </Link>
    ),
  },
  { head: "Item", className: "dim", cell: (row) => visible(row.subject.label) },
  {
    head: "Status",
    cell: (row) => (
      <>
        <StatusLabel status={row.standing} />
        {says(row) ? <div className="dim small">{visible(row.reason)}</div> : null}
      </>
    ),
  },
  { head: "Observed", cell: (row) => <Verbatim of={row.observed} /> },
  { head: "Expected", cell: (row) => <Verbatim of={row.expected} /> },
  { head: "Score", isNumber: true, cell: (row) => row.score ?? NO_DATA },
];

/** Every item that this rule was evaluated on, with its host. */
export function RuleHosts({ pack, rule, counts, search, setSearch, planned }: RuleHostsProps) {
  const outcome = search.outcome;
  // Unless a person asks, the hosts a rule is not about stay out of the list.
  const judged = COUNTS.filter((one) => one.filter !== "not_applicable" && (counts[one.key] ?? 0) > 0).map((one) => one.filter);
  const wanted = outcome ?? (judged.length > 0 ? judged : undefined);
  const hosts = useInfiniteQuery({
    queryKey: ["get", "/api/v1/rules/{pack}/{rule}/hosts", { pack, rule, wanted }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const response = await api.GET("/api/v1/rules/{pack}/{rule}/hosts", {
        params: { path: { pack, rule }, query: { outcome: wanted as never, after: pageParam } },
        signal,
      });
      if (!response.data) throw new TypeError("the list of hosts had no body");
      return response.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const pages = usePages(hosts);
  const failing = [...new Set(pages.rows.filter((row) => row.standing === "fail").map((row) => row.host_id))].slice(0, MOST_HOSTS);
  return (
    <section className="section" aria-label="Hosts">
      <h2>
        Hosts{" "}
        <span className="dim">
          by item{outcome ? "" : ", where applicable"}
          {pages.first ? `, ${count(pages.first.total)}` : ""}
        </span>
      </h2>
      <div className={styles.counts} style={{ marginBottom: 8 }}>
        {COUNTS.filter((one) => (counts[one.key] ?? 0) > 0 || outcome?.includes(one.filter)).map((one) => (
          <Chip
            key={one.key}
            size="xs"
            variant="outline"
            color="gray"
            checked={outcome?.includes(one.filter) ?? false}
            onChange={() => setSearch({ outcome: toggled(outcome, one.filter) })}
          >
            {one.label}
          </Chip>
        ))}
        {planned && failing.length > 0 ? (
          <PlanFixButton
            label={`Plan fix for ${plural(failing.length, "host")}`}
            about={planned}
            reason={`${planned}: fails on ${plural(failing.length, "host")}`}
            wanted={{ rules: [{ pack, rule, host_ids: failing }] }}
          />
        ) : null}
        <CsvDownload table={`rules/${pack}/${rule}/hosts.csv`} about="these hosts" filters={{ outcome: wanted }} />
      </div>
      <PagedList pages={pages} height={280} lines={8} empty={<Empty title="No hosts with this status" />}>
        {(rows) => (
          <DataTable columns={columnsOf(pack, rule)} rows={rows} rowKey={(row) => `${row.host_id}/${row.subject.kind}/${row.subject.id}`} />
        )}
      </PagedList>
    </section>
  );
}
