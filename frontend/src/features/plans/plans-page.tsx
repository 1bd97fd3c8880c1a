import { Button, Chip } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "@/entities/person/csv-download";
import { plansKey } from "@/entities/plan/queries";
import { api } from "@/shared/api/client";
import type { PlanRow } from "@/shared/api/types";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { FILTERS, planStatus } from "./labels";
import styles from "./plans.module.css";
import type { PlansSearch } from "./search";

/** Every plan that this person may see, newest first. */
export function PlansPage({ search, setSearch }: { search: PlansSearch; setSearch: PatchSearch<PlansSearch> }) {
  const mine = search.mine === "yes";
  const pages = useInfiniteQuery({
    queryKey: [...plansKey, { state: search.state, mine }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api.GET("/api/v1/plans", { params: { query: { state: search.state ?? [], mine, after: pageParam } }, signal });
      if (!answer.data) throw new TypeError("the list of plans had no body");
      return answer.data;
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.next ? Number(last.next) : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  const rows = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const isPhone = useMediaQuery("(max-width: 720px)") ?? false;
  const isFiltered = search.state !== undefined || mine;
  return (
    <>
      <div className="page-head">
        <h1>Remediate</h1>
        <span className="dim">plans: what is to be changed, on which hosts, in which order, and how it is undone</span>
        <div className="end">
          <Link to="/safety" className="link">
            Safety: stop everything, standing approvals, windows
          </Link>
        </div>
      </div>
      <div className={styles.filters}>
        <Chip size="xs" variant="outline" color="gray" checked={mine} onChange={() => setSearch({ mine: mine ? undefined : "yes" })}>
          mine
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
            {one.word}
          </Chip>
        ))}
        <Download table="plans.csv" about="these plans" filters={{ state: search.state, mine: mine || undefined }} />
      </div>
      <Panel
        query={pages}
        height={360}
        lines={10}
        isEmpty={() => rows.length === 0}
        empty={
          isFiltered ? (
            <Empty title="No plan is like that.">Take out a filter.</Empty>
          ) : (
            <Empty
              title="Nothing has been planned yet."
              action={
                <Link to="/rules" search={{ outcome: ["fail"] }} className="link">
                  Rules that fail on some host
                </Link>
              }
            >
              A plan begins at a finding that fails: on a host's page or on a rule's page choose “Plan fix”. Nothing is changed before
              somebody else approves it.
            </Empty>
          )
        }
      >
        {() => (
          <>
            {isPhone ? <PlanCards rows={rows} /> : <PlanTable rows={rows} />}
            {pages.hasNextPage ? (
              <Button mt={10} onClick={() => void pages.fetchNextPage()} loading={pages.isFetchingNextPage}>
                Show more
              </Button>
            ) : null}
          </>
        )}
      </Panel>
    </>
  );
}

function PlanTable({ rows }: { rows: PlanRow[] }) {
  return (
    <ScrollX>
      <table className="data">
        <thead>
          <tr>
            <th scope="col">plan</th>
            <th scope="col">state</th>
            <th scope="col" className="num">
              hosts
            </th>
            <th scope="col">jobs</th>
            <th scope="col">asked by</th>
            <th scope="col">group</th>
            <th scope="col">since</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((plan) => (
            <tr key={plan.id}>
              <td>
                <Link to="/remediate/$planId" params={{ planId: String(plan.id) }} className="link">
                  {visible(plan.title) || `plan ${plan.id}`}
                </Link>
              </td>
              <td>
                <Outcome status={planStatus(plan.state)}>{plan.state_label}</Outcome>
              </td>
              <td className="num">{count(plan.hosts)}</td>
              <td className="dim">{jobWords(plan.jobs)}</td>
              <td>{visible(plan.author)}</td>
              <td className="dim">{visible(plan.group_name)}</td>
              <td className="nowrap">
                <Instant at={plan.state_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function PlanCards({ rows }: { rows: PlanRow[] }) {
  return (
    <ul className={styles.cards} aria-label="Plans">
      {rows.map((plan) => (
        <li key={plan.id}>
          <Link to="/remediate/$planId" params={{ planId: String(plan.id) }} className={styles.name}>
            {visible(plan.title) || `plan ${plan.id}`}
          </Link>
          <div className="row">
            <Outcome status={planStatus(plan.state)}>{plan.state_label}</Outcome>
            <span className="dim">
              <Instant at={plan.state_at} />
            </span>
          </div>
          <div className="dim">
            {plural(plan.hosts, "host")} in {visible(plan.group_name)}, asked by {visible(plan.author)}
            {Object.keys(plan.jobs).length > 0 ? `; jobs: ${jobWords(plan.jobs)}` : ""}
          </div>
        </li>
      ))}
    </ul>
  );
}

const jobWords = (jobs: Record<string, number>): string =>
  Object.entries(jobs)
    .map(([state, number]) => `${number} ${state.toLowerCase().replaceAll("_", " ")}`)
    .join(", ") || NO_DATA;
