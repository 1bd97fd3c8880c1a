import { hasCounters, seriesOfItems } from "@/entities/counters/series-of-items";
import { ShowCounters } from "@/entities/counters/show-counters";
import type { FindingGroup } from "./finding-groups";

const HOURS = 48;

/** The counters of the first items of a finding beside the host's retransmits, when somebody opens them. */
export function FindingCounters({ group, hostId }: { group: FindingGroup; hostId: string }) {
  const items = group.findings.map((finding) => finding.subject).filter((subject) => hasCounters(subject.kind));
  if (items.length === 0) return null;
  const series = seriesOfItems(items.slice(0, 2).map(({ kind, id }) => ({ hostId, kind, id })));
  return <ShowCounters request={{ series, hours: HOURS }} emptyText={`No counters in the last ${HOURS} hours.`} />;
}
