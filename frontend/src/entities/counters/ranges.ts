/** The span that charts show, as a page keeps it in its address: so many hours up to now, or from one time to another. */

export interface Range {
  hours?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export const DEFAULT_HOURS = 48;

export const RANGES = [
  { value: "1", label: "Last hour" },
  { value: "6", label: "Last 6 hours" },
  { value: "24", label: "Last 24 hours" },
  { value: "48", label: "Last 48 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "720", label: "Last 30 days" },
  { value: "2160", label: "Last 90 days" },
];

/** Shorter spans have no two readings in them. */
const SHORTEST_MS = 60_000;

const HOUR_MS = 3_600_000;

const iso = (at: number) => `${new Date(Math.round(at / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** A fixed range; one shorter than a minute is widened to that. */
export function fixed(from: number, to: number): Range {
  const middle = (from + to) / 2;
  const half = Math.max((to - from) / 2, SHORTEST_MS / 2);
  return { hours: undefined, from: iso(middle - half), to: iso(middle + half) };
}

/** Twice as long around the same middle, up to now at the latest. */
export function zoomedOut(from: number, to: number, now: number): Range {
  const span = (to - from) * 2;
  const end = Math.min(now, (from + to) / 2 + span / 2);
  return fixed(end - span, end);
}

/** Half as long around the same middle. */
export const zoomedIn = (from: number, to: number): Range => fixed(from + (to - from) / 4, to - (to - from) / 4);

/** Half a range earlier or later, up to now at the latest. */
export function moved(from: number, to: number, direction: -1 | 1, now: number): Range {
  const span = to - from;
  const end = Math.min(now, to + (direction * span) / 2);
  return fixed(end - span, end);
}

/** The range as the API takes it. */
export function rangeQuery(range: Range): Range {
  if (range.from !== undefined || range.to !== undefined) return { from: range.from, to: range.to, hours: range.hours };
  return { hours: range.hours ?? DEFAULT_HOURS };
}

/** "15 min", "6 h", "2 d": how long a step or the time between readings is. */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round((10 * seconds * 1000) / HOUR_MS) / 10} h` : `${Math.round(seconds / 86_400)} d`;
}
