import { measured, NO_DATA } from "@/shared/lib/format";
import type { Status } from "@/shared/ui/status";
import type { ProofRow, RunRow } from "./types";

export const TOOLS: Record<RunRow["tool"], string> = { vdbench: "Vdbench", diskspd: "DiskSpd", ntttcp: "NTttcp", iometer: "Iometer" };
export const GRADES: Record<ProofRow["grade"], string> = { paper: "Paper grade", quick_look: "Quick look" };

export const OUTCOMES: Record<ProofRow["outcome"], { label: string; status: Status }> = {
  better: { label: "Better", status: "pass" },
  worse: { label: "Worse", status: "fail" },
  no_effect: { label: "No significant effect", status: "neutral" },
  mixed: { label: "Better and worse", status: "warn" },
  run_again: { label: "Run again", status: "warn" },
  too_few_runs: { label: "Too few runs", status: "warn" },
  not_comparable: { label: "Not comparable", status: "unknown" },
};

export const ADVICE: Record<string, string> = {
  keep: "The change helped. Keep it.",
  revert: "The change made it slower. Revert it.",
  waive: "The change has no significant effect here. If the rule still fails without it, request a waiver with this evidence.",
  run_again: "There is no result yet. Run the load again.",
  decide: "Some loads are faster and others slower. Decide which of them matter on this host.",
};

export const DECISIONS: Record<ProofRow["decision"], string> = {
  open: "Not decided",
  keep: "Kept",
  revert: "Reverted",
  waive: "Waiver requested",
};

const figures = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** A measured result in its unit: requests or bytes a second. */
export function result(value: number | null | undefined, measure: RunRow["measure"]): string {
  if (value === null || value === undefined) return NO_DATA;
  return measure === "iops" ? `${figures.format(value)} IOPS` : measured(value, "B/s");
}

/** The result of a run that a proof judges. */
export const judged = (run: RunRow): string => result(run.results[run.measure], run.measure);

/** A change with its sign, such as +30.0%. */
export function change(percent: number | null | undefined): string {
  if (percent === null || percent === undefined) return NO_DATA;
  return `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${Math.abs(percent).toFixed(1)}%`;
}
