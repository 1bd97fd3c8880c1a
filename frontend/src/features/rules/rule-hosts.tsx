import { Button, Chip } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "@/entities/person/csv-download";
import { PlanFix } from "@/entities/plan/plan-fix-button";
import { api } from "@/shared/api/client";
import type { RuleDetail, RuleHost } from "@/shared/api/types";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Said } from "@/shared/ui/verbatim";
import { COUNTS } from "./labels";
import styles from "./rules.module.css";
import type { RuleSearch } from "./search";

/** Whether the reason adds something to the observed and the expected value beside it. */
const says = ({ standing, reason }: RuleHost): boolean =>
  reason !== "" && standing !== "pass" && (standing !== "fail" || !reason.endsWith(" expected") || reason.startsWith("ineffective"));

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

/** Every subject this rule judged, on its host. */
export function RuleHosts({ pack, rule, counts, search, setSearch, planned }: RuleHostsProps) {
  const outcome = search.outcome;
  // Unless a person asks, the hosts a rule is not about stay out of the list.
  const judged = COUNTS.filter((one) => one.filter !== "not_applicable" && (counts[one.key] ?? 0) > 0).map((one) => one.filter);
  const wanted = outcome ?? (judged.length > 0 ? judged : undefined);
  const pages = useInfiniteQuery({
    queryKey: ["get", "/api/v1/rules/{pack}/{rule}/hosts", { pack, rule, wanted }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api.GET("/api/v1/rules/{pack}/{rule}/hosts", {
        params: { path: { pack, rule }, query: { outcome: wanted as never, after: pageParam } },
        signal,
      });
      if (!answer.data) throw new TypeError("the list of hosts had no body");
      return answer.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const rows = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const failing = [...new Set(rows.filter((row) => row.standing === "fail").map((row) => row.host_id))].slice(0, MOST_HOSTS);
  return (
    <section className="section" aria-label="Hosts">
      <h2>
        Hosts{" "}
        <span className="dim">
          by subject{outcome ? "" : ", where it applies"}
          {pages.data ? `, ${count(pages.data.pages[0]?.total)}` : ""}
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
            {one.word}
          </Chip>
        ))}
        {planned && failing.length > 0 ? (
          <PlanFix
            label={`Plan fix on ${plural(failing.length, "host")}`}
            about={planned}
            reason={`${planned}: fails on ${plural(failing.length, "host")}`}
            wanted={{ rules: [{ pack, rule, host_ids: failing }] }}
          />
        ) : null}
        <Download table={`rules/${pack}/${rule}/hosts.csv`} about="these hosts" filters={{ outcome: wanted }} />
      </div>
      <Panel query={pages} height={280} lines={8} isEmpty={() => rows.length === 0} empty={<Empty title="No host has this outcome." />}>
        {() => (
          <>
            <ScrollX>
              <table className="data" data-fits>
                <thead>
                  <tr>
                    <th scope="col">host</th>
                    <th scope="col" className="on-desk">
                      subject
                    </th>
                    <th scope="col">outcome</th>
                    <th scope="col">observed</th>
                    <th scope="col" className="on-desk">
                      expected
                    </th>
                    <th scope="col" className="num on-desk">
                      score
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={`${row.host_id}/${row.subject.kind}/${row.subject.id}`}>
                      <td>
                        <Link
                          to="/hosts/$hostId"
                          params={{ hostId: row.host_id }}
                          search={{ finding: `${pack}/${rule}/${row.subject.id}` }}
                          className="link nowrap"
                        >
                          {visible(row.name)}
                        </Link>
                        <div className="dim small on-phone">{visible(row.subject.label)}</div>
                      </td>
                      <td className="dim on-desk">{visible(row.subject.label)}</td>
                      <td>
                        <Outcome status={row.standing} />
                        {says(row) ? <div className="dim small">{visible(row.reason)}</div> : null}
                      </td>
                      <td>
                        <Said of={row.observed} />
                      </td>
                      <td className="on-desk">
                        <Said of={row.expected} />
                      </td>
                      <td className="num on-desk">{row.score ?? NO_DATA}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
            {pages.hasNextPage ? (
              <Button mt={10} onClick={() => void pages.fetchNextPage()} loading={pages.isFetchingNextPage}>
                Show more
              </Button>
            ) : null}
          </>
        )}
      </Panel>
    </section>
  );
}
