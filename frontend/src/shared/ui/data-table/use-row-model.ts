import { createColumnHelper, createSortedRowModel, rowSortingFeature, sortFn_basic, tableFeatures, useTable } from "@tanstack/react-table";
import { useMemo } from "react";
import type { Column, DataTableProps, OutsideOrder } from "./types";

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

const NONE: readonly string[] = [];

export const idOf = <Row>(column: Column<Row>): string => column.id ?? column.head;

/** What a head shows of its column's order, and what a press on it does. */
export interface HeadOrder {
  direction: "ascending" | "descending" | undefined;
  press: () => void;
}

export interface ShownHead<Row> {
  key: string;
  column: Column<Row>;
  headOrder: HeadOrder | undefined;
}

/** Rows in their order and the columns that are shown. */
export function useRowModel<Row>({ columns, rows, rowKey, hidden = NONE, sort }: DataTableProps<Row>) {
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, { row: Row }>();
    return columns.map((column) =>
      helper.accessor(({ row }): unknown => column.sortValue?.(row) ?? undefined, {
        id: idOf(column),
        enableSorting: column.sortValue !== undefined,
        sortFn: sortFn_basic,
        sortUndefined: "last",
      }),
    );
  }, [columns]);
  const data = useMemo(() => rows.map((row) => ({ row })), [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: ({ row }) => String(rowKey(row)),
    manualSorting: sort !== undefined,
  });
  // The same array as long as the same columns are shown, so that rows need not be drawn again.
  const shown = useMemo(() => columns.filter((column) => !hidden.includes(idOf(column))), [columns, hidden]);
  const heads = shown.map((column): ShownHead<Row> => {
    const key = idOf(column);
    if (sort) return { key, column, headOrder: outside(column, sort) };
    const one = table.getColumn(key);
    if (!column.sortValue || !one) return { key, column, headOrder: undefined };
    const by = one.getIsSorted();
    const direction = by === false ? undefined : by === "asc" ? "ascending" : "descending";
    return { key, column, headOrder: { direction, press: () => one.toggleSorting(by === "asc") } };
  });
  const sorted = table.getRowModel().rows;
  return { shown, heads, rows: useMemo(() => sorted.map((one) => ({ key: one.id, row: one.original.row })), [sorted]) };
}

function outside<Row>({ orders }: Column<Row>, { order, setOrder }: OutsideOrder): HeadOrder | undefined {
  if (!orders) return undefined;
  const direction = !orders.includes(order) ? undefined : order.startsWith("-") ? "descending" : "ascending";
  return { direction, press: () => setOrder(order === orders[0] ? orders[1] : orders[0]) };
}
