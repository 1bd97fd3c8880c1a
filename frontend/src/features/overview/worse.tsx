import { Link } from "@tanstack/react-router";
import { causeLabel } from "@/entities/host/labels";
import { useCan } from "@/entities/person/queries";
import { PlanFixButton } from "@/entities/plan/plan-fix-button";
import { count, plural } from "@/shared/lib/format";
import { capital, visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./overview.module.css";
import type { StricterPack, WorseGroup } from "./types";

interface WorseProps {
  /** When it was put together, if not with the page. */
  asOf: string | undefined;
  groups: WorseGroup[];
  stricter: StricterPack[];
  /** The group of hosts that the page is about, if not all. */
  within: number | undefined;
  days: number;
  /** The group whose hosts are shown, by its key in the address. */
  open: string | undefined;
  setOpen: (alike: string | undefined) => void;
}

/** What got worse, one row for a change that happened alike on several hosts; the fix of a row is planned from here. */
export function Worse({ asOf, groups, stricter, within, days, open, setOpen }: WorseProps) {
  const canPlan = useCan().draft_plans ?? false;
  return (
    <section className="section" id="worse" aria-label="Worse">
      <h2>
        Got worse in the last {days === 1 ? "24 hours" : `${days} days`}{" "}
        <span className="dim">
          grouped by cause, most urgent first
          {asOf ? (
            <>
              , as of <TimeAgo at={asOf} />
            </>
          ) : null}
        </span>
      </h2>
      {groups.length === 0 ? (
        <Empty title="Nothing got worse">No check that passed before is failing now.</Empty>
      ) : (
        <DataTable
          columns={columnsOf({ open, canPlan, days, within, toggle: (alike) => setOpen(open === alike ? undefined : alike) })}
          rows={groups}
          rowKey={(group) => group.alike}
          detail={(group) => (open === group.alike ? <Hosts group={group} /> : null)}
        />
      )}
      {stricter.map((one) => (
        <p key={`${one.pack} ${one.version}`} className="dim small">
          Not drift: {one.rules.length === 1 ? "1 rule fails" : `${count(one.rules.length)} rules fail`} on {plural(one.hosts, "host")}{" "}
          since{" "}
          <Link to="/packs/$pack" params={{ pack: one.pack }} className="link">
            {one.pack} {one.version}
          </Link>{" "}
          was activated <TimeAgo at={one.activated_at} />.
        </p>
      ))}
    </section>
  );
}

const onlyHost = (group: WorseGroup) => (group.host_count === 1 ? group.hosts[0] : undefined);

const whereOf = (group: WorseGroup): string => onlyHost(group)?.name ?? plural(group.host_count, "host");

interface RowActs extends Pick<WorseProps, "days" | "within"> {
  open: string | undefined;
  canPlan: boolean;
  toggle: (alike: string) => void;
}

const columnsOf = (acts: RowActs): Column<WorseGroup>[] => [
  { head: "Hosts", isNumber: true, className: "strong", width: 56, cell: (group) => count(group.host_count) },
  { head: "What changed", cell: (group) => <Change group={group} /> },
  { head: "Likely cause", cell: (group) => <Cause group={group} /> },
  { head: "Where", cell: (group) => visible(onlyHost(group)?.name ?? group.group_name) },
  { head: "When", className: "nowrap", cell: (group) => <TimeAgo at={group.last_at} form="moment" /> },
  { head: "Actions", isHeadHidden: true, isNumber: true, cell: (group) => <Acts group={group} {...acts} /> },
];

/** A changed setting with both values; a rule that began to fail without a change has its name alone. */
function Change({ group }: { group: WorseGroup }) {
  return (
    <>
      {visible(group.label)}{" "}
      {group.key ? <FromTo from={group.old} to={group.new} /> : <span className="dim">was {visible(group.old)}</span>}
      {group.effect_count > 0 ? <span className="dim small">, and {plural(group.effect_count, "other setting")}</span> : null}
      {group.peer_count > 0 ? (
        <div className="dim small">
          {plural(group.peer_count, "cluster peer")} {group.peer_count === 1 ? "differs" : "differ"} from it now
        </div>
      ) : null}
    </>
  );
}

function Cause({ group }: { group: WorseGroup }) {
  if (group.cause === "no_change") return <>{capital(visible(group.cause_detail))}</>;
  if (group.job_id !== null && group.job_id !== undefined) {
    return (
      <>
        <Link to="/jobs/$jobId" params={{ jobId: String(group.job_id) }} className="link">
          Plumbline job {group.job_id}
        </Link>
        <span className="dim">: {visible(group.cause_detail)}</span>
      </>
    );
  }
  return (
    <>
      {causeLabel(group.cause)}
      {group.cause_detail ? <span className="dim">: {visible(group.cause_detail)}</span> : null}
    </>
  );
}

/** Planning the fix is the main act; a group without a fix that a plan can carry out only leads on. */
function Acts({ group, open, canPlan, days, within, toggle }: RowActs & { group: WorseGroup }) {
  const only = onlyHost(group);
  return (
    <span className={styles.acts}>
      {canPlan && group.fix_rules.length > 0 ? (
        <PlanFixButton
          label={`Plan fix (${count(group.host_ids.length)})`}
          about={`${visible(group.label)}, ${visible(whereOf(group))}`}
          reason={reasonOf(group)}
          wanted={{ rules: group.fix_rules.map((rule) => ({ ...rule, host_ids: group.host_ids })) }}
        />
      ) : null}
      {group.event_id ? (
        <Link
          to="/drift"
          search={{ event: Number(group.event_id), hours: days * 24, group: within }}
          className={styles.look}
          aria-label={`View ${group.label} on ${visible(whereOf(group))}`}
        >
          View
        </Link>
      ) : only ? (
        <Link to="/hosts/$hostId" params={{ hostId: only.id }} className={styles.look} aria-label={`View ${visible(only.name)}`}>
          View
        </Link>
      ) : (
        <button type="button" className={styles.look} aria-expanded={open === group.alike} onClick={() => toggle(group.alike)}>
          {open === group.alike ? "Hide hosts" : `Show ${plural(group.host_count, "host")}`}
        </button>
      )}
    </span>
  );
}

/** The reason that a plan begins with; whoever requests it may change it. */
function reasonOf(group: WorseGroup): string {
  const change = group.key ? `${group.label} changed from ${group.old} to ${group.new}` : `${group.label} began to fail`;
  const cause = group.cause === "no_change" || group.cause === "unknown" ? "" : ` (${causeLabel(group.cause).toLowerCase()})`;
  return `${change} on ${whereOf(group)}${cause}`;
}

function Hosts({ group }: { group: WorseGroup }) {
  return (
    <div className={styles.hosts}>
      {group.hosts.map((host) => (
        <Link key={host.id} to="/hosts/$hostId" params={{ hostId: host.id }} className="link">
          {visible(host.name)}
        </Link>
      ))}
      {group.host_count > group.hosts.length ? <span className="dim">and {group.host_count - group.hosts.length} more</span> : null}
    </div>
  );
}
