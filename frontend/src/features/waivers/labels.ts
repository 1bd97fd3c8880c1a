import type { WaiverRow } from "@/entities/waiver/types";
import type { Status } from "@/shared/ui/status";

type State = WaiverRow["state"];

/** How a waiver's state is drawn. One that is over is never drawn like something that passes. */
export const STATE: Record<State, { status: Status; label: string }> = {
  requested: { status: "unknown", label: "waits for a decision" },
  active: { status: "waived", label: "in force" },
  expired: { status: "warn", label: "expired" },
  tripped: { status: "warn", label: "ended early" },
  refused: { status: "neutral", label: "refused" },
  withdrawn: { status: "neutral", label: "withdrawn" },
  replaced: { status: "neutral", label: "replaced" },
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
