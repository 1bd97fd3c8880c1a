import { Button, Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { BriefChart } from "@/entities/counters/brief-chart";
import { useCharts } from "@/entities/counters/queries";
import { RangeControls } from "@/entities/counters/range-controls";
import { fixed } from "@/entities/counters/ranges";
import { causeLabel } from "@/entities/host/labels";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./host.module.css";
import { useTimeline } from "./queries";
import type { HostSearch } from "./search";
import { Strip } from "./timeline-strip";
import type { Change, HostTimeline } from "./types";

/** Changes listed before a press shows the rest. */
const FIRST = 50;

interface TimelineTabProps {
  hostId: string;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

/** What happened on a host since its enrolment, or in a span. */
export function TimelineTab({ hostId, search, setSearch }: TimelineTabProps) {
  const range = { hours: search.hours, from: search.from, to: search.to };
  const isWhole = Object.values(range).every((given) => given === undefined);
  const timeline = useTimeline(hostId, range, search.unread === "yes");
  return (
    <>
      <div className={styles.filters}>
        <RangeControls range={range} setRange={setSearch} shown={timeline.data} standard={null} />
        {isWhole ? null : (
          <Button size="xs" onClick={() => setSearch({ hours: undefined, from: undefined, to: undefined })}>
            Since enrolment
          </Button>
        )}
        <Checkbox
          size="xs"
          label="Include settings that became readable or unreadable"
          checked={search.unread === "yes"}
          onChange={(event) => setSearch({ unread: event.currentTarget.checked ? "yes" : undefined }, true)}
        />
      </div>
      <QueryPanel query={timeline} height={420} lines={12}>
        {(data) => (
          <>
            <Picture hostId={hostId} data={data} zoom={(from, to) => setSearch(fixed(from, to))} />
            <RuleList findings={data.findings} />
            <ChangeList changes={data.changes} isWhole={isWhole} />
            {data.is_cut ? <p className="dim">Only the newest are shown. Choose a shorter range to see older ones.</p> : null}
          </>
        )}
      </QueryPanel>
    </>
  );
}

/** The first counter of the host stands above what happened: its charts have a tab of their own. */
function Picture({ hostId, data, zoom }: { hostId: string; data: HostTimeline; zoom: (from: number, to: number) => void }) {
  const charts = useCharts({ host: [hostId], from: data.from, to: data.to });
  const line = charts.data?.series[0];
  return (
    <section className="section" style={{ marginTop: 16 }} aria-label="Timeline">
      <h2>
        <TimeAgo at={data.from} form="exact" /> to <TimeAgo at={data.to} form="exact" />{" "}
        <span className="dim">{line ? "drag over the chart to zoom" : ""}</span>
      </h2>
      <Strip
        data={data}
        counter={
          charts.data && line
            ? {
                label: (
                  <Link
                    to="/hosts/$hostId"
                    params={{ hostId }}
                    search={{ tab: "performance", from: data.from, to: data.to }}
                    className="link"
                  >
                    {visible(line.label)}
                  </Link>
                ),
                chart: <BriefChart data={charts.data} line={line} height={130} onZoom={zoom} />,
              }
            : undefined
        }
      />
    </section>
  );
}

const RULES: Column<HostTimeline["findings"][number]>[] = [
  { head: "When", className: "nowrap", width: 150, cell: (one) => <TimeAgo at={one.at} form="moment" /> },
  {
    head: "Status",
    width: 130,
    cell: (one) => <StatusLabel status={one.begins ? "fail" : "pass"}>{one.begins ? "Began to fail" : "No longer fails"}</StatusLabel>,
  },
  {
    head: "Rule",
    cell: (one) => (
      <Link to="/rules/$pack/$rule" params={{ pack: one.pack, rule: one.rule }} className="link">
        {visible(one.words)}
      </Link>
    ),
  },
];

function RuleList({ findings }: { findings: HostTimeline["findings"] }) {
  if (findings.length === 0) return null;
  return (
    <section className="section" aria-label="Rules that began or ceased to fail">
      <h2>
        Rules <span className="dim">newest first</span>
      </h2>
      <DataTable columns={RULES} rows={findings} rowKey={(one) => `${one.at}${one.pack}/${one.rule}${one.begins}`} />
    </section>
  );
}

const CHANGES: Column<Change>[] = [
  { head: "When", className: "nowrap", cell: (change) => <TimeAgo at={change.at} form="moment" /> },
  { head: "Setting", cell: (change) => `${visible(change.subject.label)} ${change.label}` },
  { head: "Old → new", cell: (change) => <FromTo from={change.old} to={change.new} /> },
  { head: "Likely cause", cell: (change) => <Cause change={change} /> },
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

function ChangeList({ changes, isWhole }: { changes: Change[]; isWhole: boolean }) {
  const [isAll, setAll] = useState(false);
  if (changes.length === 0) {
    return (
      <Empty title={isWhole ? "No changes since enrolment" : "No changes in this range"}>
        Setting changes between check-ins appear here with their likely cause.
      </Empty>
    );
  }
  const rest = isAll ? 0 : Math.max(0, changes.length - FIRST);
  return (
    <section className="section" aria-label="Changes">
      <h2>
        Changes <span className="dim">newest first</span>
      </h2>
      <DataTable columns={CHANGES} rows={rest > 0 ? changes.slice(0, FIRST) : changes} rowKey={(change) => change.id} />
      {rest > 0 ? (
        <Button mt={10} onClick={() => setAll(true)}>
          Show {plural(rest, "older change")}
        </Button>
      ) : null}
    </section>
  );
}

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
