import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** Room that a column needs before its rows are better read as cards, in pixels. */
const EACH = 100;
/** Three columns stand beside each other in less; on a phone they do not. */
const LEAST = 360;

const leastFor = (columns: number): number => (columns < 3 ? 0 : Math.max(LEAST, columns * EACH));

/**
 * Whether the rows of a table stand as cards: where its place is too narrow for so many columns, or where the table
 * turned out wider than its place. So nothing scrolls sideways.
 */
export function useCards(columns: number, rows: readonly unknown[]): { frame: RefObject<HTMLDivElement | null>; isCards: boolean } {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number>();
  const [needed, setNeeded] = useState(0);
  const isCards = width !== undefined && width > 0 && width < Math.max(leastFor(columns), needed);

  useLayoutEffect(() => {
    const place = frame.current;
    if (!place) return;
    setWidth(place.clientWidth);
    const observer = new ResizeObserver(() => setWidth(place.clientWidth));
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may need less room
  useLayoutEffect(() => setNeeded(0), [rows, columns]);
  useLayoutEffect(() => {
    const table = frame.current?.querySelector("table");
    if (isCards || !table || !frame.current) return;
    if (table.offsetWidth > frame.current.clientWidth + 1) setNeeded(table.offsetWidth);
  });
  return { frame, isCards };
}
