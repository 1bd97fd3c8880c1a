import { z } from "zod";
import { list, listOf, number, numbers, oneOf, text } from "@/shared/lib/search";

const HOST_SORTS = ["score", "-score", "name", "-name", "last_seen", "-last_seen", "paths", "-paths"] as const;

/** What this page keeps in its address. A bad value counts as not given. */
export const hostsSearch = z.object({
  q: text,
  group: numbers,
  platform: list,
  os: list,
  family: list,
  mode: list,
  managed: listOf(["observe", "remediate"]),
  outcome: listOf(["pass", "fail", "unknown", "waived", "excluded", "not_applicable", "guard_rail"]),
  drift: listOf(["standard", "baseline", "peers", "persisted"]),
  freshness: listOf(["fresh", "late", "silent", "never", "bundle"]),
  rule: list,
  cluster: list,
  state: listOf(["waiting", "active", "retired", "quarantined"]),
  tag: list,
  score_below: number(0, 101),
  changed_hours: number(1, 24 * 90),
  sort: oneOf(HOST_SORTS),
  /** The host in the peek panel. */
  peek: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .catch(undefined),
  /** Columns left out, by name. */
  hide: list,
});
export type HostsSearch = z.infer<typeof hostsSearch>;
/** The part of it that the API filters by. */
export type HostFilters = Omit<HostsSearch, "sort" | "peek" | "hide">;

/** Parsed again: the router keeps what it does not know in the address, and the API would take `after` for a place in the list. */
export function filtersOf(search: HostsSearch): HostFilters {
  const { sort: _sort, peek: _peek, hide: _hide, ...filters } = hostsSearch.parse(search);
  return filters;
}
