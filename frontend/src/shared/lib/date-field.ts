/** A time as the browser's date field wants it, in UTC; empty where there is none or it is not a time. */
export function toDateField(at: string | undefined): string {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 16);
}

/** The content of a date field, read as UTC. */
export function fromDateField(field: string): string | undefined {
  const time = Date.parse(`${field}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** A time some hours from now as a date field wants it, in UTC. */
export const dateFieldIn = (hours: number, now: Date = new Date()): string =>
  new Date(now.getTime() + hours * 3_600_000).toISOString().slice(0, 16);
