import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import type { HostRow } from "@/entities/host/types";
import { NO_DATA, percent } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { useColumnWidths } from "@/shared/ui/data-table/column-widths";
import { DataTable } from "@/shared/ui/data-table/data-table";
import { isWeak, Paths, Seen, Worst } from "./cells";
import { columns } from "./columns";
import styles from "./hosts.module.css";
import { type HostsSearch, hostsSearch } from "./search";

type Sort = NonNullable<HostsSearch["sort"]>;

interface HostListProps {
  rows: HostRow[];
  total: number;
  sort: Sort;
  setSort: (sort: HostsSearch["sort"]) => void;
  hidden: string[];
  selected: ReadonlySet<string>;
  /** A press on a row's checkbox; with Shift everything since the last one. */
  select: (id: string, isRange: boolean) => void;
  selectAll: () => void;
  peeked: string | undefined;
  current: string | undefined;
  isPhone: boolean;
  loadMore: () => void;
  hold: (isHeld: boolean) => void;
}

const idOf = (host: HostRow) => host.id;
const nameOf = (host: HostRow) => visible(host.name);

/** A table of which only the rows in sight are in the page; on a phone a card for each host. */
export function HostList({ rows, total, sort, setSort, hidden, peeked, current, isPhone, loadMore, hold, ...choice }: HostListProps) {
  const columnWidths = useColumnWidths("hosts");
  const rowAttributes = useCallback(
    (host: HostRow) => ({ className: styles.row, "data-peeked": peeked === host.id || undefined }),
    [peeked],
  );
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notices that somebody is in the list */}
      <div onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)} onFocus={() => hold(true)} onBlur={() => hold(false)}>
        <DataTable
          columns={columns}
          hidden={hidden}
          rows={rows}
          rowKey={idOf}
          density="compact"
          isHeadSticky
          columnWidths={columnWidths}
          sort={{ order: sort, setOrder: (order) => setSort(hostsSearch.parse({ sort: order }).sort) }}
          selection={{ ...choice, total, allLabel: "Select all matching hosts", nameOf }}
          windowing={{ total, current, loadMore }}
          rowAttributes={rowAttributes}
          isCards={isPhone}
          card={(host) => <HostCard host={host} />}
        />
      </div>
      {isPhone && rows.length < total ? (
        <Button fullWidth onClick={loadMore} mt={12}>
          Show more ({rows.length} of {total})
        </Button>
      ) : null}
    </>
  );
}

function HostCard({ host }: { host: HostRow }) {
  return (
    <>
      <div className={styles.cardHead}>
        <Link to="/hosts/$hostId" params={{ hostId: host.id }} className={styles.cardName}>
          {visible(host.name)}
        </Link>
        <span className={styles.cardScore} data-weak={isWeak(host) || undefined}>
          {host.score ?? NO_DATA}
          {isWeak(host) ? <span className={styles.coverage}> {percent(host.rule_coverage)} coverage</span> : null}
        </span>
      </div>
      <Worst host={host} />
      <div className={styles.cardFacts}>
        <span>{visible(host.os_name || NO_DATA)}</span>
        <span>{visible(host.group_name)}</span>
        <span>
          Paths <Paths host={host} />
        </span>
        <Seen host={host} />
      </div>
    </>
  );
}
