import { Button, CopyButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { WatchCounters } from "@/entities/counters/watch-counters";
import { useDraftPlan } from "@/entities/plan/queries";
import type { OnCallProblem, ProblemFix } from "@/entities/problem/types";
import { CreateTicket } from "@/entities/ticket/create-ticket";
import { TicketList } from "@/entities/ticket/ticket-list";
import { plural } from "@/shared/lib/format";
import { capital, small, visible } from "@/shared/lib/text";
import { moment, relative } from "@/shared/lib/time";
import { useNow } from "@/shared/lib/use-now";
import { Failed } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo, useZone } from "@/shared/ui/time-ago";
import { FromTo } from "@/shared/ui/verbatim";
import { incidentText, pathsNow, problemStatus } from "./labels";
import { NoteActs, NoteLine } from "./note";
import styles from "./oncall.module.css";
import { ProblemCounters } from "./problem-counters";

interface ProblemCardProps {
  problem: OnCallProblem;
  approversAbout: string[];
  isOpen: boolean;
  toggle: () => void;
  /** A fix was planned: its number, and the standing approval that it may run under. */
  take: (plan: number, under: number | undefined) => void;
}

/** One problem: a line that says what, where and since when, and below it what it takes away and what can be done. */
export function ProblemCard({ problem, approversAbout, isOpen, toggle, take }: ProblemCardProps) {
  const zone = useZone();
  const now = useNow();
  const id = `problem-${problem.key}`;
  return (
    <article className={styles.card} aria-label={`${problem.kind_label} on ${visible(problem.host.name)}`} data-open={isOpen || undefined}>
      <button type="button" className={styles.head} aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <span className={styles.tags}>
          <StatusLabel status={problemStatus(problem)} isBadge>
            {problem.kind_label}
          </StatusLabel>
          <span className="strong">{visible(problem.host.name)}</span>
          <span className="dim">{visible(problem.group_name)}</span>
          {problem.note ? (
            <span className="dim">{problem.note.kind === "snoozed" ? "Snoozed" : `Owner: ${visible(problem.note.by)}`}</span>
          ) : null}
        </span>
        <span className={styles.words}>{visible(problem.words)}</span>
        <span className="dim">
          {problem.since ? (
            <>
              since {moment(problem.since, zone)}, {relative(problem.since, now)}
            </>
          ) : problem.kind === "silent" ? (
            "no check-in yet"
          ) : (
            "before the first check-in"
          )}
        </span>
        <IconChevronDown size={18} aria-hidden="true" />
      </button>
      {isOpen ? (
        <div id={id} className={styles.body}>
          <p>
            <span className="dim">Impact:</span> {visible(problem.takes_away)}
          </p>
          <Causes problem={problem} />
          <Changes problem={problem} />
          <Fixes problem={problem} approversAbout={approversAbout} take={take} />
          <ProblemCounters hostId={problem.host.id} series={problem.series} />
          <WatchCounters host={problem.host} series={problem.series.length > 0 ? problem.series : undefined} />
          <dl className={styles.facts}>
            <div>
              <dt>Current paths</dt>
              <dd>
                <Link to="/hosts/$hostId" params={{ hostId: problem.host.id }} search={{ tab: "paths" }} className="link">
                  {pathsNow(problem)}
                </Link>
              </dd>
            </div>
            <div>
              <dt>Owner</dt>
              <dd>{problem.note ? <NoteLine note={problem.note} /> : "Unassigned"}</dd>
            </div>
          </dl>
          <TicketList tickets={problem.tickets} />
          <div className={styles.four}>
            <NoteActs problem={problem} />
            {problem.may.includes("ticket") ? <CreateTicket about={{ problem: problem.key }} /> : null}
            <CopyIncident problem={problem} />
            <Link
              to="/hosts/$hostId"
              params={{ hostId: problem.host.id }}
              search={problem.kind === "paths" ? { tab: "paths" } : {}}
              className={styles.details}
            >
              View host
            </Link>
          </div>
        </div>
      ) : null}
    </article>
  );
}

/** What could explain a symptom: the failing rules on settings that cause it. Changes of these settings follow below. */
function Causes({ problem }: { problem: OnCallProblem }) {
  if (problem.kind !== "symptom") return null;
  if (problem.causes.length === 0) {
    return (
      <p className="dim">
        {problem.changes.length === 0
          ? "No failing rule and no change of the last 24 hours on this host could explain it."
          : "No failing rule on this host could explain it. Changed lately:"}
      </p>
    );
  }
  return (
    <>
      <p className="dim">Could explain it, the likeliest first:</p>
      <ul className={styles.changes} aria-label="Could explain it">
        {problem.causes.map((cause) => (
          <li key={`${cause.pack}/${cause.rule}`}>
            <Link
              to="/hosts/$hostId"
              params={{ hostId: problem.host.id }}
              search={{ finding: `${cause.pack}/${cause.rule}/${cause.subject_id}` }}
              className="link"
            >
              {visible(cause.headline)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function Changes({ problem }: { problem: OnCallProblem }) {
  if (problem.changes.length === 0 && problem.alike === 0) return null;
  return (
    <ul className={styles.changes} aria-label="Changed in the last 24 hours">
      {problem.changes.map((one) => (
        <li key={one.id}>
          <TimeAgo at={one.at} form="moment" /> {visible(one.subject)} {visible(small(one.label))} <FromTo from={one.old} to={one.new} />
          {one.cause_detail ? <span className="dim"> {visible(one.cause_detail)}</span> : null}{" "}
          <Link
            to="/drift"
            search={{ event: one.id }}
            className="link nowrap"
            aria-label={`View event: ${visible(one.subject)} ${visible(small(one.label))}`}
          >
            View event
          </Link>
        </li>
      ))}
      {problem.alike > 0 ? <li className="dim">Same on {plural(problem.alike, "other host")}</li> : null}
    </ul>
  );
}

function Fixes({ problem, approversAbout, take }: Pick<ProblemCardProps, "problem" | "approversAbout" | "take">) {
  if (problem.job_id !== null) {
    return (
      <Link to="/jobs/$jobId" params={{ jobId: String(problem.job_id) }} className={styles.main}>
        Open job {problem.job_id}
        <small>{problem.kind === "needs_human" ? "See what to check and what to do next" : "See what it did and why it failed"}</small>
      </Link>
    );
  }
  if (problem.fixes.length === 0) return null;
  if (!problem.may.includes("fix")) {
    return (
      <p className="dim">
        {problem.no_fix_because ? `No fix available: ${visible(problem.no_fix_because)}.` : "Only operators of this group can start a fix."}
      </p>
    );
  }
  return (
    <div className={styles.fixes}>
      {problem.fixes.slice(0, 3).map((fix, at) => (
        <Fix key={`${fix.pack}/${fix.rule}`} problem={problem} fix={fix} isMain={at === 0} approversAbout={approversAbout} take={take} />
      ))}
    </div>
  );
}

interface FixProps extends Pick<ProblemCardProps, "problem" | "approversAbout" | "take"> {
  fix: ProblemFix;
  isMain: boolean;
}

/** Plans one fix, which changes nothing yet: what it does to this host now is shown before it can be started. */
function Fix({ problem, fix, isMain, approversAbout, take }: FixProps) {
  const draft = useDraftPlan((plan) => take(plan.id, fix.standing?.id));
  return (
    <div>
      <button
        type="button"
        className={isMain ? styles.main : styles.other}
        disabled={draft.isPending}
        onClick={() =>
          draft.mutate({
            findings: fix.findings,
            title: `${fix.title}, ${problem.host.name}`,
            reason: `On-call: ${problem.words} on ${problem.host.name}`,
          })
        }
      >
        {draft.isPending ? "Preparing fix…" : `Show fix: ${visible(fix.title)}`}
        <small>{capital(visible(fix.impact_words))}. Nothing is changed yet.</small>
      </button>
      <p className={styles.under}>
        {fix.standing ? (
          <>
            Can run now under standing approval “{visible(fix.standing.name)}” by {visible(fix.standing.signer)}, until{" "}
            <TimeAgo at={fix.standing.expires_at} form="moment" />.
          </>
        ) : approversAbout.length > 0 ? (
          `Needs an approver. Online now: ${visible(approversAbout.join(", "))}.`
        ) : (
          "Needs an approver, and none has been active in the last 15 minutes. In an emergency, two admins can use break-glass on the plan page."
        )}
      </p>
      {draft.error ? <Failed error={draft.error} /> : null}
    </div>
  );
}

function CopyIncident({ problem }: { problem: OnCallProblem }) {
  const zone = useZone();
  const address = `${window.location.origin}/on-call?problem=${problem.key}`;
  return (
    <CopyButton value={incidentText(problem, zone, address)} timeout={1500}>
      {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy summary"}</Button>}
    </CopyButton>
  );
}
