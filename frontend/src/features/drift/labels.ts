import type { BaselineRow } from "@/shared/api/types";
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

export const causeWord = (cause: string): string => CAUSE[cause] ?? cause.replaceAll("_", " ");

const CLOCK: Record<string, { title: string; says: string }> = {
  standard: { title: "From the standard", says: "at least one rule fails" },
  baseline: { title: "From the accepted baseline", says: "something differs from what was accepted" },
  peers: { title: "From its peers", says: "set otherwise than the rest of its cluster" },
  persisted: { title: "At the next restart", says: "what runs is not what is stored" },
};

export const clockWords = (clock: string): { title: string; says: string } => CLOCK[clock] ?? { title: clock, says: "" };

/** Of how many hosts a clock says nothing, and why. */
export function unknownWords(clock: string, hosts: number): string {
  const them = plural(hosts, "host");
  if (clock === "baseline") return `${them} without an accepted baseline`;
  if (clock === "peers") return `${them} without peers to compare with`;
  return `not known of ${them}`;
}

export const STATE: Record<BaselineRow["state"], { status: Status; word: string }> = {
  proposed: { status: "warn", word: "waits for an approver" },
  accepted: { status: "pass", word: "accepted" },
  refused: { status: "fail", word: "refused" },
  withdrawn: { status: "neutral", word: "taken back" },
};
