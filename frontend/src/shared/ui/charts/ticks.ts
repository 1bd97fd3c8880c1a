/** Round figures for the two axes of a chart. */

import { offsetOf } from "@/shared/lib/zone-offset";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between two ticks of time, each a multiple that people count in. */
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 3, 7, 14, 28, 56, 91, 182, 364].map((n) => n * DAY),
];

export interface TimeTicks {
  at: number[];
  /** Distance between two ticks in milliseconds. */
  step: number;
}

/** Ticks on round times of the zone, at most `most` of them: full hours, midnights, never 13:07. */
export function timeTicks(from: number, to: number, zone: string, most: number): TimeTicks {
  const span = Math.max(1, to - from);
  const step = TIME_STEPS.find((one) => span / one <= Math.max(1, most)) ?? 364 * DAY;
  const first = offsetOf(from, zone);
  const at: number[] = [];
  for (let local = Math.ceil((from + first) / step) * step; local - first <= to + DAY; local += step) {
    // The zone's clock may have been changed since: what is round then is not what is round at the start.
    const instant = local - offsetOf(local - first, zone);
    if (instant >= from && instant <= to && instant > (at.at(-1) ?? Number.NEGATIVE_INFINITY)) at.push(instant);
  }
  return { at, step };
}

/** A tick of time: seconds within minutes, the time of day within a day, the date at midnight and beyond. */
export function timeTickText(at: number, step: number, zone: string): string {
  const isMidnight = (at + offsetOf(at, zone)) % DAY === 0;
  const options: Intl.DateTimeFormatOptions =
    step >= DAY || isMidnight
      ? { day: "numeric", month: "short" }
      : step < MINUTE
        ? { hour: "2-digit", minute: "2-digit", second: "2-digit" }
        : { hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", ...options }).format(at);
}

/** Round values from 0 to the largest figure, three to six of them; the last one is the top of the axis. */
export function valueTicks(largest: number): number[] {
  if (!(largest > 0) || !Number.isFinite(largest)) return [0, 1];
  const rough = largest / 4;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * size >= rough * 0.999) ?? 10) * size;
  const count = Math.ceil(largest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
