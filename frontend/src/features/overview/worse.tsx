import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import type { WorseGroup } from "@/shared/api/types";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Empty } from "@/shared/ui/query-panel";
import { Instant } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./overview.module.css";

/** What got worse, one row for a change that happened alike on several hosts. */
export function Worse({ groups, days }: { groups: WorseGroup[]; days: number }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section className="section" id="worse" aria-label="Worse">
      <h2>
        Worse in the last {days === 1 ? "24 hours" : `${days} days`} <span className="dim">grouped by cause</span>
      </h2>
      {groups.length === 0 ? (
        <Empty title="Nothing got worse.">No rule that held at its host before fails there now.</Empty>
      ) : (
        <table className="data">
          <thead>
            <tr>
              <th scope="col" className="num" style={{ width: 48 }}>
                hosts
              </th>
              <th scope="col">what changed</th>
              <th scope="col" className="on-desk">
                likely cause
              </th>
              <th scope="col" className="on-desk">
                where
              </th>
              <th scope="col">when</th>
              <th scope="col">
                <span className="hidden-visually">look</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => {
              const only = group.host_count === 1 ? group.hosts[0] : undefined;
              const isOpen = open === group.alike;
              return (
                <Fragment key={group.alike}>
                  <tr>
                    <td className="num strong">{count(group.host_count)}</td>
                    <td>
                      {visible(group.label)} <FromTo from={group.old} to={group.new} />
                    </td>
                    <td className="on-desk">
                      {group.cause_detail ? visible(group.cause_detail) : <span className="dim">no update seen at that time</span>}
                    </td>
                    <td className="on-desk">{only ? visible(only.name) : visible(group.group_name)}</td>
                    <td className="nowrap">
                      <Instant at={group.last_at} form="moment" />
                    </td>
                    <td className="num">
                      {only ? (
                        <Link
                          to="/hosts/$hostId"
                          params={{ hostId: only.id }}
                          search={group.key ? { tab: "timeline" } : {}}
                          className={styles.look}
                          aria-label={`Look at ${only.name}`}
                        >
                          Look
                        </Link>
                      ) : (
                        <button
                          type="button"
                          className={styles.look}
                          aria-expanded={isOpen}
                          onClick={() => setOpen(isOpen ? null : group.alike)}
                        >
                          {isOpen ? "Close" : `Show ${plural(group.host_count, "host")}`}
                        </button>
                      )}
                    </td>
                  </tr>
                  {isOpen ? (
                    <tr>
                      <td />
                      <td colSpan={5}>
                        <div className={styles.hosts}>
                          {group.hosts.map((host) => (
                            <Link
                              key={host.id}
                              to="/hosts/$hostId"
                              params={{ hostId: host.id }}
                              search={group.key ? { tab: "timeline" } : {}}
                              className="link"
                            >
                              {visible(host.name)}
                            </Link>
                          ))}
                          {group.host_count > group.hosts.length ? (
                            <span className="dim">and {group.host_count - group.hosts.length} more</span>
                          ) : null}
                        </div>
                      </td>
                    </tr>
                  ) : null}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
