import type { BaselineRow } from "@/entities/baseline/types";
import { plural } from "@/shared/lib/format";
import type { Status } from "@/shared/ui/status";

const REFERENCE: Record<string, { title: string; says: string }> = {
  standard: { title: "Standard", says: "at least one rule fails" },
  baseline: { title: "Baseline", says: "differs from the accepted baseline" },
  peers: { title: "Cluster peers", says: "differs from cluster peers" },
  persisted: { title: "Pending restart", says: "running and stored values differ" },
};

export const referenceLabel = (reference: string): { title: string; says: string } =>
  REFERENCE[reference] ?? { title: reference, says: "" };

/** For how many hosts a type of drift is unknown, and why. */
export function unknownText(reference: string, hosts: number): string {
  const them = plural(hosts, "host");
  const have = hosts === 1 ? "has" : "have";
  if (reference === "baseline") return `${them} ${have} no baseline`;
  if (reference === "peers") return `${them} ${have} no peers`;
  return `${them} unknown`;
}

export const STATE: Record<BaselineRow["state"], { status: Status; label: string }> = {
  proposed: { status: "warn", label: "Pending approval" },
  accepted: { status: "pass", label: "Accepted" },
  refused: { status: "fail", label: "Rejected" },
  withdrawn: { status: "neutral", label: "Withdrawn" },
};
