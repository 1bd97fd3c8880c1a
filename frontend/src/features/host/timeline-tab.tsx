import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { causeLabel } from "@/entities/host/labels";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { exact, moment } from "@/shared/lib/time";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty } from "@/shared/ui/query-panel";
import { TimeAgo, useZone } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./host.module.css";
import { useChanges } from "./queries";
import type { HostSearch } from "./search";
import { stateLines, type TimelineMark, timelineMarks } from "./timeline";
import type { Change } from "./types";

/** Lines shown before the list says the rest. */
const MOST_LINES = 14;

const COLUMNS: Column<Change>[] = [
  { head: "When", className: "nowrap", cell: (change) => <TimeAgo at={change.at} form="moment" /> },
  { head: "Setting", cell: (change) => `${visible(change.subject.label)} ${change.label}` },
  { head: "Old → new", cell: (change) => <FromTo from={change.old} to={change.new} /> },
  {
    head: "Likely cause",
    cell: (change) => <Cause change={change} />,
  },
  { head: "Check-in", isNumber: true, className: "dim", cell: (change) => change.seq },
  {
    head: "Event",
    isHeadHidden: true,
    cell: (change) => (
      <Link
        to="/drift"
        search={{ event: change.id }}
        className="link nowrap"
        aria-label={`View event: ${visible(change.subject.label)} ${change.label}`}
      >
        View event
      </Link>
    ),
  },
];

/** The job of ours that did it, else what the cause rests on. */
function Cause({ change }: { change: Change }) {
  if (change.job_id !== null && change.job_id !== undefined) {
    return (
      <>
        <Link to="/jobs/$jobId" params={{ jobId: String(change.job_id) }} className="link">
          Job {change.job_id}
        </Link>
        <span className="dim">: {visible(change.cause_detail)}</span>
      </>
    );
  }
  return (
    <span className={change.cause_detail ? undefined : "dim"}>
      {change.cause_detail ? visible(change.cause_detail) : causeLabel(change.cause)}
    </span>
  );
}

interface TimelineTabProps {
  hostId: string;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

export function TimelineTab({ hostId, search, setSearch }: TimelineTabProps) {
  const pages = usePages(useChanges(hostId, search.unread === "yes"));
  return (
    <>
      <Checkbox
        size="xs"
        mt={16}
        label="Include settings that became readable or unreadable"
        checked={search.unread === "yes"}
        onChange={(event) => setSearch({ unread: event.currentTarget.checked ? "yes" : undefined }, true)}
      />
      <PagedList
        pages={pages}
        height={420}
        lines={12}
        empty={<Empty title="No changes since enrolment">Setting changes between check-ins appear here with their likely cause.</Empty>}
        moreLabel="Show older"
      >
        {(changes) => (
          <>
            <Lines changes={changes} />
            <section className="section" aria-label="Changes">
              <h2>
                Changes <span className="dim">newest first</span>
              </h2>
              <DataTable columns={COLUMNS} rows={changes} rowKey={(change) => change.id} />
            </section>
          </>
        )}
      </PagedList>
    </>
  );
}

/** Jobs, updates and restarts on the axis of the values below. */
function Marks({ marks, from, to }: { marks: TimelineMark[]; from: number; to: number }) {
  const zone = useZone();
  if (marks.length === 0) return null;
  return (
    <div style={{ display: "contents" }}>
      <div>Jobs, updates and restarts</div>
      <ul className={styles.marks}>
        {marks.map((mark) => {
          const text = `${causeLabel(mark.cause)}${mark.detail ? `: ${visible(mark.detail)}` : ""}, ${exact(new Date(mark.at).toISOString(), zone)}`;
          const place = { left: `${(100 * (mark.at - from)) / (to - from)}%` };
          return (
            <li key={mark.key} style={place}>
              {mark.jobId === null ? (
                <span title={text} role="img" aria-label={text} data-cause={mark.cause} />
              ) : (
                <Link
                  to="/jobs/$jobId"
                  params={{ jobId: String(mark.jobId) }}
                  title={text}
                  aria-label={`Job ${mark.jobId}: ${text}`}
                  data-cause={mark.cause}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Lines({ changes }: { changes: Change[] }) {
  const zone = useZone();
  const oldest = changes.at(-1);
  if (!oldest) return null;
  const to = Date.now();
  const start = Date.parse(oldest.at);
  const from = start - Math.max(3_600_000, (to - start) * 0.08);
  const lines = stateLines(changes, from, to, MOST_LINES);
  return (
    <section className="section" style={{ marginTop: 16 }} aria-label="Values over time">
      <h2>
        Values over time{" "}
        <span className="dim">
          {moment(new Date(from).toISOString(), zone)} to now{lines.length === MOST_LINES ? "; see the list below for all settings" : ""}
        </span>
      </h2>
      <div className={styles.strip}>
        <Marks marks={timelineMarks(changes)} from={from} to={to} />
        {lines.map((line) => (
          <div key={line.key} style={{ display: "contents" }}>
            <div>{visible(line.label)}</div>
            <div
              className={styles.spans}
              role="img"
              aria-label={line.spans.map((span) => `${span.text} from ${exact(new Date(span.from).toISOString(), zone)}`).join("; ")}
            >
              {line.spans.map((span) => (
                <span
                  key={span.from}
                  style={{ flexGrow: span.to - span.from, flexBasis: 0 }}
                  title={`${visible(span.text)}, from ${exact(new Date(span.from).toISOString(), zone)}`}
                >
                  {visible(span.text)}
                </span>
              ))}
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
