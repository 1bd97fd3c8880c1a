import type { WaiverRow } from "@/entities/waiver/types";
import { dateFieldIn, fromDateField } from "@/shared/lib/date-field";
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

/** The end of a day in the person's zone, which is what a date alone means here. */
export const endOfDay = (date: string, zone: string): string => fromDateField(`${date}T23:59`, zone) ?? "";

/** A date some days ahead, as a date field takes it. */
export const inDays = (days: number, zone: string, from: Date = new Date()): string => dateFieldIn(days * 24, zone, from).slice(0, 10);

/** Names in one sentence: "a", "a and b", "a, b and c". */
export const together = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
