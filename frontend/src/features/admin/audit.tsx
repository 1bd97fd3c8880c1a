import { Button, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { CsvDownload } from "@/entities/person/csv-download";
import { api } from "@/shared/api/client";
import { NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./admin.module.css";
import { type AuditAct, type AuditChange, actsOf, changesOf } from "./audit-changes";
import type { AdminSearch } from "./search";
import type { AuditRow } from "./types";

interface AuditProps {
  search: AdminSearch;
  setSearch: PatchSearch<AdminSearch>;
}

const COLUMNS: Column<AuditAct>[] = [
  { head: "No.", isNumber: true, cell: ({ first }) => first.number ?? NO_DATA },
  { head: "Time", className: "nowrap", cell: ({ first }) => <TimeAgo at={first.at} form="moment" /> },
  { head: "Actor", cell: ({ first }) => <span title={first.actor}>{visible(first.who)}</span> },
  {
    head: "Action",
    isRowHead: true,
    cell: ({ first, rows }) => (
      <>
        <span title={first.action}>{first.what}</span>: {rows.length > 1 ? plural(rows.length, "object") : <Target row={first} />}
        {first.group_name ? <div className="dim small">{visible(first.group_name)}</div> : null}
      </>
    ),
  },
  {
    head: "Changes",
    className: styles.change,
    cell: ({ first, rows }) => (rows.length > 1 ? <Several rows={rows} /> : <Changes row={first} />),
  },
  {
    head: "Reason",
    cell: ({ first }) => (
      <>
        {visible(first.reason || NO_DATA)}
        {first.request_id ? <CopyButton text={first.request_id} label="request id" /> : null}
      </>
    ),
  },
  {
    head: "Integrity",
    cell: ({ rows }) =>
      rows.every((row) => row.is_chained) ? (
        <StatusLabel status="pass">Sealed</StatusLabel>
      ) : (
        <StatusLabel status="running">Pending</StatusLabel>
      ),
  },
];

/** What it was done to, as a link where it has a page. */
function Target({ row }: { row: AuditRow }) {
  const name = visible(row.about);
  const id = row.object_id;
  if (row.object_kind === "host" && /^[0-9a-f]{32}$/.test(id)) {
    return (
      <Link to="/hosts/$hostId" params={{ hostId: id }} className="link">
        {name}
      </Link>
    );
  }
  if (!/^\d+$/.test(id)) return name;
  if (row.object_kind === "plan") {
    return (
      <Link to="/remediate/$planId" params={{ planId: id }} className="link">
        {name}
      </Link>
    );
  }
  if (row.object_kind === "job") {
    return (
      <Link to="/jobs/$jobId" params={{ jobId: id }} className="link">
        {name}
      </Link>
    );
  }
  if (row.object_kind === "waiver") {
    return (
      <Link to="/waivers/$waiverId" params={{ waiverId: id }} className="link">
        {name}
      </Link>
    );
  }
  if (row.object_kind === "report") {
    return (
      <Link to="/reports/$reportId" params={{ reportId: id }} className="link">
        {name}
      </Link>
    );
  }
  return name;
}

/** The values that differ, folded, and the entry as it is stored, on demand. */
function Changes({ row }: { row: AuditRow }) {
  const changes = changesOf(row);
  return (
    <details>
      <summary>{changes.length === 0 ? "Entry" : changes.length === 1 ? oneLine(changes[0]) : plural(changes.length, "value")}</summary>
      {changes.length > 0 ? (
        <dl className={styles.diff}>
          {changes.map((change) => (
            <div key={change.key}>
              {change.key ? <dt>{change.key.replaceAll("_", " ")}</dt> : null}
              <dd>
                {change.before ? <del>{visible(change.before)}</del> : null} {change.after ? <ins>{visible(change.after)}</ins> : null}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <Raw row={row} />
    </details>
  );
}

const oneLine = (change: AuditChange | undefined): string => {
  if (!change) return "";
  const words = `${change.key.replaceAll("_", " ")} ${change.before && change.after ? `${change.before} → ${change.after}` : change.after || change.before}`;
  return visible(words.length > 60 ? `${words.slice(0, 59)}…` : words);
};

/** The objects of a bulk act, each with its changes. */
function Several({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <details>
      <summary>{plural(rows.length, "entry", "entries")}</summary>
      <ul className={styles.several}>
        {rows.map((row) => (
          <li key={row.id}>
            <Target row={row} /> <Changes row={row} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Raw({ row }: { row: AuditRow }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide JSON" : "Show JSON"}
      </Button>
      {isOpen ? <pre className={styles.json}>{visible(JSON.stringify(row, null, 2))}</pre> : null}
    </>
  );
}

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
        {(rows) => <DataTable columns={COLUMNS} rows={actsOf(rows)} rowKey={(act) => act.first.id} isHeadSticky />}
      </PagedList>
    </section>
  );
}

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
