import { Checkbox } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { Fragment, memo, type ReactNode, useEffect, useRef } from "react";
import styles from "./data-table.module.css";
import { moveBetweenRows } from "./row-keys";
import type { Column, DataTableProps, RowAttributes, Selection, Windowing } from "./types";
import { idOf } from "./use-row-model";

/** Height of a row of the compact density. */
const ROW = 36;

interface BodyProps<Row> extends Pick<DataTableProps<Row>, "detail" | "detailRow" | "rowAttributes" | "selection"> {
  columns: readonly Column<Row>[];
  rows: readonly { key: string; row: Row }[];
}

/** Every row. */
export function Body<Row>({ rows, selection, detail, detailRow, ...rest }: BodyProps<Row>) {
  return (
    <tbody onKeyDown={moveBetweenRows}>
      {rows.map((one) => (
        <BodyRow
          key={one.key}
          rowKey={one.key}
          row={one.row}
          detail={detailOf({ detail, detailRow }, one.key)}
          {...pickOf(selection, one.key)}
          {...rest}
        />
      ))}
    </tbody>
  );
}

/** The rows in sight, between two empty ones that are as high as the others together. */
export function WindowBody<Row>({ rows, windowing, selection, detail, detailRow, ...rest }: BodyProps<Row> & { windowing: Windowing }) {
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
  const span = rest.columns.length + (selection ? 1 : 0);
  return (
    <tbody ref={body} onKeyDown={moveBetweenRows}>
      <Gap height={first ? first.start - virtual.options.scrollMargin : 0} span={span} />
      {items.map((item) => {
        const one = rows[item.index];
        if (!one) return null;
        return (
          <BodyRow
            key={one.key}
            rowKey={one.key}
            row={one.row}
            rowIndex={item.index}
            detail={detailOf({ detail, detailRow }, one.key)}
            {...pickOf(selection, one.key)}
            {...rest}
          />
        );
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

/** What draws the detail of this row, where it may have one. */
function detailOf<Row>({ detail, detailRow }: Pick<BodyProps<Row>, "detail" | "detailRow">, key: string) {
  return detailRow === undefined || detailRow === key ? detail : undefined;
}

interface RowPick<Row> extends Pick<Selection<Row>, "nameOf" | "select"> {
  isSelected: boolean;
}

/** What a row needs of a selection: the set of all that are selected would have every row drawn again. */
function pickOf<Row>(selection: Selection<Row> | undefined, key: string): Partial<RowPick<Row>> {
  return selection ? { isSelected: selection.selected.has(key), nameOf: selection.nameOf, select: selection.select } : {};
}

interface BodyRowProps<Row> extends Omit<BodyProps<Row>, "rows" | "selection" | "detailRow">, Partial<RowPick<Row>> {
  row: Row;
  rowKey: string;
  rowIndex?: number;
}

/** Drawn again only where something of it changed, as far as the page hands on the same columns and functions. */
const BodyRow = memo(function BodyRow<Row>({
  row,
  rowKey,
  rowIndex,
  columns,
  detail,
  rowAttributes,
  isSelected,
  nameOf,
  select,
}: BodyRowProps<Row>) {
  const attributes: RowAttributes = rowAttributes?.(row) ?? {};
  const below: ReactNode = detail?.(row);
  return (
    <Fragment>
      <tr
        data-row={rowKey}
        data-selected={isSelected || undefined}
        aria-rowindex={rowIndex === undefined ? undefined : rowIndex + 2}
        {...attributes}
      >
        {nameOf && select ? (
          <td className={styles.pick} data-head="">
            <Checkbox
              size="xs"
              aria-label={`Select ${nameOf(row)}`}
              checked={isSelected ?? false}
              onChange={(event) => select(rowKey, (event.nativeEvent as MouseEvent).shiftKey === true)}
            />
          </td>
        ) : null}
        {columns.map((column) => (
          <Cell key={idOf(column)} column={column} row={row} />
        ))}
      </tr>
      {below ? (
        <tr data-detail>
          <td colSpan={columns.length + (nameOf ? 1 : 0)} data-head="">
            {below}
          </td>
        </tr>
      ) : null}
    </Fragment>
  );
}) as <Row>(props: BodyRowProps<Row>) => ReactNode;

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
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
