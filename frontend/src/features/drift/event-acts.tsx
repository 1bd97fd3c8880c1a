import { ProposeBaseline } from "@/entities/baseline/propose";
import { PlanFixButton } from "@/entities/plan/plan-fix-button";
import { CreateTicket } from "@/entities/ticket/create-ticket";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { MarkExpected } from "./mark";
import { RestoreFormer } from "./restore-dialog";
import type { EventChange, EventDetail } from "./types";

interface EventActsProps {
  /** One event, or several that were selected. */
  events: readonly EventDetail[];
  /** The changes of them that the acts are about. */
  chosen: EventChange[];
}

/** What may be done about events: the same for one and for several at once. */
export function EventActs({ events, chosen }: EventActsProps) {
  const ids = chosen.map((change) => change.change_id);
  const isNone = ids.length === 0;
  const about = aboutOf(events);
  const can = (right: "may_plan" | "may_propose" | "may_mark" | "may_send_ticket") =>
    events.length > 0 && events.every((one) => one[right]);
  return (
    <>
      {can("may_plan") ? <Fix events={events} /> : null}
      {can("may_plan") ? <RestoreFormer changes={chosen} cause={causeOf(events)} ticket={ticketOf(events)} /> : null}
      {can("may_propose") ? <ProposeBaseline changeIds={ids} about={about} label="Accept…" isDisabled={isNone} /> : null}
      {can("may_mark") && events.some(({ event }) => !event.mark) ? <MarkExpected changeIds={ids} /> : null}
      {can("may_send_ticket") ? <CreateTicket about={{ change_ids: ids }} isDisabled={isNone} size="compact-sm" /> : null}
    </>
  );
}

const aboutOf = (events: readonly EventDetail[]) =>
  events.length === 1 && events[0] ? visible(events[0].event.label) : plural(events.length, "event");

/** What all of them rest on; empty where they differ. */
function causeOf(events: readonly EventDetail[]): string {
  const [cause, ...others] = new Set(events.map(({ event }) => event.cause_detail));
  return others.length === 0 ? (cause ?? "") : "";
}

/** The number of the newest ticket about one of them, which a plan belongs to; empty where there is none. */
const ticketOf = (events: readonly EventDetail[]) =>
  events.flatMap(({ event }) => event.tickets).find((ticket) => ticket.number !== "")?.number ?? "";

/** A plan for what fails since, on all hosts of the events. */
function Fix({ events }: { events: readonly EventDetail[] }) {
  const wanted = rulesToFix(events);
  if (wanted.length === 0) return null;
  const hosts = new Set(wanted.flatMap((rule) => rule.host_ids)).size;
  return (
    <PlanFixButton
      label={`Plan fix (${plural(hosts, "host")})`}
      about={aboutOf(events)}
      ticket={ticketOf(events)}
      reason={fixReason(events)}
      wanted={{ rules: wanted }}
    />
  );
}

/** Each rule once, with the hosts of all events that it fails on. */
export function rulesToFix(events: readonly Pick<EventDetail, "rules">[]) {
  const hosts = new Map<string, { pack: string; rule: string; host_ids: Set<string> }>();
  for (const { fix_rules, host_ids } of events.flatMap(({ rules }) => rules)) {
    for (const { pack, rule } of fix_rules) {
      const key = `${pack}/${rule}`;
      const known = hosts.get(key) ?? { pack, rule, host_ids: new Set() };
      hosts.set(key, known);
      for (const id of host_ids) known.host_ids.add(id);
    }
  }
  return [...hosts.values()].map((one) => ({ ...one, host_ids: [...one.host_ids] }));
}

function fixReason(events: readonly EventDetail[]): string {
  const cause = causeOf(events);
  const since = cause ? ` (${cause})` : "";
  const [one] = events;
  if (events.length === 1 && one) {
    const { event } = one;
    return `${event.label} changed from ${event.old} to ${event.new} on ${plural(event.host_count, "host")}${since}`;
  }
  const labels = [...new Set(events.map(({ event }) => event.label))];
  const named = labels.slice(0, 3).join(", ");
  return `${plural(events.length, "event")}: ${named}${labels.length > 3 ? ` and ${labels.length - 3} more` : ""} changed${since}`;
}
