import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type FindingGroup, groupHeadline } from "./finding-groups";

/** Failing findings of which at least one can be fixed by a plan. */
export const fixable = (groups: readonly FindingGroup[]): FindingGroup[] =>
  groups.filter((group) => group.first.standing === "fail" && group.first.fix.length > 0);

/** What a plan for these findings asks for, with the reason that it begins with. */
export function planOf(groups: readonly FindingGroup[], host: { hostId: string; hostName: string }) {
  const lines = groups.map((group) => visible(groupHeadline(group)));
  const [only] = lines;
  const name = visible(host.hostName);
  return {
    reason:
      lines.length === 1
        ? `Fix “${only}” on ${name}`
        : `Fix ${plural(lines.length, "finding")} on ${name}: ${lines.join("; ")}`.slice(0, 1000),
    wanted: {
      findings: groups.flatMap((group) =>
        group.findings.map(({ pack, rule, subject }) => ({
          host_id: host.hostId,
          pack,
          rule,
          subject_kind: subject.kind,
          subject_id: subject.id,
        })),
      ),
    },
  };
}
