import { Failed, LoadingSkeleton } from "@/shared/ui/query-panel";
import { Body, WindowBody } from "./body";
import styles from "./data-table.module.css";
import { Head } from "./head";
import { moveBetweenRows } from "./row-keys";
import type { DataTableProps } from "./types";
import { useCards } from "./use-cards";
import { useRowModel } from "./use-row-model";

export type { Column } from "./types";

/** Rows in columns; where the columns have no room, each row is a card. It draws what it is given and fetches nothing. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, isPending, error, retry, empty, download } = props;
  const hasError = error !== null && error !== undefined;
  return (
    <>
      {download ? <div className={styles.tools}>{download}</div> : null}
      {hasError ? <Failed error={error} isStale={rows.length > 0} {...(retry ? { retry } : {})} /> : null}
      {rows.length > 0 ? <Rows {...props} /> : null}
      {rows.length === 0 && isPending && !hasError ? <LoadingSkeleton height={200} lines={6} /> : null}
      {rows.length === 0 && !isPending && !hasError ? empty : null}
    </>
  );
}

function Rows<Row>(props: DataTableProps<Row>) {
  const { label, density = "normal", selection, windowing, card, detail, detailRow, rowAttributes, foot } = props;
  const { shown, heads, rows } = useRowModel(props);
  const room = useCards(shown.length, props.rows);
  const isCards = props.isCards ?? room.isCards;
  const body = { columns: shown, rows, detail, detailRow, rowAttributes, selection };
  return (
    <div ref={room.frame} className={styles.frame}>
      {isCards && card ? (
        <ul className={styles.cards} aria-label={label} onKeyDown={moveBetweenRows}>
          {rows.map(({ key, row }) => (
            <li key={key} data-row={key}>
              {card(row)}
            </li>
          ))}
        </ul>
      ) : (
        <table
          className={styles.table}
          aria-label={label}
          aria-rowcount={windowing ? windowing.total + 1 : undefined}
          data-density={density}
          data-stacks
          data-cards={isCards || undefined}
          data-head-sticky={props.isHeadSticky || undefined}
          data-head-hidden={props.isHeadHidden || undefined}
        >
          <Head heads={heads} selection={selection} columnWidths={props.columnWidths} />
          {windowing ? <WindowBody {...body} windowing={windowing} /> : <Body {...body} />}
          {foot ? <tfoot>{foot}</tfoot> : null}
        </table>
      )}
    </div>
  );
}
