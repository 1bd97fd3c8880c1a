import { Link } from "@tanstack/react-router";
import { query } from "@/shared/api/client";
import type { components } from "@/shared/api/schema.gen";
import { count, measured, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";

type Test = components["schemas"]["DetectorTest"];
type Alarm = components["schemas"]["UnexplainedAlarm"];

/** A chart that shows an alarm has so much time on either side of it. */
const BESIDE_MS = 6 * 3_600_000;

/** The detector of symptoms run over the hours that are kept: how often it rang, and how often nothing on record explains why. */
export function DetectorTest({ group }: { group: number | undefined }) {
  const test = query.useQuery("get", "/api/v1/performance/detector", { params: { query: { group } } });
  return (
    <QueryPanel
      query={test}
      height={260}
      isEmpty={(data) => data.hosts === 0}
      empty={<Empty title="No counters yet">The back-test needs hosts that have sent counters for some hours.</Empty>}
    >
      {(data) => <Result test={data} />}
    </QueryPanel>
  );
}

function Result({ test }: { test: Test }) {
  return (
    <>
      <p className="dim small" style={{ maxWidth: "75ch" }}>
        The detector run over {plural(test.hosts, "host")} since <TimeAgo at={test.since} form="moment" />
        {test.most_hosts === null ? "" : `; of those above a limit, the first ${count(test.most_hosts)}`}. An alarm is explained where a
        rule that could cause it was failing as it began, or such a setting had changed in the day before. Another one may be a false alarm,
        or a fault that no setting shows. An alarm needs two hours in a row above the limit; the last two columns have how many there would
        be after one hour and after three.
      </p>
      <DataTable
        label="Alarms by symptom"
        columns={[
          { head: "Symptom", isRowHead: true, cell: (row) => row.label },
          { head: "Limit", isNumber: true, cell: (row) => measured(row.limit, row.unit) },
          { head: "Alarms", isNumber: true, cell: (row) => count(row.alarms) },
          { head: "Open now", isNumber: true, cell: (row) => count(row.open_now) },
          { head: "Unexplained", isNumber: true, cell: (row) => count(row.unexplained) },
          { head: "Per week", isNumber: true, cell: (row) => row.unexplained_a_week.toFixed(1) },
          { head: "After 1 hour", isNumber: true, cell: (row) => count(row.after_one_hour) },
          { head: "After 3 hours", isNumber: true, cell: (row) => count(row.after_three_hours) },
        ]}
        rows={test.figures}
        rowKey={(row) => row.name}
      />
      {test.unexplained.length > 0 ? <Unexplained alarms={test.unexplained} /> : null}
    </>
  );
}

function Unexplained({ alarms }: { alarms: Alarm[] }) {
  return (
    <>
      <h3 style={{ margin: "14px 0 0" }}>Unexplained alarms</h3>
      <DataTable
        label="Unexplained alarms"
        columns={[
          {
            head: "Host",
            isRowHead: true,
            cell: (alarm) => (
              <Link to="/performance" search={{ host: [alarm.host.id], ...around(alarm) }} className="link">
                {visible(alarm.host.name)}
              </Link>
            ),
          },
          { head: "Symptom", cell: (alarm) => alarm.label },
          { head: "Began", cell: (alarm) => <TimeAgo at={alarm.began} form="moment" /> },
          { head: "Ended", cell: (alarm) => (alarm.ended === null ? "Open" : <TimeAgo at={alarm.ended} form="moment" />) },
        ]}
        rows={alarms}
        rowKey={(alarm) => `${alarm.host.id} ${alarm.label} ${alarm.began}`}
      />
    </>
  );
}

const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

const around = ({ began, ended }: Alarm) => ({
  from: iso(Date.parse(began) - BESIDE_MS),
  to: iso(Math.min(Date.now(), Date.parse(ended ?? began) + BESIDE_MS)),
});
