import { value } from "@/shared/lib/format";
import type { AuditRow } from "./types";

/** One value that an act changed; an empty text where there was or is none. */
export interface AuditChange {
  key: string;
  before: string;
  after: string;
}

/** Acts that belong together: one request did the same to several objects. */
export interface AuditAct {
  first: AuditRow;
  rows: AuditRow[];
}

const isRecord = (of: unknown): of is Record<string, unknown> => typeof of === "object" && of !== null && !Array.isArray(of);
const shown = (of: unknown): string => (of === null || of === undefined || of === "" ? "" : value(of));

/** The values that differ between before and after, by name. Where either is no record, the two are compared whole. */
export function changesOf({ before, after }: Pick<AuditRow, "before" | "after">): AuditChange[] {
  if (!isRecord(before ?? {}) || !isRecord(after ?? {})) {
    return before === after ? [] : [{ key: "", before: shown(before), after: shown(after) }];
  }
  const [was, is] = [(before ?? {}) as Record<string, unknown>, (after ?? {}) as Record<string, unknown>];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((key) => ({ key, before: shown(was[key]), after: shown(is[key]) }))
    .filter((change) => change.before !== change.after);
}

/** Rows next to each other of one request and one action become one act, so that a bulk change is one line. */
export function actsOf(rows: readonly AuditRow[]): AuditAct[] {
  const acts: AuditAct[] = [];
  for (const row of rows) {
    const last = acts.at(-1);
    const isSame =
      last !== undefined &&
      row.request_id !== "" &&
      row.request_id === last.first.request_id &&
      row.action === last.first.action &&
      row.actor === last.first.actor;
    if (isSame) last.rows.push(row);
    else acts.push({ first: row, rows: [row] });
  }
  return acts;
}
