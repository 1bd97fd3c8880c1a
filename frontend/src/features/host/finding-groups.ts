import type { Finding } from "@/entities/finding/types";

/** Findings that say the same of several subjects of one host, shown as one entry. */
export interface FindingGroup {
  key: string;
  /** The finding whose text stands for all; the others differ in subject only. */
  first: Finding;
  findings: Finding[];
  /** Other packs that ask the same and found the same; they count once in the score. */
  alsoAskedBy: string[];
}

const ORDER: Record<Finding["standing"], number> = { fail: 0, advice: 1, unknown: 2, excluded: 3, waived: 4, pass: 5, not_applicable: 6 };
const SEVERITY: Record<Finding["severity"], number> = { critical: 0, high: 1, medium: 2, low: 3, none: 4 };

const nameOf = (finding: Finding): string => `${finding.pack}/${finding.rule}`;

/**
 * Puts findings together that a person would read as one: the same rule with the same status, observed value and
 * expectation on several subjects; and rules of several packs that ask the same (`same_as`) of the same subjects.
 */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const finding of findings) {
    const key = [nameOf(finding), finding.standing, finding.observed, finding.expected, finding.reason].join("\u0000");
    const group = groups.get(key);
    if (group) group.findings.push(finding);
    else groups.set(key, { key, first: finding, findings: [finding], alsoAskedBy: [] });
  }
  const kept: FindingGroup[] = [];
  for (const group of groups.values()) {
    const twin = kept.find(
      (other) =>
        other.first.standing === group.first.standing &&
        (other.first.same_as.includes(nameOf(group.first)) || group.first.same_as.includes(nameOf(other.first))) &&
        subjectsOf(other) === subjectsOf(group),
    );
    if (twin) twin.alsoAskedBy.push(nameOf(group.first));
    else kept.push(group);
  }
  return kept.sort(
    (a, b) =>
      ORDER[a.first.standing] - ORDER[b.first.standing] ||
      SEVERITY[a.first.severity] - SEVERITY[b.first.severity] ||
      a.first.title.localeCompare(b.first.title, "en"),
  );
}

function subjectsOf(group: FindingGroup): string {
  return group.findings
    .map((finding) => `${finding.subject.kind}/${finding.subject.id}`)
    .sort()
    .join(" ");
}

/** What is wrong and on which items, what could not be checked, or the title of a rule that is met. */
export function groupHeadline(group: FindingGroup): string {
  return group.first.headline_template.replace("{items}", subjectsText(group));
}

/** The items stand beside the headline only where it does not name them. */
export const isNamedApart = ({ first }: FindingGroup): boolean =>
  first.subject.kind !== "host" && (first.standing === "pass" || first.standing === "not_applicable");

/** "SAN1", "SAN1 and SAN2", "SAN1, SAN2 and 3 more". */
export function subjectsText(group: FindingGroup): string {
  const labels = [...new Set(group.findings.map((finding) => finding.subject.label).filter(Boolean))];
  if (labels.length <= 1) return labels[0] ?? "";
  if (labels.length <= 3) return `${labels.slice(0, -1).join(", ")} and ${labels.at(-1)}`;
  return `${labels.slice(0, 2).join(", ")} and ${labels.length - 2} more`;
}

const AREAS: Record<Finding["area"], string> = {
  adapter: "adapter",
  tcp: "TCP",
  iscsi: "iSCSI",
  mpio: "MPIO",
  qos: "QoS",
  paths: "paths",
  host: "host",
};

export const areaLabel = (area: Finding["area"]): string => AREAS[area];
