import { useState } from "react";
import { measured } from "@/shared/lib/format";
import { exact } from "@/shared/lib/time";
import { leftOf } from "./geometry";
import styles from "./time-chart.module.css";
import type { TimeSeries } from "./types";

interface ReaderProps {
  title: string;
  series: TimeSeries[];
  times: number[];
  from: number;
  to: number;
  zone: string;
}

/** The figures of one time, moved along with the arrow keys: the chart for those who use a keyboard or a screen reader. */
export function Reader({ title, series, times, from, to, zone }: ReaderProps) {
  const [at, setAt] = useState(times.length - 1);
  const [isFocused, setFocused] = useState(false);
  if (times.length === 0) return null;
  const index = Math.min(Math.max(0, at), times.length - 1);
  const time = times[index] ?? from;
  const figures = series.map((one) => {
    const point = one.points.find(([instant]) => instant === time);
    return `${one.label} ${point === undefined || point[1] === null ? "no data" : measured(point[1], one.unit)}`;
  });
  const moment = exact(new Date(time).toISOString(), zone);
  const moves: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - Math.ceil(times.length / 10),
    PageUp: index + Math.ceil(times.length / 10),
    Home: 0,
    End: times.length - 1,
  };
  return (
    <>
      {isFocused ? <div className={styles.cursor} style={{ left: leftOf((time - from) / Math.max(1, to - from)) }} /> : null}
      <div
        role="slider"
        tabIndex={0}
        className={styles.reader}
        aria-label={`Figures of ${title} by time`}
        aria-valuemin={0}
        aria-valuemax={times.length - 1}
        aria-valuenow={index}
        aria-valuetext={`${moment}: ${figures.join(", ")}`}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onKeyDown={(event) => {
          const next = moves[event.key];
          if (next === undefined) return;
          event.preventDefault();
          setAt(Math.min(Math.max(0, next), times.length - 1));
        }}
      >
        <span className={styles.readout}>
          <strong>{moment}</strong> {figures.join(" · ")}
        </span>
      </div>
    </>
  );
}
