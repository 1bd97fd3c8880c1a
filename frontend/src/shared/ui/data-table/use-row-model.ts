import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { Column, DataTableProps, OutsideOrder } from "./types";

const features = tableFeatures({ columnVisibilityFeature, rowSortingFeature, sortedRowModel: createSortedRowModel() });

const NONE: readonly string[] = [];

export const idOf = <Row>(column: Column<Row>): string => column.id ?? column.head;

/** What a head shows of its column's order, and what a press on it does. */
export interface HeadOrder {
  direction: "ascending" | "descending" | undefined;
  press: () => void;
}

export interface ShownColumn<Row> extends Column<Row> {
  key: string;
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
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((id) => [id, false])), [hidden]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: ({ row }) => String(rowKey(row)),
    manualSorting: sort !== undefined,
    state: { columnVisibility },
  });
  const shown = table.getVisibleLeafColumns().flatMap((one): ShownColumn<Row>[] => {
    const column = columns.find((each) => idOf(each) === one.id);
    if (!column) return [];
    if (sort) return [{ ...column, key: one.id, headOrder: outside(column, sort) }];
    if (!column.sortValue) return [{ ...column, key: one.id, headOrder: undefined }];
    const by = one.getIsSorted();
    const direction = by === false ? undefined : by === "asc" ? "ascending" : "descending";
    return [{ ...column, key: one.id, headOrder: { direction, press: () => one.toggleSorting(by === "asc") } }];
  });
  return { shown, rows: table.getRowModel().rows.map((one) => ({ key: one.id, row: one.original.row })) };
}

function outside<Row>({ orders }: Column<Row>, { order, setOrder }: OutsideOrder): HeadOrder | undefined {
  if (!orders) return undefined;
  const direction = !orders.includes(order) ? undefined : order.startsWith("-") ? "descending" : "ascending";
  return { direction, press: () => setOrder(order === orders[0] ? orders[1] : orders[0]) };
}
