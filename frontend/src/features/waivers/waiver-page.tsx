import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { WaiverDetail } from "@/shared/api/types";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { isMissing, NoSuch } from "@/shared/ui/not-found";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { Said } from "@/shared/ui/verbatim";
import { Decide } from "./decide";
import { Evidence } from "./evidence";
import { Forecast } from "./forecast";
import { STATE, stateWord } from "./labels";
import { useWaived, useWaiver } from "./queries";
import styles from "./waivers.module.css";

export function WaiverPage({ waiverId, canRequest }: { waiverId: number; canRequest: boolean }) {
  const waiver = useWaiver(waiverId);
  if (isMissing(waiver)) {
    return <NoSuch what="waiver" title="No waiver of your groups has this number." to="/waivers" />;
  }
  return (
    <Panel query={waiver} height={480} lines={14}>
      {(data) => (
        <>
          <div className="page-head">
            <h1>
              Waiver {data.id}: {data.rule.title}
            </h1>
            <Outcome status={STATE[data.state].status} isBadge>
              {stateWord(data.state)}
            </Outcome>
            <span className="dim">{visible(data.scope.label)}</span>
          </div>
          <div className={styles.two}>
            <div>
              <p style={{ fontSize: 15, maxWidth: "80ch" }}>{visible(data.reason)}</p>
              {data.end_words && data.state !== "active" && data.state !== "requested" ? (
                <p className="dim" style={{ marginTop: 6 }}>
                  {stateWord(data.state)} <Instant at={data.ended_at} />
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
    </Panel>
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
            {visible(waiver.requested_by.name)}, <Instant at={waiver.requested_at} />
          </Fact>
          <Fact name="approved by">
            {waiver.approved_by ? (
              <>
                {visible(waiver.approved_by.name)}, <Instant at={waiver.approved_at} />
              </>
            ) : (
              "nobody"
            )}
          </Fact>
          <Fact name={waiver.state === "active" || waiver.state === "requested" ? "ends" : "was to end"}>
            <Instant at={waiver.expires_at} form="exact" />
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
              <b>{event.action}</b> by {visible(event.actor)}, <Instant at={event.at} />
              {event.reason && event.reason !== waiver.reason ? <div className="dim">{visible(event.reason)}</div> : null}
            </li>
          ))}
        </ul>
      </section>
    </aside>
  );
}

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
      <Panel
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
            <ScrollX>
              <table className="data">
                <thead>
                  <tr>
                    <th scope="col">host</th>
                    {waiver.also.length > 0 ? <th scope="col">asked by</th> : null}
                    <th scope="col">subject</th>
                    <th scope="col">outcome</th>
                    <th scope="col">observed</th>
                    <th scope="col">expected</th>
                    <th scope="col">failing since</th>
                  </tr>
                </thead>
                <tbody>
                  {data.items.map((one) => (
                    <tr key={`${one.host.id}/${one.rule.pack}/${one.rule.rule}/${one.subject.kind}/${one.subject.id}`}>
                      <td>
                        <Link
                          to="/hosts/$hostId"
                          params={{ hostId: one.host.id }}
                          search={{ finding: `${one.rule.pack}/${one.rule.rule}/${one.subject.id}` }}
                          className="link nowrap"
                        >
                          {visible(one.host.name)}
                        </Link>
                      </td>
                      {waiver.also.length > 0 ? <td className="dim">{one.rule.pack}</td> : null}
                      <td className="dim">{visible(one.subject.label)}</td>
                      <td>
                        <Outcome status={one.standing} />
                      </td>
                      <td>
                        <Said of={one.observed} />
                      </td>
                      <td>
                        <Said of={one.expected} />
                      </td>
                      <td className="nowrap">
                        <Instant at={one.failing_since} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
            {data.total > data.items.length ? (
              <p className="dim small">
                The first {count(data.items.length)} of {plural(data.total, "finding")}.
              </p>
            ) : null}
          </>
        )}
      </Panel>
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
      <table className="data">
        <tbody>
          {watched.map((one) => (
            <tr key={one.host.id}>
              <td>
                <Link to="/hosts/$hostId" params={{ hostId: one.host.id }} className="link nowrap">
                  {visible(one.host.name)}
                </Link>
              </td>
              <td>
                {one.tripped_at ? (
                  <Outcome status="warn">
                    ended <Instant at={one.tripped_at} />
                  </Outcome>
                ) : (
                  <span className="dim">{isOver ? "watched no longer" : `${plural(one.watched, "value")} watched`}</span>
                )}
              </td>
              <td className="dim">{visible(one.words)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
