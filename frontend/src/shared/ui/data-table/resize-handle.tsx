import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { NARROWEST, WIDEST } from "./column-widths";
import styles from "./data-table.module.css";

const STEP = 16;

interface ResizeHandleProps {
  head: string;
  width: number | undefined;
  setWidth: (width: number | undefined) => void;
}

/** The right edge of a head: dragged, or moved with the arrow keys; Home and a double click give the column its own width back. */
export function ResizeHandle({ head, width, setWidth }: ResizeHandleProps) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const measured = (handle: Element) => handle.closest("th")?.getBoundingClientRect().width ?? 0;
  const press = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: measured(event.currentTarget) };
  };
  const move = (event: PointerEvent<HTMLSpanElement>) => {
    if (start.current) setWidth(start.current.width + event.clientX - start.current.x);
  };
  const key = (event: KeyboardEvent<HTMLSpanElement>) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (step !== undefined) setWidth(measured(event.currentTarget) + step);
    else if (event.key === "Home") setWidth(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved has no element of its own
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of column ${head}`}
      aria-valuenow={width ?? NARROWEST}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      aria-valuetext={width === undefined ? "default" : `${width} pixels`}
      tabIndex={0}
      className={styles.handle}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={() => {
        start.current = null;
      }}
      onDoubleClick={() => setWidth(undefined)}
      onKeyDown={key}
    />
  );
}
