/** How times are written: always with their zone, relative ones with the exact time beside them. */

/** The zone of this browser, by its IANA name. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** Whether the browser knows the zone; an unknown one falls back to UTC and never crashes a screen. */
export function knownZone(zone: string | null | undefined): string {
  if (!zone) return "UTC";
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: zone });
    return zone;
  } catch {
    return "UTC";
  }
}

type Parts = Record<"weekday" | "day" | "month" | "year" | "hour" | "minute" | "second", string>;

/** Formats of each zone: making one takes some ten times as long as using it, and a list writes hundreds of times. */
const formats = new Map<string, { whole: Intl.DateTimeFormat; offset: Intl.DateTimeFormat }>();

function formatsOf(zone: string) {
  const known = formats.get(zone);
  if (known) return known;
  const made = {
    whole: new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hour12: false,
    }),
    offset: new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "shortOffset" }),
  };
  formats.set(zone, made);
  return made;
}

function partsOf(at: Date, zone: string): Parts {
  const parts: Record<string, string> = {};
  for (const part of formatsOf(zone).whole.formatToParts(at)) parts[part.type] = part.value;
  return parts as Parts;
}

/** The zone as it is printed beside a time: "UTC", or the offset with its name at that time. */
export function zoneLabel(zone: string, at: Date = new Date()): string {
  if (zone === "UTC" || zone === "Etc/UTC") return "UTC";
  const name = formatsOf(zone)
    .offset.formatToParts(at)
    .find((part) => part.type === "timeZoneName");
  return name?.value.replace("GMT", "UTC") ?? zone;
}

/** "Sat 21 Nov 2026, 02:11:09 UTC". */
export function exact(iso: string, zone: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const p = partsOf(at, zone);
  return `${p.weekday} ${p.day} ${p.month} ${p.year}, ${p.hour}:${p.minute}:${p.second} ${zoneLabel(zone, at)}`;
}

/** "02:11:09". */
export function timeOfDay(iso: string, zone: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const p = partsOf(at, zone);
  return `${p.hour}:${p.minute}:${p.second}`;
}

/** A moment as a person names it: "02:11" today, "Sat 02:11" within a week, "12 Nov 02:11", "12 Nov 2025". */
export function moment(iso: string, zone: string, now: Date = new Date()): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const p = partsOf(at, zone);
  const today = partsOf(now, zone);
  const age = now.getTime() - at.getTime();
  if (p.day === today.day && p.month === today.month && p.year === today.year) return `${p.hour}:${p.minute}`;
  if (age >= 0 && age < 6 * 86_400_000) return `${p.weekday} ${p.hour}:${p.minute}`;
  if (p.year === today.year) return `${p.day} ${p.month} ${p.hour}:${p.minute}`;
  return `${p.day} ${p.month} ${p.year}`;
}

/** "12 Nov", "12 Nov 2025" in another year. */
export function day(iso: string, zone: string, now: Date = new Date()): string {
  const at = new Date(iso.length === 10 ? `${iso}T12:00:00Z` : iso);
  if (Number.isNaN(at.getTime())) return iso;
  const p = partsOf(at, iso.length === 10 ? "UTC" : zone);
  return p.year === partsOf(now, zone).year ? `${p.day} ${p.month}` : `${p.day} ${p.month} ${p.year}`;
}

/** Age in the largest unit that still says something: "just now", "3 min", "26 h", "3 d". */
export function age(iso: string, now: Date = new Date()): string {
  const seconds = Math.round((now.getTime() - new Date(iso).getTime()) / 1000);
  if (Number.isNaN(seconds)) return iso;
  const size = Math.abs(seconds);
  if (size < 10) return "just now";
  if (size < 90) return `${size} s`;
  if (size < 90 * 60) return `${Math.round(size / 60)} min`;
  if (size < 48 * 3600) return `${Math.round(size / 3600)} h`;
  return `${Math.round(size / 86_400)} d`;
}

/** "3 min ago", "in 4 h". */
export function relative(iso: string, now: Date = new Date()): string {
  const text = age(iso, now);
  if (text === "just now") return text;
  return new Date(iso).getTime() > now.getTime() ? `in ${text}` : `${text} ago`;
}

/** A length of time in seconds, in words: "90 s", "15 min", "2 h". */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 120 * 60) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
