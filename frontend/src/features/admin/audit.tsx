import { Button, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Download } from "@/entities/person/csv-download";
import { api } from "@/shared/api/client";
import type { AuditRow } from "@/shared/api/types";
import { NO_DATA, value } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { CopyAction } from "@/shared/ui/copy-button";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./admin.module.css";
import type { AdminSearch } from "./search";

interface AuditProps {
  search: AdminSearch;
  setSearch: PatchSearch<AdminSearch>;
}

export function Audit({ search, setSearch }: AuditProps) {
  const { actor, action, object } = search;
  const pages = useInfiniteQuery({
    queryKey: ["get", "/api/v1/audit", { actor, action, object }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api.GET("/api/v1/audit", { params: { query: { actor, action, object, after: pageParam } }, signal });
      if (!answer.data) throw new TypeError("the audit trail had no body");
      return answer.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const rows = pages.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section aria-label="Audit trail">
      <div className={styles.filters}>
        <Filter label="Who" value={actor} set={(text) => setSearch({ actor: text }, true)} />
        <Filter label="Did what" value={action} set={(text) => setSearch({ action: text }, true)} />
        <Filter label="To what" value={object} set={(text) => setSearch({ object: text }, true)} />
        <Download table="audit.csv" about="the audit trail" filters={{ actor, action, object }} />
      </div>
      <Panel query={pages} height={420} lines={12} isEmpty={() => rows.length === 0} empty={<Empty title="No act matches." />}>
        {() => (
          <>
            <ScrollX>
              <table className="data" data-stacks>
                <thead>
                  <tr>
                    <th scope="col" className="num">
                      no.
                    </th>
                    <th scope="col">when</th>
                    <th scope="col">who</th>
                    <th scope="col">did</th>
                    <th scope="col">to</th>
                    <th scope="col">before and after</th>
                    <th scope="col">reason</th>
                    <th scope="col">chain</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <Entry key={row.id} row={row} />
                  ))}
                </tbody>
              </table>
            </ScrollX>
            {pages.hasNextPage ? (
              <Button mt={10} onClick={() => void pages.fetchNextPage()} loading={pages.isFetchingNextPage}>
                Show older acts
              </Button>
            ) : null}
          </>
        )}
      </Panel>
    </section>
  );
}

function Entry({ row }: { row: AuditRow }) {
  return (
    <tr>
      <td data-head="no." className="num">
        {row.number ?? NO_DATA}
      </td>
      <td data-head="when" className="nowrap">
        <Instant at={row.at} form="moment" />
      </td>
      <td data-head="who">{visible(row.actor)}</td>
      <td data-head="did" className="mono">
        {row.action}
      </td>
      <td data-head="to">
        {row.object_kind} <span className="mono">{visible(row.object_id)}</span>
        {row.group_name ? <div className="dim small">{visible(row.group_name)}</div> : null}
      </td>
      <td data-head="before and after" className={styles.change}>
        {hasWords(row.before) ? <div className="dim">{visible(value(row.before))}</div> : null}
        {hasWords(row.after) ? <div>{visible(value(row.after))}</div> : null}
      </td>
      <td data-head="reason">
        {visible(row.reason || NO_DATA)}
        {row.request_id ? <CopyAction text={row.request_id} label="request id" /> : null}
      </td>
      <td data-head="chain">{row.is_chained ? <Outcome status="pass">sealed</Outcome> : <Outcome status="running">waits</Outcome>}</td>
    </tr>
  );
}

const hasWords = (of: unknown): boolean => of !== null && of !== undefined && !(typeof of === "object" && Object.keys(of).length === 0);

function Filter({ label, value: given, set }: { label: string; value: string | undefined; set: (text: string | undefined) => void }) {
  const [text, setText] = useState(given ?? "");
  const later = useDebouncedCallback(set, 250);
  useEffect(() => setText(given ?? ""), [given]);
  return (
    <TextInput
      label={label}
      size="xs"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value.trim() || undefined);
      }}
    />
  );
}
