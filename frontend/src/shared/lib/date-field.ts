/** An instant of the address as the browser's date field wants it, in UTC; empty where there is none or it is no instant. */
export function toField(at: string | undefined): string {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 16);
}

/** What stands in the date field, read as UTC. */
export function fromField(field: string): string | undefined {
  const time = Date.parse(`${field}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
