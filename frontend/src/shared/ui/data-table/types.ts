import type { ReactNode } from "react";
import type { ColumnWidths } from "./column-widths";

export interface Column<Row> {
  /** The words over the column, and before its value on a card. */
  head: string;
  /** Its name, where two columns have the same words or where the page names columns. */
  id?: string;
  /** Only screen readers hear the head: a column of buttons. */
  isHeadHidden?: boolean;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, with its head. */
  isNumber?: boolean;
  /** Its cell names the row. */
  isRowHead?: boolean;
  /** Of each cell: `dim`, `mono`, `nowrap`, `strong`, or a class of the page. */
  className?: string | undefined | ((row: Row) => string | undefined);
  width?: number | string;
  /** What the table sorts by itself. */
  sortValue?: (row: Row) => string | number | null;
  /** The two orders that the address knows, of the first and of the second press; a descending one begins with "-". */
  orders?: readonly [string, string];
}

/** An order kept outside the table, in the address. */
export interface OutsideOrder {
  order: string;
  setOrder: (order: string) => void;
}

export interface Selection<Row> {
  selected: ReadonlySet<string>;
  /** Of all that match, not only of those loaded. */
  total: number;
  /** Of the checkbox over all rows. */
  allLabel: string;
  nameOf: (row: Row) => string;
  /** A press on a row's checkbox; with Shift everything since the last one. */
  select: (key: string, isRange: boolean) => void;
  selectAll: () => void;
}

/** For lists of thousands: only the rows in sight are in the page. */
export interface Windowing {
  total: number;
  /** The row that the page's own keys moved to: scrolled to, and focused. */
  current?: string | undefined;
  loadMore: () => void;
}

export interface RowAttributes {
  className?: string | undefined;
  [data: `data-${string}`]: string | boolean | undefined;
}

export interface DataTableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  label?: string;
  /** Without it a column with a `sortValue` is sorted here. */
  sort?: OutsideOrder;
  /** Columns left out, by id. */
  hidden?: readonly string[];
  /** compact: one line a row, 36 px, in columns of fixed width. */
  density?: "normal" | "compact";
  isHeadSticky?: boolean;
  /** Lets people set the width of each column, and keeps it. */
  columnWidths?: ColumnWidths;
  /** Only screen readers hear the heads. */
  isHeadHidden?: boolean;
  /** A row as a card of the page's own; otherwise a card has a line of head and value for each column. */
  card?: (row: Row) => ReactNode;
  /** Whether rows stand as cards; without it they do where the columns do not fit. */
  isCards?: boolean;
  /** What stands below a row over the whole width; null where nothing does. */
  detail?: (row: Row) => ReactNode;
  /** The key of the only row that has a detail: opening it draws no other row again. Absent where each row is asked. */
  detailRow?: string | null;
  rowAttributes?: (row: Row) => RowAttributes;
  /** Rows of sums, as `tr`. */
  foot?: ReactNode;
  selection?: Selection<Row>;
  windowing?: Windowing;
  /** The three looks of a table without rows; a QueryPanel around the table has them as well. */
  empty?: ReactNode;
  isPending?: boolean;
  error?: unknown;
  retry?: () => unknown;
  /** The button that saves these rows as a file. */
  download?: ReactNode;
}
