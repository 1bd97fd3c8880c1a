/** What the browser's date fields hold: a time on the wall clock of the zone that the person chose. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** The format of a zone, kept: to make one takes far longer than to use it. */
function formatIn(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
    formats.set(zone, format);
  }
  return format;
}

/** How far the zone is ahead of UTC at that time, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  const parts: Record<string, string> = {};
  for (const part of formatIn(zone).formatToParts(time)) parts[part.type] = part.value;
  const wall = Date.parse(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`);
  return wall - Math.floor(time / 1000) * 1000;
}

/** A time as the browser's date field wants it, in the zone; empty where there is none or it is not a time. */
export function toDateField(at: string | undefined, zone: string): string {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? "" : new Date(time + offsetAt(time, zone)).toISOString().slice(0, 16);
}

/**
 * The content of a date field, read in the zone. Of an hour that a change of the clocks skips, the time after the change is meant; of one
 * that it repeats, the first.
 */
export function fromDateField(field: string, zone: string): string | undefined {
  const wall = Date.parse(`${field}Z`);
  if (Number.isNaN(wall)) return undefined;
  const day = 86_400_000;
  const before = wall - offsetAt(wall - day, zone);
  const after = wall - offsetAt(wall + day, zone);
  const fits = [before, after].filter((time) => time + offsetAt(time, zone) === wall);
  return new Date(fits[0] ?? before).toISOString();
}

/** A time some hours from now as a date field wants it, in the zone. */
export const dateFieldIn = (hours: number, zone: string, now: Date = new Date()): string =>
  toDateField(new Date(now.getTime() + hours * 3_600_000).toISOString(), zone);
