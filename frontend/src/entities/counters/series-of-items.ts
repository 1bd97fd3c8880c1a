/** Counters that show what a setting of such an item does. */
const OF_KIND: Record<string, string[]> = {
  adapter: ["bytes_received", "bytes_sent", "drops_received", "pause_received"],
  volume: ["read_latency_us", "write_latency_us"],
};

/** The most series that one request may name. */
const MOST_SERIES = 8;

/** Something of a host that settings are about. */
export interface Item {
  hostId: string;
  kind: string;
  id: string;
}

/** Whether such an item has counters of its own. */
export const hasCounters = (kind: string): boolean => OF_KIND[kind] !== undefined;

/** The retransmits of the hosts, then the counters of the items, as a chart request names them. */
export function seriesOfItems(items: readonly Item[]): string[] {
  const hosts = [...new Set(items.map((item) => item.hostId))];
  const named = items.flatMap(({ hostId, kind, id }) => (OF_KIND[kind] ?? []).map((name) => `${hostId}~${kind}/${id}:${name}`));
  return [...hosts.map((hostId) => `${hostId}~host/:tcp_retransmit_percent`), ...new Set(named)].slice(0, MOST_SERIES);
}
