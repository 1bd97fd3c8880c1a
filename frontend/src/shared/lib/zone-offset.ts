/** How far clocks are ahead of UTC, by the browser's own table of zones. */

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The format of a zone, kept: making one costs far more than using it. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  });
  clocks.set(zone, made);
  return made;
}

/** How far the clock of a zone is ahead of UTC at an instant, in milliseconds. */
export function offsetOf(at: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const part of clockOf(zone).formatToParts(at)) if (part.type !== "literal") parts[part.type] = Number(part.value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}
