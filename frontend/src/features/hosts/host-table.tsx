import { Checkbox } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTable } from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { HostRow } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { columnNotes, columns, features } from "./columns";
import styles from "./hosts.module.css";
import type { HostsSearch } from "./search";

const ROW = 36;

export interface HostTableProps {
  rows: HostRow[];
  total: number;
  sort: NonNullable<HostsSearch["sort"]>;
  setSort: (sort: HostsSearch["sort"]) => void;
  hidden: string[];
  selected: ReadonlySet<string>;
  /** A press on a row's checkbox; with Shift everything since the last one. */
  select: (id: string, isRange: boolean) => void;
  selectAll: () => void;
  peeked: string | undefined;
  current: string | undefined;
  loadMore: () => void;
  hold: (isHeld: boolean) => void;
}

/** A real table, of which only the rows in sight are in the page. */
export function HostTable(props: HostTableProps) {
  const { rows, hidden, loadMore } = props;
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: (host) => host.id,
    state: { columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])) },
  });
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW,
    overscan: 12,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  const lastIndex = last?.index ?? -1;
  useEffect(() => {
    if (lastIndex >= rows.length - 20) loadMore();
  }, [lastIndex, rows.length, loadMore]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the row moved to, not every new answer
  useEffect(() => {
    const index = rows.findIndex((host) => host.id === props.current);
    if (index < 0) return;
    virtual.scrollToIndex(index, { align: "auto" });
    requestAnimationFrame(() => document.getElementById(`host-${props.current}`)?.focus({ preventScroll: true }));
  }, [props.current]);

  const above = first ? first.start - virtual.options.scrollMargin : 0;
  const below = last ? virtual.getTotalSize() - (last.end - virtual.options.scrollMargin) : 0;
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const tableRows = table.getRowModel().rows;
  const span = headers.length + 2;

  return (
    <table
      className={styles.table}
      aria-rowcount={props.total + 1}
      onPointerEnter={() => props.hold(true)}
      onPointerLeave={() => props.hold(false)}
      onFocus={() => props.hold(true)}
      onBlur={() => props.hold(false)}
    >
      <thead>
        <tr>
          <th scope="col" className={styles.pick}>
            <Checkbox
              size="xs"
              aria-label="Select every host that matches"
              checked={rows.length > 0 && props.selected.size >= props.total}
              indeterminate={props.selected.size > 0 && props.selected.size < props.total}
              onChange={props.selectAll}
            />
          </th>
          <SortHeader label="host" sorts={["name", "-name"]} sort={props.sort} setSort={props.setSort} width={136} />
          {headers.map((header) => {
            const note = columnNotes[header.column.id];
            const label = String(header.column.columnDef.header);
            return note?.sorts ? (
              <SortHeader
                key={header.id}
                label={label}
                sorts={note.sorts}
                sort={props.sort}
                setSort={props.setSort}
                width={note.width}
                isNumber={note.isNumber ?? false}
              />
            ) : (
              <th key={header.id} scope="col" style={{ width: note?.width }} className={note?.isNumber ? "num" : undefined}>
                {label}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody ref={body}>
        {above > 0 ? (
          <tr>
            <td colSpan={span} style={{ height: above, padding: 0, border: 0 }} />
          </tr>
        ) : null}
        {items.map((item) => {
          const row = tableRows[item.index];
          if (!row) return null;
          const host = row.original;
          const isSelected = props.selected.has(host.id);
          return (
            <tr
              key={host.id}
              aria-rowindex={item.index + 2}
              style={{ height: ROW }}
              data-selected={isSelected || undefined}
              data-peeked={props.peeked === host.id || undefined}
            >
              <td className={styles.pick}>
                <Checkbox
                  size="xs"
                  aria-label={`Select ${visible(host.name)}`}
                  checked={isSelected}
                  onChange={(event) => props.select(host.id, (event.nativeEvent as MouseEvent).shiftKey === true)}
                />
              </td>
              <th scope="row" className={styles.name}>
                <Link id={`host-${host.id}`} to="/hosts/$hostId" params={{ hostId: host.id }} className={styles.clip}>
                  {visible(host.name)}
                </Link>
              </th>
              {row.getVisibleCells().map((cell) => (
                <td key={cell.id} className={columnNotes[cell.column.id]?.isNumber ? "num" : styles.clip}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          );
        })}
        {below > 0 ? (
          <tr>
            <td colSpan={span} style={{ height: below, padding: 0, border: 0 }} />
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}

type Sort = NonNullable<HostsSearch["sort"]>;

interface SortHeaderProps {
  label: string;
  sorts: [Sort, Sort];
  sort: Sort;
  setSort: (sort: Sort) => void;
  width: number | string;
  isNumber?: boolean;
}

function SortHeader({ label, sorts, sort, setSort, width, isNumber = false }: SortHeaderProps) {
  const isHere = sorts.includes(sort);
  const isUp = !sort.startsWith("-");
  return (
    <th
      scope="col"
      style={{ width }}
      className={isNumber ? "num" : undefined}
      aria-sort={isHere ? (isUp ? "ascending" : "descending") : undefined}
    >
      <button
        type="button"
        className={styles.sort}
        data-here={isHere || undefined}
        onClick={() => setSort(sort === sorts[0] ? sorts[1] : sorts[0])}
      >
        {label}
        {isHere ? isUp ? <IconArrowUp size={12} aria-hidden="true" /> : <IconArrowDown size={12} aria-hidden="true" /> : null}
      </button>
    </th>
  );
}
