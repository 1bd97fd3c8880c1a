import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { seriesOfItems } from "@/entities/counters/series-of-items";
import { ShowCounters } from "@/entities/counters/show-counters";
import { TicketList } from "@/entities/ticket/ticket-list";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { isMissing } from "@/shared/ui/not-found";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FromTo, Verbatim } from "@/shared/ui/verbatim";
import styles from "./event.module.css";
import { EventActs } from "./event-acts";
import { useEvent } from "./event-queries";
import { Mark } from "./mark";
import type { ChangeGroup, EventChange, EventDetail } from "./types";

interface EventPanelProps {
  eventId: string;
  group?: number | undefined;
  unread?: boolean | undefined;
}

/** One event: what fails since, what may be done, and every change with the value of now. */
export function EventPanel({ eventId, group, unread }: EventPanelProps) {
  const event = useEvent(eventId, { group, unread });
  if (isMissing(event)) {
    return <Empty title="Event not found">Its hosts may have been moved or retired, or you don't have access to their group.</Empty>;
  }
  return (
    <QueryPanel query={event} height={180} lines={5}>
      {(data) => <Panel key={data.event.id} data={data} />}
    </QueryPanel>
  );
}

function Panel({ data }: { data: EventDetail }) {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const chosen = data.changes.filter((change) => !left.has(change.change_id));
  const { event } = data;
  return (
    <section className={styles.panel} aria-label={`Event: ${event.label}`}>
      <p>
        <b>{visible(event.label)}</b> <FromTo from={event.old} to={event.new} />, {plural(event.host_count, "host")},{" "}
        {plural(event.change_count, "change")}
        {event.cause_detail ? <span className="dim">. Likely cause: {visible(event.cause_detail)}</span> : null}
      </p>
      {event.mark ? <Mark mark={event.mark} mayEnd={data.may_mark} /> : null}
      <TicketList tickets={data.event.tickets} />
      <Jobs event={event} />
      <Rules data={data} />
      <div className={styles.acts}>
        <EventActs events={[data]} chosen={chosen} />
        {data.may_mark || data.may_plan ? (
          <span className="dim small" aria-live="polite">
            {chosen.length === data.changes.length
              ? plural(chosen.length, "change")
              : `${count(chosen.length)} of ${count(data.changes.length)}`}{" "}
            selected
          </span>
        ) : null}
      </div>
      <DataTable
        label="Changes of this event"
        columns={columnsOf(left, setLeft, data.may_mark || data.may_plan)}
        rows={data.changes}
        rowKey={(change) => change.change_id}
      />
      <Counters data={data} />
      {data.changes_not_shown > 0 ? <p className="dim small">and {count(data.changes_not_shown)} more changes</p> : null}
      <p className="dim small">
        First <TimeAgo at={event.first_at} form="exact" />, last <TimeAgo at={event.last_at} form="exact" />
      </p>
    </section>
  );
}

const DAY_MS = 24 * 3600 * 1000;

/** Retransmits of the hosts, and counters of what changed on the first of them, from a day before the event to a day after. */
function Counters({ data }: { data: EventDetail }) {
  const [openedAt] = useState(() => Date.now());
  const changes = data.changes.map(({ host, subject }) => ({ hostId: host.id, kind: subject.kind, id: subject.id }));
  const hosts = [...new Set(changes.map((change) => change.hostId))].slice(0, 4);
  if (hosts.length === 0) return null;
  const until = Date.parse(data.event.last_at) + DAY_MS;
  const request = {
    series: seriesOfItems(changes.filter((change) => hosts.includes(change.hostId))),
    from: new Date(Date.parse(data.event.first_at) - DAY_MS).toISOString(),
    // Without an end it goes to now, and on.
    to: until < openedAt ? new Date(until).toISOString() : undefined,
  };
  return <ShowCounters request={request} emptyText="No counters from a day before to a day after." />;
}

const columnsOf = (left: ReadonlySet<number>, setLeft: (left: ReadonlySet<number>) => void, canSelect: boolean): Column<EventChange>[] => [
  ...(canSelect
    ? [
        {
          head: "Select",
          isHeadHidden: true,
          width: 36,
          cell: (change: EventChange) => (
            <Checkbox
              size="xs"
              aria-label={`Select ${change.label} of ${visible(change.host.name)}, ${visible(change.subject.label)}`}
              checked={!left.has(change.change_id)}
              onChange={(press) => {
                const next = new Set(left);
                if (press.currentTarget.checked) next.delete(change.change_id);
                else next.add(change.change_id);
                setLeft(next);
              }}
            />
          ),
        },
      ]
    : []),
  {
    head: "Host",
    cell: (change) => (
      <Link to="/hosts/$hostId" params={{ hostId: change.host.id }} search={{ tab: "timeline" }} className="link">
        {visible(change.host.name)}
      </Link>
    ),
  },
  {
    head: "Setting",
    cell: (change) => (
      <>
        {change.subject.kind === "host" ? "" : `${visible(change.subject.label)}: `}
        {change.label}
      </>
    ),
  },
  { head: "Old → new", cell: (change) => <FromTo from={change.old} to={change.new} /> },
  {
    head: "Now",
    cell: (change) => (change.now === change.new ? <span className="dim">unchanged since</span> : <Verbatim of={change.now} />),
  },
  { head: "Time", className: "nowrap", cell: (change) => <TimeAgo at={change.at} form="moment" /> },
  {
    head: "Restore",
    className: "dim small",
    cell: (change) => (change.why_not_restore ? visible(change.why_not_restore) : "possible"),
  },
];

/** Jobs of ours that did it, with the way to undo each. */
function Jobs({ event }: { event: ChangeGroup }) {
  if (event.jobs.length === 0) return null;
  return (
    <ul className={styles.rules} aria-label="Jobs">
      {event.jobs.map((job) => (
        <li key={job.job_id}>
          <Link to="/jobs/$jobId" params={{ jobId: String(job.job_id) }} className="link">
            Job {job.job_id}
          </Link>{" "}
          on {visible(job.host.name)}, requested by {visible(job.requested_by)} in{" "}
          <Link to="/remediate/$planId" params={{ planId: String(job.plan_id) }} className="link">
            plan {job.plan_id}
          </Link>
          {job.undo_until ? (
            <span className="dim">
              ; undo from its page until <TimeAgo at={job.undo_until} form="exact" />
            </span>
          ) : null}
        </li>
      ))}
      {event.job_count > event.jobs.length ? <li className="dim">and {count(event.job_count - event.jobs.length)} more jobs</li> : null}
    </ul>
  );
}

/** Rules that read what changed and fail now, each with the way to a waiver. */
function Rules({ data }: { data: EventDetail }) {
  if (data.rules.length === 0) return <p className="dim">No rule that reads these settings fails on these hosts now.</p>;
  return (
    <ul className={styles.rules} aria-label="Failing rules">
      {data.rules.map((rule) => (
        <li key={`${rule.pack}/${rule.rule}`}>
          <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
            {visible(rule.title)}
          </Link>{" "}
          <span className="dim">
            fails on {plural(rule.host_ids.length, "host")}
            {rule.fix_rules.length === 0 ? ", manual fix" : ""}
          </span>{" "}
          {data.may_waive ? (
            <Link
              to="/waivers/new"
              search={{ pack: rule.pack, rule: rule.rule, host: rule.host_ids }}
              className="link"
              aria-label={`Request a waiver for ${visible(rule.title)}`}
            >
              Request waiver…
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
