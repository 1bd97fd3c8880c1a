import type { WaiverRow } from "@/entities/waiver/types";
import type { Status } from "@/shared/ui/status";

type State = WaiverRow["state"];

/** How a waiver's state is drawn. One that is over is never drawn like something that passes. */
export const STATE: Record<State, { status: Status; label: string }> = {
  requested: { status: "unknown", label: "Pending" },
  active: { status: "waived", label: "Active" },
  expired: { status: "warn", label: "Expired" },
  tripped: { status: "warn", label: "Ended early" },
  refused: { status: "neutral", label: "Rejected" },
  withdrawn: { status: "neutral", label: "Withdrawn" },
  replaced: { status: "neutral", label: "Replaced" },
};

export const stateLabel = (state: string): string => STATE[state as State]?.label ?? state;

/** The end of a day in UTC, which is what a date alone means here. */
export const endOfDay = (date: string): string => `${date}T23:59:00Z`;

/** A date some days ahead, as a date field takes it. */
export const inDays = (days: number, from: Date = new Date()): string =>
  new Date(from.getTime() + days * 86_400_000).toISOString().slice(0, 10);

/** Names in one sentence: "a", "a and b", "a, b and c". */
export const together = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
