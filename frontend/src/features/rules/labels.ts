import type { RuleRow } from "@/entities/rule/types";
import type { Status } from "@/shared/ui/status";

/** The labels of a rule's counts, in the order they are shown. */
export const COUNTS: {
  key: keyof RuleRow["hosts"];
  status: Status;
  label: string;
  filter: "pass" | "fail" | "unknown" | "waived" | "excluded" | "advice" | "not_applicable";
}[] = [
  { key: "fail", status: "fail", label: "Fail", filter: "fail" },
  { key: "unknown", status: "unknown", label: "Unknown", filter: "unknown" },
  { key: "pass", status: "pass", label: "Pass", filter: "pass" },
  { key: "waived", status: "waived", label: "Waived", filter: "waived" },
  { key: "excluded", status: "excluded", label: "Excluded", filter: "excluded" },
  { key: "advice", status: "advice", label: "Advisory", filter: "advice" },
  { key: "not_applicable", status: "not_applicable", label: "N/A", filter: "not_applicable" },
];

const PLATFORMS: Record<string, string> = { windows: "Windows Server", esxi: "ESXi" };

export const platformLabel = (platform: string): string => PLATFORMS[platform] ?? platform;

export const plain = (key: string): string => key.replaceAll("_", " ");

/** Orders rules as a person asked: by failing hosts, by weight or by title. */
export function sorted(rules: readonly RuleRow[], by: "failing" | "weight" | "title"): RuleRow[] {
  const title = (a: RuleRow, b: RuleRow) => a.title.localeCompare(b.title, "en");
  if (by === "title") return [...rules].sort(title);
  if (by === "weight") return [...rules].sort((a, b) => b.weight - a.weight || title(a, b));
  return [...rules].sort((a, b) => (b.hosts.fail ?? 0) - (a.hosts.fail ?? 0) || b.weight - a.weight || title(a, b));
}
