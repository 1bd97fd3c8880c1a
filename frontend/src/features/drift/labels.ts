import type { BaselineRow } from "@/entities/baseline/types";
import { plural } from "@/shared/lib/format";
import type { Status } from "@/shared/ui/status";

const CAUSE: Record<string, string> = {
  driver_update: "a driver update",
  firmware_update: "a firmware update",
  reboot: "a restart of the host",
  toolkit: "the storage vendor's toolkit",
  our_job: "a job of ours",
  unknown: "not known",
};

export const causeLabel = (cause: string): string => CAUSE[cause] ?? cause.replaceAll("_", " ");

const REFERENCE: Record<string, { title: string; says: string }> = {
  standard: { title: "From the standard", says: "at least one rule fails" },
  baseline: { title: "From the accepted baseline", says: "something differs from what was accepted" },
  peers: { title: "From its peers", says: "set otherwise than the rest of its cluster" },
  persisted: { title: "At the next restart", says: "what runs is not what is stored" },
};

export const referenceLabel = (reference: string): { title: string; says: string } =>
  REFERENCE[reference] ?? { title: reference, says: "" };

/** Of how many hosts a reference of drift says nothing, and why. */
export function unknownText(reference: string, hosts: number): string {
  const them = plural(hosts, "host");
  if (reference === "baseline") return `${them} without an accepted baseline`;
  if (reference === "peers") return `${them} without peers to compare with`;
  return `not known of ${them}`;
}

export const STATE: Record<BaselineRow["state"], { status: Status; label: string }> = {
  proposed: { status: "warn", label: "waits for an approver" },
  accepted: { status: "pass", label: "accepted" },
  refused: { status: "fail", label: "refused" },
  withdrawn: { status: "neutral", label: "taken back" },
};
