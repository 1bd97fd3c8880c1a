import type { RuleRow } from "@/shared/api/types";
import type { Status } from "@/shared/ui/status";

/** The words of a rule's counts, in the order they are shown. */
export const COUNTS: {
  key: keyof RuleRow["hosts"];
  status: Status;
  word: string;
  filter: "pass" | "fail" | "unknown" | "waived" | "excluded" | "advice" | "not_applicable";
}[] = [
  { key: "fail", status: "fail", word: "fail", filter: "fail" },
  { key: "unknown", status: "unknown", word: "unknown", filter: "unknown" },
  { key: "pass", status: "pass", word: "pass", filter: "pass" },
  { key: "waived", status: "waived", word: "waived", filter: "waived" },
  { key: "excluded", status: "excluded", word: "set aside", filter: "excluded" },
  { key: "advice", status: "advice", word: "advice", filter: "advice" },
  { key: "not_applicable", status: "not_applicable", word: "n/a", filter: "not_applicable" },
];

export const kindWord = (kind: string): string => (kind === "guard_rail" ? "guard-rail" : kind.replaceAll("_", " "));

const PLATFORMS: Record<string, string> = { windows: "Windows Server", esxi: "ESXi" };

export const platformWord = (platform: string): string => PLATFORMS[platform] ?? platform;

export const plain = (word: string): string => word.replaceAll("_", " ");

/** Orders rules as a person asked: by failing hosts, by weight or by title. */
export function sorted(rules: readonly RuleRow[], by: "failing" | "weight" | "title"): RuleRow[] {
  const title = (a: RuleRow, b: RuleRow) => a.title.localeCompare(b.title, "en");
  if (by === "title") return [...rules].sort(title);
  if (by === "weight") return [...rules].sort((a, b) => b.weight - a.weight || title(a, b));
  return [...rules].sort((a, b) => (b.hosts.fail ?? 0) - (a.hosts.fail ?? 0) || b.weight - a.weight || title(a, b));
}
