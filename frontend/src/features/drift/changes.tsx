import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import type { ChangeGroup, DriftPage } from "@/shared/api/types";
import { count, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Instant } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./drift.module.css";
import { causeWord } from "./labels";

/** Alike changes together, newest first; what our own jobs did stands apart, since it was asked for. */
export function Changes({ data }: { data: DriftPage }) {
  const unexpected = data.groups.filter((group) => !group.is_expected);
  const expected = data.groups.filter((group) => group.is_expected);
  return (
    <>
      {unexpected.length > 0 ? (
        <section aria-label="Changes that nobody asked us for">
          <Table groups={unexpected} />
        </section>
      ) : null}
      {expected.length > 0 ? (
        <section className="section" aria-label="Changes by our jobs">
          <h2>
            By our jobs <span className="dim">planned and approved here</span>
          </h2>
          <Table groups={expected} />
        </section>
      ) : null}
      {data.more > 0 ? <p className="dim">{count(data.more)} older groups of changes are not shown; choose a shorter time.</p> : null}
      {data.is_cut ? <p className="dim">More changed than this page looks at; the oldest changes of the time are left out.</p> : null}
    </>
  );
}

function Table({ groups }: { groups: ChangeGroup[] }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <table className={`data ${styles.changes}`}>
      <thead>
        <tr>
          <th scope="col" className="num">
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
        {groups.map((group) => (
          <Row key={group.id} group={group} isOpen={open === group.id} toggle={() => setOpen(open === group.id ? null : group.id)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ group, isOpen, toggle }: { group: ChangeGroup; isOpen: boolean; toggle: () => void }) {
  const only = group.host_count === 1 ? group.hosts[0] : undefined;
  const kind = group.key.split(".")[0] ?? "";
  const many = group.subjects > group.host_count ? `, ${plural(group.subjects, kind)}` : "";
  return (
    <Fragment>
      <tr>
        <td className="num strong">{count(group.host_count)}</td>
        <td>
          {visible(group.label)} <FromTo from={group.old} to={group.new} />
          {many ? <span className="dim small">{many}</span> : null}
          <div className="dim small on-phone">
            {only ? visible(only.name) : visible(group.group_name)};{" "}
            {group.cause_detail ? visible(group.cause_detail) : causeWord(group.cause)}
          </div>
        </td>
        <td className="on-desk">
          {group.cause_detail ? visible(group.cause_detail) : <span className="dim">{causeWord(group.cause)}</span>}
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
              search={{ tab: "timeline" }}
              className={styles.look}
              aria-label={`Look at ${only.name}`}
            >
              Look
            </Link>
          ) : (
            <button type="button" className={styles.look} aria-expanded={isOpen} onClick={toggle}>
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
                <Link key={host.id} to="/hosts/$hostId" params={{ hostId: host.id }} search={{ tab: "timeline" }} className="link">
                  {visible(host.name)}
                </Link>
              ))}
              {group.host_count > group.hosts.length ? (
                <span className="dim">and {count(group.host_count - group.hosts.length)} more</span>
              ) : null}
            </div>
            <div className="dim small">
              first <Instant at={group.first_at} form="exact" />, last <Instant at={group.last_at} form="exact" />
            </div>
          </td>
        </tr>
      ) : null}
    </Fragment>
  );
}
