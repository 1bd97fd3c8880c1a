import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { WaivedFinding, WaiverDetail } from "@/entities/waiver/types";
import { count, plural } from "@/shared/lib/format";
import { capital, visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { isMissing, NotFound } from "@/shared/ui/not-found";
import { PropertyList } from "@/shared/ui/property-list";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Verbatim } from "@/shared/ui/verbatim";
import { Decide } from "./decide";
import { Evidence } from "./evidence";
import { Forecast } from "./forecast";
import { STATE, stateLabel } from "./labels";
import { useWaived, useWaiver } from "./queries";
import styles from "./waivers.module.css";

export function WaiverPage({ waiverId, canRequest }: { waiverId: number; canRequest: boolean }) {
  const waiver = useWaiver(waiverId);
  if (isMissing(waiver)) {
    return <NotFound what="waiver" title="Waiver not found" to="/waivers" />;
  }
  return (
    <QueryPanel query={waiver} height={480} lines={14}>
      {(data) => (
        <>
          <div className="page-head">
            <h1>
              Waiver {data.id}: {data.rule.title}
            </h1>
            <StatusLabel status={STATE[data.state].status} isBadge>
              {stateLabel(data.state)}
            </StatusLabel>
            <span className="dim">{visible(data.scope.label)}</span>
          </div>
          <div className={styles.two}>
            <div>
              <p style={{ fontSize: 15, maxWidth: "80ch" }}>{visible(data.reason)}</p>
              {data.end_words && data.state !== "active" && data.state !== "requested" ? (
                <p className="dim" style={{ marginTop: 6 }}>
                  {stateLabel(data.state)} <TimeAgo at={data.ended_at} />
                  {data.ended_by ? ` by ${visible(data.ended_by.name)}` : ""}: {visible(data.end_words)}
                </p>
              ) : null}
              <Decide waiver={data} canRequest={canRequest} />
              {data.state === "requested" ? <Forecast waiver={data} /> : null}
              <Findings waiver={data} />
              <Wires waiver={data} />
            </div>
            <Facts waiver={data} />
          </div>
        </>
      )}
    </QueryPanel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Facts({ waiver }: { waiver: WaiverDetail }) {
  return (
    <aside className={styles.side} aria-label="About this waiver">
      <section>
        <h2>Details</h2>
        <dl className={styles.facts}>
          <Fact name="Rule">
            <Link to="/rules/$pack/$rule" params={{ pack: waiver.rule.pack, rule: waiver.rule.rule }} className="link">
              {waiver.rule.title}
            </Link>
          </Fact>
          {waiver.also.length > 0 ? (
            <Fact name="Also required by">
              {waiver.also.map((rule) => (
                <div key={`${rule.pack}/${rule.rule}`}>
                  <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
                    {rule.title}
                  </Link>{" "}
                  <span className="dim">{rule.pack}</span>
                </div>
              ))}
            </Fact>
          ) : null}
          {waiver.asked_since.length > 0 ? (
            <Fact name="Not included">
              {waiver.asked_since.map((rule) => (
                <div key={`${rule.pack}/${rule.rule}`}>
                  <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
                    {rule.title}
                  </Link>{" "}
                  <span className="dim">{rule.pack}</span>
                </div>
              ))}
              <div className="dim small">This rule became equivalent after the request. Renew the waiver to include it.</div>
            </Fact>
          ) : null}
          <Fact name="Scope">
            {waiver.scope.host ? (
              <Link to="/hosts/$hostId" params={{ hostId: waiver.scope.host.id }} className="link">
                {visible(waiver.scope.label)}
              </Link>
            ) : waiver.scope.kind === "group" && waiver.scope.group_id !== null ? (
              <Link to="/hosts" search={{ group: [waiver.scope.group_id] }} className="link">
                {visible(waiver.scope.label)}
              </Link>
            ) : (
              visible(waiver.scope.label)
            )}
          </Fact>
          <Fact name="Owner">{visible(waiver.owner.name)}</Fact>
          <Fact name="Requested by">
            {visible(waiver.requested_by.name)}, <TimeAgo at={waiver.requested_at} />
          </Fact>
          <Fact name="Approved by">
            {waiver.approved_by ? (
              <>
                {visible(waiver.approved_by.name)}, <TimeAgo at={waiver.approved_at} />
              </>
            ) : (
              "Not yet"
            )}
          </Fact>
          <Fact
            name={
              waiver.state === "active" || waiver.state === "requested"
                ? "Expires"
                : waiver.state === "expired"
                  ? "Expired"
                  : "Would have expired"
            }
          >
            <TimeAgo at={waiver.expires_at} form="exact" />
          </Fact>
          {waiver.ticket ? <Fact name="Ticket">{visible(waiver.ticket)}</Fact> : null}
          {waiver.replaces_id !== null ? (
            <Fact name="Replaces">
              <Link to="/waivers/$waiverId" params={{ waiverId: String(waiver.replaces_id) }} className="link">
                Waiver {waiver.replaces_id}
              </Link>
            </Fact>
          ) : null}
          {waiver.replaced_by !== null ? (
            <Fact name="Replaced by">
              <Link to="/waivers/$waiverId" params={{ waiverId: String(waiver.replaced_by) }} className="link">
                Waiver {waiver.replaced_by}
              </Link>
            </Fact>
          ) : null}
        </dl>
      </section>
      <Evidence waiver={waiver} />
      <section>
        <h2>History</h2>
        <ul className={styles.list}>
          {waiver.history.map((event) => (
            <li key={`${event.at}${event.action}`}>
              <b>{capital(event.action)}</b> by {visible(event.actor)}, <TimeAgo at={event.at} />
              {event.reason && event.reason !== waiver.reason ? <div className="dim">{visible(event.reason)}</div> : null}
            </li>
          ))}
        </ul>
      </section>
    </aside>
  );
}

const FINDINGS: Column<WaivedFinding>[] = [
  {
    head: "Host",
    cell: (one) => (
      <Link
        to="/hosts/$hostId"
        params={{ hostId: one.host.id }}
        search={{ finding: `${one.rule.pack}/${one.rule.rule}/${one.subject.id}` }}
        className="link nowrap"
      >
        {visible(one.host.name)}
      </Link>
    ),
  },
  { head: "Required by", className: "dim", cell: (one) => one.rule.pack },
  { head: "Item", className: "dim", cell: (one) => visible(one.subject.label) },
  { head: "Status", cell: (one) => <StatusLabel status={one.standing} /> },
  { head: "Observed", cell: (one) => <Verbatim of={one.observed} /> },
  { head: "Expected", cell: (one) => <Verbatim of={one.expected} /> },
  { head: "Failing since", className: "nowrap", cell: (one) => <TimeAgo at={one.failing_since} /> },
];

function Findings({ waiver }: { waiver: WaiverDetail }) {
  const found = useWaived(waiver.id);
  const isOver = waiver.state !== "active" && waiver.state !== "requested";
  return (
    <section className="section" aria-label="Waived findings">
      <h2>
        Waived findings{" "}
        <span className="dim">
          {waiver.state === "requested" ? "would be excluded from the score" : "excluded from the score; still failing"}
        </span>
      </h2>
      <QueryPanel
        query={found}
        height={140}
        isEmpty={(data) => data.items.length === 0}
        empty={
          <Empty title={isOver ? "None: waiver ended" : "None"}>
            {isOver ? "Failing findings count again." : "Nothing in scope is failing right now. The waiver stays active."}
          </Empty>
        }
      >
        {(data) => (
          <>
            <DataTable
              columns={FINDINGS}
              hidden={waiver.also.length > 0 ? [] : ["Required by"]}
              rows={data.items}
              rowKey={(one) => `${one.host.id}/${one.rule.pack}/${one.rule.rule}/${one.subject.kind}/${one.subject.id}`}
            />
            {data.total > data.items.length ? (
              <p className="dim small">
                Showing {count(data.items.length)} of {plural(data.total, "finding")}.
              </p>
            ) : null}
          </>
        )}
      </QueryPanel>
    </section>
  );
}

/** The hosts whose driver and topology are monitored, and where a change of one ended the waiver early. */
function Wires({ waiver }: { waiver: WaiverDetail }) {
  const watched = waiver.hosts.filter((one) => one.watched > 0 || one.tripped_at);
  if (watched.length === 0) return null;
  const isOver = waiver.state !== "active" && waiver.state !== "requested";
  return (
    <section className="section" aria-label="Early-end triggers">
      <h2>
        Early-end triggers{" "}
        <span className="dim">A change of driver, firmware, role, cluster or storage adapter ends the waiver on that host</span>
      </h2>
      <PropertyList
        items={watched.map((one) => ({
          key: one.host.id,
          name: (
            <Link to="/hosts/$hostId" params={{ hostId: one.host.id }} className="link nowrap">
              {visible(one.host.name)}
            </Link>
          ),
          value: (
            <>
              {one.tripped_at ? (
                <StatusLabel status="warn">
                  Ended <TimeAgo at={one.tripped_at} />
                </StatusLabel>
              ) : (
                <span className="dim">{isOver ? "No longer monitored" : `${plural(one.watched, "value")} monitored`}</span>
              )}{" "}
              <span className="dim">{visible(one.words)}</span>
            </>
          ),
        }))}
      />
    </section>
  );
}
