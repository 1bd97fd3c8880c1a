import { useCallback, useState } from "react";

const KEY = "plumbline-column-widths";
export const NARROWEST = 48;
export const WIDEST = 800;

/** Widths that a person gave to columns, by their keys. */
export type Widths = Readonly<Record<string, number>>;

export interface ColumnWidths {
  widths: Widths;
  /** Undefined gives a column its own width back. */
  setWidth: (key: string, width: number | undefined) => void;
}

/** Reads what this browser remembers; anything else than widths within bounds is passed over. */
export function readWidths(stored: string | null, table: string): Widths {
  try {
    const all: unknown = JSON.parse(stored ?? "{}");
    const own = typeof all === "object" && all !== null ? (all as Record<string, unknown>)[table] : undefined;
    if (typeof own !== "object" || own === null) return {};
    return Object.fromEntries(
      Object.entries(own).filter(([, width]) => typeof width === "number" && width >= NARROWEST && width <= WIDEST),
    ) as Widths;
  } catch {
    return {};
  }
}

/** The widths of one table's columns, remembered in this browser. */
export function useColumnWidths(table: string): ColumnWidths {
  const [widths, setWidths] = useState<Widths>(() => readWidths(localStorage.getItem(KEY), table));
  const setWidth = useCallback(
    (key: string, width: number | undefined) =>
      setWidths((before) => {
        const { [key]: _, ...others } = before;
        const after = width === undefined ? others : { ...others, [key]: Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))) };
        remember(table, after);
        return after;
      }),
    [table],
  );
  return { widths, setWidth };
}

function remember(table: string, widths: Widths): void {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const others = typeof all === "object" && all !== null ? all : {};
    localStorage.setItem(KEY, JSON.stringify({ ...others, [table]: widths }));
  } catch {
    // A browser that stores nothing: the widths last as long as the page.
  }
}
