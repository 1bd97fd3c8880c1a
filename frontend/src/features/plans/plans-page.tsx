import { Chip } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { jobStateWord } from "@/entities/job/state-words";
import { CsvDownload } from "@/entities/person/csv-download";
import { plansKey } from "@/entities/plan/queries";
import type { PlanRow } from "@/entities/plan/types";
import { api } from "@/shared/api/client";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { capital, visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FILTERS, planStatus } from "./labels";
import styles from "./plans.module.css";
import type { PlansSearch } from "./search";

/** Every plan that this person may see, newest first. */
export function PlansPage({ search, setSearch }: { search: PlansSearch; setSearch: PatchSearch<PlansSearch> }) {
  const isOwn = search.mine === "yes";
  const plans = useInfiniteQuery({
    queryKey: [...plansKey, { state: search.state, mine: isOwn }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const response = await api.GET("/api/v1/plans", {
        params: { query: { state: search.state ?? [], mine: isOwn, after: pageParam } },
        signal,
      });
      if (!response.data) throw new TypeError("the list of plans had no body");
      return response.data;
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.next ? Number(last.next) : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  const pages = usePages(plans);
  const isFiltered = search.state !== undefined || isOwn;
  return (
    <>
      <div className="page-head">
        <h1>Remediation plans</h1>
        <span className="dim">What changes, on which hosts, in what order, and how it is undone</span>
        <div className="end">
          <Link to="/safety" className="link">
            Safety controls
          </Link>
        </div>
      </div>
      <div className={styles.filters}>
        <Chip size="xs" variant="outline" color="gray" checked={isOwn} onChange={() => setSearch({ mine: isOwn ? undefined : "yes" })}>
          My plans
        </Chip>
        {FILTERS.map((one) => (
          <Chip
            key={one.state}
            size="xs"
            variant="outline"
            color="gray"
            checked={search.state?.includes(one.state) ?? false}
            onChange={() => setSearch({ state: toggled(search.state, one.state) as PlansSearch["state"] })}
          >
            {one.label}
          </Chip>
        ))}
        <CsvDownload table="plans.csv" about="these plans" filters={{ state: search.state, mine: isOwn || undefined }} />
      </div>
      <PagedList
        pages={pages}
        height={360}
        lines={10}
        empty={
          isFiltered ? (
            <Empty title="No matching plans">Remove a filter.</Empty>
          ) : (
            <Empty
              title="No plans yet"
              action={
                <Link to="/rules" search={{ outcome: ["fail"] }} className="link">
                  View failing rules
                </Link>
              }
            >
              To create a plan, choose Plan fix on a failing finding, on a host or rule page. Nothing changes until another person approves
              it.
            </Empty>
          )
        }
      >
        {(rows) => (
          <DataTable label="Plans" columns={COLUMNS} rows={rows} rowKey={(plan) => plan.id} card={(plan) => <PlanCard plan={plan} />} />
        )}
      </PagedList>
    </>
  );
}

const COLUMNS: Column<PlanRow>[] = [
  {
    head: "Plan",
    cell: (plan) => (
      <Link to="/remediate/$planId" params={{ planId: String(plan.id) }} className="link">
        {visible(plan.title) || `Plan ${plan.id}`}
      </Link>
    ),
  },
  { head: "State", cell: (plan) => <StatusLabel status={planStatus(plan.state)}>{capital(plan.state_label)}</StatusLabel> },
  { head: "Hosts", isNumber: true, cell: (plan) => count(plan.hosts) },
  { head: "Jobs", className: "dim", cell: (plan) => jobsText(plan.jobs) },
  { head: "Requested by", cell: (plan) => visible(plan.author) },
  { head: "Group", className: "dim", cell: (plan) => visible(plan.group_name) },
  { head: "State since", className: "nowrap", cell: (plan) => <TimeAgo at={plan.state_at} /> },
];

function PlanCard({ plan }: { plan: PlanRow }) {
  return (
    <>
      <Link to="/remediate/$planId" params={{ planId: String(plan.id) }} className={styles.name}>
        {visible(plan.title) || `Plan ${plan.id}`}
      </Link>
      <div className="row">
        <StatusLabel status={planStatus(plan.state)}>{capital(plan.state_label)}</StatusLabel>
        <span className="dim">
          <TimeAgo at={plan.state_at} />
        </span>
      </div>
      <div className="dim">
        {plural(plan.hosts, "host")} in {visible(plan.group_name)}, requested by {visible(plan.author)}
        {Object.keys(plan.jobs).length > 0 ? `. Jobs: ${jobsText(plan.jobs)}` : ""}
      </div>
    </>
  );
}

const jobsText = (jobs: Record<string, number>): string =>
  Object.entries(jobs)
    .map(([state, number]) => `${number} ${jobStateWord(state).toLowerCase()}`)
    .join(", ") || NO_DATA;
