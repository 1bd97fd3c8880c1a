import { Checkbox } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { ColumnWidths } from "./column-widths";
import styles from "./data-table.module.css";
import { ResizeHandle } from "./resize-handle";
import type { Selection } from "./types";
import type { ShownColumn } from "./use-row-model";

interface HeadProps<Row> {
  columns: readonly ShownColumn<Row>[];
  selection: Selection<Row> | undefined;
  columnWidths: ColumnWidths | undefined;
}

export function Head<Row>({ columns, selection, columnWidths }: HeadProps<Row>) {
  const widthOf = (column: ShownColumn<Row>) => columnWidths?.widths[column.key] ?? column.width;
  return (
    <thead>
      <tr>
        {selection ? (
          <th scope="col" className={styles.pick}>
            <Checkbox
              size="xs"
              aria-label={selection.allLabel}
              checked={selection.total > 0 && selection.selected.size >= selection.total}
              indeterminate={selection.selected.size > 0 && selection.selected.size < selection.total}
              onChange={selection.selectAll}
            />
          </th>
        ) : null}
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            className={column.isNumber ? "num" : undefined}
            style={widthOf(column) === undefined ? undefined : { width: widthOf(column) }}
            aria-sort={column.headOrder?.direction}
          >
            <Words column={column} />
            {columnWidths && !column.isHeadHidden ? (
              <ResizeHandle
                head={column.head}
                width={columnWidths.widths[column.key]}
                setWidth={(width) => columnWidths.setWidth(column.key, width)}
              />
            ) : null}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Words<Row>({ column: { head, headOrder, isHeadHidden } }: { column: ShownColumn<Row> }) {
  if (isHeadHidden) return <span className="hidden-visually">{head}</span>;
  if (!headOrder) return head;
  const { direction, press } = headOrder;
  return (
    <button type="button" className={styles.sort} data-here={direction !== undefined || undefined} onClick={press}>
      {head}
      {direction === "ascending" ? <IconArrowUp size={12} aria-hidden="true" /> : null}
      {direction === "descending" ? <IconArrowDown size={12} aria-hidden="true" /> : null}
    </button>
  );
}
