import { TimeAgo } from "./time-ago";

/** When a bundle was collected; a bundle may tell the day alone, or nothing. */
export function AsOf({ at }: { at: string }) {
  if (!at) return <span className="dim">unknown</span>;
  return at.includes("T") ? <TimeAgo at={at} form="exact" /> : <time dateTime={at}>{at}</time>;
}
