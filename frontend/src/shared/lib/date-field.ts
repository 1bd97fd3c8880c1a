/** What the browser's date fields hold: a time on the wall clock of the zone that the person chose. */

import { offsetOf } from "./zone-offset";

/** A time as the browser's date field wants it, in the zone; empty where there is none or it is not a time. */
export function toDateField(at: string | undefined, zone: string): string {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? "" : new Date(time + offsetOf(time, zone)).toISOString().slice(0, 16);
}

/**
 * The content of a date field, read in the zone. Of an hour that a change of the clocks skips, the time after the change is meant; of one
 * that it repeats, the first.
 */
export function fromDateField(field: string, zone: string): string | undefined {
  const wall = Date.parse(`${field}Z`);
  if (Number.isNaN(wall)) return undefined;
  const day = 86_400_000;
  const before = wall - offsetOf(wall - day, zone);
  const after = wall - offsetOf(wall + day, zone);
  const fits = [before, after].filter((time) => time + offsetOf(time, zone) === wall);
  return new Date(fits[0] ?? before).toISOString();
}

/** A time some hours from now as a date field wants it, in the zone. */
export const dateFieldIn = (hours: number, zone: string, now: Date = new Date()): string =>
  toDateField(new Date(now.getTime() + hours * 3_600_000).toISOString(), zone);
