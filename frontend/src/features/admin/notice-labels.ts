import type { NoticeChannel, NoticeChannels, NoticeKind } from "./types";

type Way = NoticeChannel["way"];

export const WAY_LABELS: Record<Way, string> = {
  mail: "Email",
  chat: "Chat",
  webhook: "Webhook",
  heartbeat: "Heartbeat",
  ticket: "Ticket system",
};

/** Channels that get no notifications by themselves. */
export const hasNoKinds = (way: Way) => way === "heartbeat" || way === "ticket";

/** What most people want to hear of when they set up a channel: all but what only adds to what is there. */
export const USUAL: readonly NoticeKind[] = [
  "needs_human",
  "paths",
  "symptom",
  "guard_rail",
  "break_glass",
  "grant",
  "password",
  "provider",
  "plumbline",
  "alarm",
  "silent",
  "waiting_job",
  "failed_job",
  "approval",
];

/** "All events", "All events except: a host is silent", or the kinds themselves. */
export function kindsText(chosen: readonly NoticeKind[], all: NoticeChannels["kinds"]): string {
  const left = all.filter((each) => !chosen.includes(each.kind));
  if (left.length === 0) return "All events";
  if (left.length <= 2) return `All events except: ${left.map((each) => each.words).join("; ")}`;
  return all
    .filter((each) => chosen.includes(each.kind))
    .map((each) => each.words)
    .join("; ");
}
