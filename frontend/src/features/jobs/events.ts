import type { JobEvent } from "@/entities/job/types";

/** Puts events that came by stream and by asking into one row without gap or repetition; their number is their place. */
export function merged(before: JobEvent[], come: JobEvent[]): JobEvent[] {
  const known = new Set(before.map((one) => one.number));
  const fresh = come.filter((one) => !known.has(one.number));
  if (fresh.length === 0) return before;
  return [...before, ...new Map(fresh.map((one) => [one.number, one])).values()].sort((a, b) => a.number - b.number);
}

/** The last number up to which nothing is missing. Numbers begin at 1. */
export function whole(events: JobEvent[]): number {
  let last = 0;
  for (const one of events) {
    if (one.number !== last + 1) break;
    last = one.number;
  }
  return last;
}

/** An event as it comes over the stream; null for what is none. */
export function readEvent(data: string): JobEvent | null {
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed === "object" && parsed !== null && "number" in parsed && typeof parsed.number === "number") return parsed as JobEvent;
  } catch {
    // Not ours: the polling that follows brings what it should have been.
  }
  return null;
}

/** [milliseconds since 1970, healthy paths of the volume that had fewest]; null where the host could not count them. */
export type PathPoint = [number, number | null];

/** How many paths the host counted each time that it was asked. Only readings that held a count, or said that they could not. */
export function pathPoints(events: JobEvent[]): PathPoint[] {
  const points: PathPoint[] = [];
  for (const one of events) {
    const health = one.data.health as { least_paths?: unknown; volumes?: unknown } | undefined;
    if (!health || !("least_paths" in health) || health.volumes === 0) continue;
    points.push([Date.parse(one.at), typeof health.least_paths === "number" ? health.least_paths : null]);
  }
  return points;
}

/**
 * The spans in which a step took a path down and the host was not asked: from the command to the next reading, or to `now` where none
 * came yet. `takes` are the numbers of those steps.
 */
export function unreadSpans(events: JobEvent[], takes: ReadonlySet<number>, now: number): [number, number][] {
  const readings = pathPoints(events).flatMap(([at, count]) => (count === null ? [] : [at]));
  const spans: [number, number][] = [];
  for (const one of events) {
    if (one.kind !== "step" || one.state !== "IN_FLIGHT" || one.step_no === null || !takes.has(one.step_no)) continue;
    const since = Date.parse(one.at);
    const until = readings.find((at) => at > since) ?? now;
    const before = spans.at(-1);
    // A command that is sent again without a reading between is in the span of the first.
    if (until > since && (before === undefined || since >= before[1])) spans.push([since, until]);
  }
  return spans;
}

/** The points with a gap after each span's beginning: the value before a step is not that during it. */
export const withGaps = (points: PathPoint[], spans: [number, number][]): PathPoint[] =>
  [...points, ...spans.map(([since]): PathPoint => [since + 1, null])].sort((one, other) => one[0] - other[0]);

/** The log as a text file: one line for each event, times in UTC. */
export function logText(events: JobEvent[]): string {
  return events
    .map((one) => `${one.number}\t${one.at}\t${one.kind}\t${one.step_no ?? ""}\t${one.state}\t${one.words.replace(/\s+/g, " ")}\n`)
    .join("");
}
