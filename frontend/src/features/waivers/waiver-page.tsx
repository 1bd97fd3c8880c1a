import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { WaivedFinding, WaiverDetail } from "@/entities/waiver/types";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
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
    return <NotFound what="waiver" title="No waiver of your groups has this number." to="/waivers" />;
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
        <h2>What is accepted</h2>
        <dl className={styles.facts}>
          <Fact name="rule">
            <Link to="/rules/$pack/$rule" params={{ pack: waiver.rule.pack, rule: waiver.rule.rule }} className="link">
              {waiver.rule.title}
            </Link>
          </Fact>
          {waiver.also.length > 0 ? (
            <Fact name="asked also by">
              {waiver.also.map((rule) => (
                <div key={`${rule.pack}/${rule.rule}`}>
                  <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
                    {rule.pack}/{rule.rule}
                  </Link>
                </div>
              ))}
            </Fact>
          ) : null}
          {waiver.asked_since.length > 0 ? (
            <Fact name="not accepted with it">
              {waiver.asked_since.map((rule) => (
                <div key={`${rule.pack}/${rule.rule}`}>
                  <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
                    {rule.pack}/{rule.rule}
                  </Link>
                </div>
              ))}
              <div className="dim small">It asks the same since this waiver was asked for. A renewal takes it in.</div>
            </Fact>
          ) : null}
          <Fact name="where">
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
          <Fact name="owner">{visible(waiver.owner.name)}</Fact>
          <Fact name="asked for by">
            {visible(waiver.requested_by.name)}, <TimeAgo at={waiver.requested_at} />
          </Fact>
          <Fact name="approved by">
            {waiver.approved_by ? (
              <>
                {visible(waiver.approved_by.name)}, <TimeAgo at={waiver.approved_at} />
              </>
            ) : (
              "nobody"
            )}
          </Fact>
          <Fact name={waiver.state === "active" || waiver.state === "requested" ? "ends" : "was to end"}>
            <TimeAgo at={waiver.expires_at} form="exact" />
          </Fact>
          {waiver.ticket ? <Fact name="ticket">{visible(waiver.ticket)}</Fact> : null}
          {waiver.replaces_id !== null ? (
            <Fact name="takes the place of">
              <Link to="/waivers/$waiverId" params={{ waiverId: String(waiver.replaces_id) }} className="link">
                waiver {waiver.replaces_id}
              </Link>
            </Fact>
          ) : null}
          {waiver.replaced_by !== null ? (
            <Fact name="replaced by">
              <Link to="/waivers/$waiverId" params={{ waiverId: String(waiver.replaced_by) }} className="link">
                waiver {waiver.replaced_by}
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
              <b>{event.action}</b> by {visible(event.actor)}, <TimeAgo at={event.at} />
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
    head: "host",
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
  { head: "asked by", className: "dim", cell: (one) => one.rule.pack },
  { head: "subject", className: "dim", cell: (one) => visible(one.subject.label) },
  { head: "outcome", cell: (one) => <StatusLabel status={one.standing} /> },
  { head: "observed", cell: (one) => <Verbatim of={one.observed} /> },
  { head: "expected", cell: (one) => <Verbatim of={one.expected} /> },
  { head: "failing since", className: "nowrap", cell: (one) => <TimeAgo at={one.failing_since} /> },
];

function Findings({ waiver }: { waiver: WaiverDetail }) {
  const found = useWaived(waiver.id);
  const isOver = waiver.state !== "active" && waiver.state !== "requested";
  return (
    <section className="section" aria-label="Findings under it">
      <h2>
        Findings under it{" "}
        <span className="dim">
          {waiver.state === "requested" ? "that it would take out of the score" : "taken out of the score; each still fails"}
        </span>
      </h2>
      <QueryPanel
        query={found}
        height={140}
        isEmpty={(data) => data.items.length === 0}
        empty={
          <Empty title={isOver ? "None: it meets nothing any more." : "None now."}>
            {isOver ? "What fails counts again." : "Nothing of this fails in its place at the moment; it stands for what may come."}
          </Empty>
        }
      >
        {(data) => (
          <>
            <DataTable
              columns={FINDINGS}
              hidden={waiver.also.length > 0 ? [] : ["asked by"]}
              rows={data.items}
              rowKey={(one) => `${one.host.id}/${one.rule.pack}/${one.rule.rule}/${one.subject.kind}/${one.subject.id}`}
            />
            {data.total > data.items.length ? (
              <p className="dim small">
                The first {count(data.items.length)} of {plural(data.total, "finding")}.
              </p>
            ) : null}
          </>
        )}
      </QueryPanel>
    </section>
  );
}

/** The hosts whose driver and topology are watched, and where one of them ended the waiver early. */
function Wires({ waiver }: { waiver: WaiverDetail }) {
  const watched = waiver.hosts.filter((one) => one.watched > 0 || one.tripped_at);
  if (watched.length === 0) return null;
  const isOver = waiver.state !== "active" && waiver.state !== "requested";
  return (
    <section className="section" aria-label="Trip-wires">
      <h2>
        Trip-wires <span className="dim">another driver, firmware, role, cluster or storage adapter ends it on that host</span>
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
                  ended <TimeAgo at={one.tripped_at} />
                </StatusLabel>
              ) : (
                <span className="dim">{isOver ? "watched no longer" : `${plural(one.watched, "value")} watched`}</span>
              )}{" "}
              <span className="dim">{visible(one.words)}</span>
            </>
          ),
        }))}
      />
    </section>
  );
}
