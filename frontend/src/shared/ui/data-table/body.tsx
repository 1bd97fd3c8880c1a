import { Checkbox } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import styles from "./data-table.module.css";
import { moveBetweenRows } from "./row-keys";
import type { DataTableProps, RowAttributes, Selection, Windowing } from "./types";
import type { ShownColumn } from "./use-row-model";

/** Height of a row of the compact density. */
const ROW = 36;

interface BodyProps<Row> extends Pick<DataTableProps<Row>, "detail" | "rowAttributes" | "selection"> {
  columns: readonly ShownColumn<Row>[];
  rows: readonly { key: string; row: Row }[];
}

/** Every row. */
export function Body<Row>({ rows, ...rest }: BodyProps<Row>) {
  return (
    <tbody onKeyDown={moveBetweenRows}>
      {rows.map((one) => (
        <BodyRow key={one.key} rowKey={one.key} row={one.row} {...rest} />
      ))}
    </tbody>
  );
}

/** The rows in sight, between two empty ones that are as high as the others together. */
export function WindowBody<Row>({ rows, windowing, ...rest }: BodyProps<Row> & { windowing: Windowing }) {
  const { current, loadMore } = windowing;
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
    const index = rows.findIndex((one) => one.key === current);
    if (index < 0) return;
    virtual.scrollToIndex(index, { align: "auto" });
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(current ?? "")}"] a`)?.focus({ preventScroll: true }),
    );
  }, [current]);
  const span = rest.columns.length + (rest.selection ? 1 : 0);
  return (
    <tbody ref={body} onKeyDown={moveBetweenRows}>
      <Gap height={first ? first.start - virtual.options.scrollMargin : 0} span={span} />
      {items.map((item) => {
        const one = rows[item.index];
        return one ? <BodyRow key={one.key} rowKey={one.key} row={one.row} rowIndex={item.index} {...rest} /> : null;
      })}
      <Gap height={last ? virtual.getTotalSize() - (last.end - virtual.options.scrollMargin) : 0} span={span} />
    </tbody>
  );
}

function Gap({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

interface BodyRowProps<Row> extends Omit<BodyProps<Row>, "rows"> {
  row: Row;
  rowKey: string;
  rowIndex?: number;
}

function BodyRow<Row>({ row, rowKey, rowIndex, columns, detail, rowAttributes, selection }: BodyRowProps<Row>) {
  const attributes: RowAttributes = rowAttributes?.(row) ?? {};
  const below: ReactNode = detail?.(row);
  return (
    <Fragment>
      <tr
        data-row={rowKey}
        data-selected={selection?.selected.has(rowKey) || undefined}
        aria-rowindex={rowIndex === undefined ? undefined : rowIndex + 2}
        {...attributes}
      >
        {selection ? <PickCell row={row} rowKey={rowKey} selection={selection} /> : null}
        {columns.map((column) => (
          <Cell key={column.key} column={column} row={row} />
        ))}
      </tr>
      {below ? (
        <tr data-detail>
          <td colSpan={columns.length + (selection ? 1 : 0)} data-head="">
            {below}
          </td>
        </tr>
      ) : null}
    </Fragment>
  );
}

function Cell<Row>({ column, row }: { column: ShownColumn<Row>; row: Row }) {
  const own = typeof column.className === "function" ? column.className(row) : column.className;
  const className = [column.isNumber ? "num" : "", own].filter(Boolean).join(" ") || undefined;
  const head = column.isHeadHidden ? "" : column.head;
  if (column.isRowHead) {
    return (
      <th scope="row" className={className} data-head={head}>
        {column.cell(row)}
      </th>
    );
  }
  return (
    <td className={className} data-head={head}>
      {column.cell(row)}
    </td>
  );
}

function PickCell<Row>({ row, rowKey, selection }: { row: Row; rowKey: string; selection: Selection<Row> }) {
  return (
    <td className={styles.pick} data-head="">
      <Checkbox
        size="xs"
        aria-label={`Select ${selection.nameOf(row)}`}
        checked={selection.selected.has(rowKey)}
        onChange={(event) => selection.select(rowKey, (event.nativeEvent as MouseEvent).shiftKey === true)}
      />
    </td>
  );
}
