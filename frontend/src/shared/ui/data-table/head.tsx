import { Checkbox } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { ColumnWidths } from "./column-widths";
import styles from "./data-table.module.css";
import { ResizeHandle } from "./resize-handle";
import type { Selection } from "./types";
import type { ShownHead } from "./use-row-model";

interface HeadProps<Row> {
  heads: readonly ShownHead<Row>[];
  selection: Selection<Row> | undefined;
  columnWidths: ColumnWidths | undefined;
}

export function Head<Row>({ heads, selection, columnWidths }: HeadProps<Row>) {
  const widthOf = ({ key, column }: ShownHead<Row>) => columnWidths?.widths[key] ?? column.width;
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
        {heads.map((one) => (
          <th
            key={one.key}
            scope="col"
            className={one.column.isNumber ? "num" : undefined}
            style={widthOf(one) === undefined ? undefined : { width: widthOf(one) }}
            aria-sort={one.headOrder?.direction}
          >
            <Words column={one.column} headOrder={one.headOrder} />
            {columnWidths && !one.column.isHeadHidden ? (
              <ResizeHandle
                head={one.column.head}
                width={columnWidths.widths[one.key]}
                setWidth={(width) => columnWidths.setWidth(one.key, width)}
              />
            ) : null}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Words<Row>({ column: { head, isHeadHidden }, headOrder }: Omit<ShownHead<Row>, "key">) {
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
