import { type PointerEvent, type ReactNode, useRef, useState } from "react";
import { leftOf, shareAt } from "./geometry";
import styles from "./time-chart.module.css";

/** A drag shorter than this share of the span is a click. */
const SHORTEST = 0.01;

interface ZoomAreaProps {
  from: number;
  to: number;
  onZoom: ((from: number, to: number) => void) | undefined;
  children: ReactNode;
}

/** Lets a mouse or pen drag over the plot to pick a shorter span. A finger scrolls the page, as everywhere. */
export function ZoomArea({ from, to, onZoom, children }: ZoomAreaProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  if (!onZoom) return <div className={styles.plot}>{children}</div>;
  const share = (event: PointerEvent) => shareAt(event.clientX, frame.current?.getBoundingClientRect() ?? { left: 0, width: 1 });
  const end = () => {
    if (drag && Math.abs(drag.to - drag.from) >= SHORTEST) {
      const [first, last] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
      onZoom(Math.round(from + first * (to - from)), Math.round(from + last * (to - from)));
    }
    setDrag(null);
  };
  return (
    <div
      ref={frame}
      className={styles.plot}
      data-zooms
      onPointerDown={(event) => {
        const isOnMark = event.target instanceof Element && event.target.closest("a, [role='note'], [role='slider']") !== null;
        if (event.pointerType === "touch" || event.button !== 0 || isOnMark) return;
        setDrag({ from: share(event), to: share(event) });
      }}
      onPointerMove={(event) => drag && setDrag({ from: drag.from, to: share(event) })}
      onPointerUp={end}
      onPointerLeave={end}
    >
      {children}
      {drag && Math.abs(drag.to - drag.from) >= SHORTEST ? (
        <div
          className={styles.selected}
          style={{
            left: leftOf(Math.min(drag.from, drag.to)),
            width: `calc(${leftOf(Math.max(drag.from, drag.to))} - ${leftOf(Math.min(drag.from, drag.to))})`,
          }}
        />
      ) : null}
    </div>
  );
}
