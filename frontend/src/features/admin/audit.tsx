import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { CsvDownload } from "@/entities/person/csv-download";
import { api } from "@/shared/api/client";
import { NO_DATA, value } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./admin.module.css";
import type { AdminSearch } from "./search";
import type { AuditRow } from "./types";

interface AuditProps {
  search: AdminSearch;
  setSearch: PatchSearch<AdminSearch>;
}

const COLUMNS: Column<AuditRow>[] = [
  { head: "No.", isNumber: true, cell: (row) => row.number ?? NO_DATA },
  { head: "Time", className: "nowrap", cell: (row) => <TimeAgo at={row.at} form="moment" /> },
  { head: "Actor", cell: (row) => visible(row.actor) },
  { head: "Action", className: "mono", cell: (row) => row.action },
  {
    head: "Object",
    cell: (row) => (
      <>
        {row.object_kind} <span className="mono">{visible(row.object_id)}</span>
        {row.group_name ? <div className="dim small">{visible(row.group_name)}</div> : null}
      </>
    ),
  },
  {
    head: "Before → after",
    className: styles.change,
    cell: (row) => (
      <>
        {hasWords(row.before) ? <div className="dim">{visible(value(row.before))}</div> : null}
        {hasWords(row.after) ? <div>{visible(value(row.after))}</div> : null}
      </>
    ),
  },
  {
    head: "Reason",
    cell: (row) => (
      <>
        {visible(row.reason || NO_DATA)}
        {row.request_id ? <CopyButton text={row.request_id} label="request id" /> : null}
      </>
    ),
  },
  {
    head: "Integrity",
    cell: (row) => (row.is_chained ? <StatusLabel status="pass">Sealed</StatusLabel> : <StatusLabel status="running">Pending</StatusLabel>),
  },
];

export function Audit({ search, setSearch }: AuditProps) {
  const { actor, action, object } = search;
  const acts = useInfiniteQuery({
    queryKey: ["get", "/api/v1/audit", { actor, action, object }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const response = await api.GET("/api/v1/audit", { params: { query: { actor, action, object, after: pageParam } }, signal });
      if (!response.data) throw new TypeError("the audit log had no body");
      return response.data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const pages = usePages(acts);
  return (
    <section aria-label="Audit log">
      <div className={styles.filters}>
        <Filter label="Actor" value={actor} set={(text) => setSearch({ actor: text }, true)} />
        <Filter label="Action" value={action} set={(text) => setSearch({ action: text }, true)} />
        <Filter label="Object" value={object} set={(text) => setSearch({ object: text }, true)} />
        <CsvDownload table="audit.csv" about="the audit log" filters={{ actor, action, object }} />
      </div>
      <PagedList pages={pages} height={420} lines={12} empty={<Empty title="No matching entries" />} moreLabel="Show older">
        {(rows) => <DataTable columns={COLUMNS} rows={rows} rowKey={(row) => row.id} isHeadSticky />}
      </PagedList>
    </section>
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
