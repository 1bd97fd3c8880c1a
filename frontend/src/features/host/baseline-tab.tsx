import { Link } from "@tanstack/react-router";
import { DifferenceTable } from "@/entities/baseline/difference-table";
import { ProposeBaseline } from "@/entities/baseline/propose";
import { useHostBaseline } from "@/entities/baseline/queries";
import type { BaselineRow, HostBaseline } from "@/entities/baseline/types";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";

/** The host beside the configuration that somebody accepted for it. */
export function BaselineTab({ hostId, name }: { hostId: string; name: string }) {
  const baseline = useHostBaseline(hostId);
  return (
    <QueryPanel
      query={baseline}
      height={320}
      lines={9}
      isEmpty={(data) => data.accepted_at === null && data.waiting.length === 0}
      empty={
        <Empty
          title="No baseline"
          action={baseline.data?.may_propose ? <ProposeBaseline hostId={hostId} about={name} isMain /> : undefined}
        >
          When the host is configured correctly, an operator proposes its configuration and an approver accepts it. Later differences are
          listed here.
        </Empty>
      }
    >
      {(data) => (
        <>
          {data.waiting.map((row) => (
            <Waits key={row.id} row={row} />
          ))}
          {data.accepted_at ? <Accepted data={data} hostId={hostId} name={name} /> : null}
        </>
      )}
    </QueryPanel>
  );
}

function Waits({ row }: { row: BaselineRow }) {
  return (
    <p>
      <StatusLabel status="warn">Pending approval</StatusLabel>{" "}
      <Link to="/drift" search={{ tab: "baselines", baseline: row.id }} className="link">
        Proposal {row.id}
      </Link>{" "}
      <span className="dim">
        by {visible(row.proposed_by)}, <TimeAgo at={row.proposed_at} />
        {row.host ? "" : `, for group ${visible(row.group_name)}`}: {visible(row.reason)}
      </span>
    </p>
  );
}

function Accepted({ data, hostId, name }: { data: HostBaseline; hostId: string; name: string }) {
  const isSame = data.differences.length === 0 && data.unread.length === 0 && data.state === "none";
  return (
    <>
      <section className="section" style={{ marginTop: 16 }} aria-label="Differences from the baseline">
        <h2>
          {isSame ? (
            <StatusLabel status="pass">Matches baseline</StatusLabel>
          ) : data.differences.length > 0 ? (
            <StatusLabel status="fail">{plural(data.differences.length, "difference")}</StatusLabel>
          ) : (
            <StatusLabel status="unknown">Unknown</StatusLabel>
          )}{" "}
          <span className="dim">
            {data.differs_since ? (
              <>
                since <TimeAgo at={data.differs_since} form="moment" />,{" "}
              </>
            ) : null}
            accepted by {visible(data.accepted_by)} <TimeAgo at={data.accepted_at} />, proposed by {visible(data.proposed_by)}:{" "}
            {visible(data.reason)}
          </span>
        </h2>
        {data.differences.length > 0 ? (
          <>
            <DifferenceTable items={data.differences} />
            <Link to="/hosts/$hostId/compare" params={{ hostId }} search={{ with: "baseline" }} className="link">
              Restore baseline values…
            </Link>
          </>
        ) : null}
        {isSame ? (
          <p className="dim">
            All settings match the baseline read on <TimeAgo at={data.configuration_read_at} form="exact" />.
          </p>
        ) : null}
        {data.as_of === null ? <p className="dim">Can't compare: one of the configurations can't be read.</p> : null}
      </section>
      {data.unread.length > 0 ? (
        <section className="section" aria-label="Not comparable now">
          <h2>
            <StatusLabel status="unknown">{plural(data.unread.length, "setting")} can't be compared</StatusLabel>{" "}
            <span className="dim">in the baseline, not readable now</span>
          </h2>
          <ul>
            {data.unread.slice(0, 40).map((item) => (
              <li key={`${item.subject.kind}/${item.subject.id}/${item.key}`}>
                {visible(item.subject.label)} {item.label}: <span className="dim">{visible(item.reason)}</span>
              </li>
            ))}
            {data.unread.length > 40 ? <li className="dim">and {data.unread.length - 40} more</li> : null}
          </ul>
        </section>
      ) : null}
      {data.may_propose && data.waiting.length === 0 && !isSame ? (
        <ProposeBaseline hostId={hostId} about={name} label="Propose current configuration" />
      ) : null}
      <p className="dim small" style={{ marginTop: 12 }}>
        Links, paths and sessions are not part of the baseline; rules check them.
      </p>
    </>
  );
}
