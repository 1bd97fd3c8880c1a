import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** Room that a column needs before its rows are better read as cards, in pixels. */
const EACH = 100;
/** The least for three columns and more: on a phone they do not fit. */
const LEAST = 360;

const leastFor = (columns: number): number => (columns < 3 ? 0 : Math.max(LEAST, columns * EACH));

/** The width that a table took, with the rows and the columns it had. */
interface Overflow {
  rows: readonly unknown[];
  columns: number;
  needed: number;
}

/**
 * Whether the rows of a table are cards: where its place is too narrow for so many columns, or where the table turned
 * out wider than its place. So nothing scrolls sideways.
 *
 * A width that was measured holds for the same rows and columns only. Measuring sets state at most once for each of
 * them, so it cannot start a round of renders that does not end.
 */
export function useCards(columns: number, rows: readonly unknown[]): { frame: RefObject<HTMLDivElement | null>; isCards: boolean } {
  const frame = useRef<HTMLDivElement>(null);
  // No place is wider than the window: on a phone the first drawing is of cards already, and no table is laid out in vain.
  const [width, setWidth] = useState(() => window.innerWidth);
  const [overflow, setOverflow] = useState<Overflow>();
  const needed = overflow?.rows === rows && overflow.columns === columns ? overflow.needed : 0;
  const isCards = width > 0 && width < Math.max(leastFor(columns), needed);

  useLayoutEffect(() => {
    const place = frame.current;
    if (!place) return;
    const table = isCards ? null : place.querySelector("table");
    const measure = (): void => {
      setWidth(place.clientWidth);
      if (table && table.offsetWidth > place.clientWidth + 1) setOverflow({ rows, columns, needed: table.offsetWidth });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(place);
    if (table) observer.observe(table);
    return () => observer.disconnect();
  }, [rows, columns, isCards]);
  return { frame, isCards };
}
