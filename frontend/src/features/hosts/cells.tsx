import { Link } from "@tanstack/react-router";
import type { HostRow } from "@/entities/host/types";
import { count, NO_DATA, percent, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./hosts.module.css";

/** Under this share of what applies a score is greyed. */
const WEAK_COVERAGE = 0.8;

export const isWeak = (host: HostRow): boolean => host.score !== null && host.rule_coverage !== null && host.rule_coverage < WEAK_COVERAGE;

export function Score({ host }: { host: HostRow }) {
  if (host.score === null) {
    return (
      <span className="dim" title={host.state === "waiting" ? "Pending approval: not scored" : "Not evaluated yet"}>
        {NO_DATA}
      </span>
    );
  }
  if (isWeak(host)) {
    return (
      <span
        className={styles.score}
        data-weak
        title={`Greyed out: only ${percent(host.rule_coverage)} of applicable rules could be evaluated`}
      >
        <span>{host.score}</span>
        <span className={styles.coverage}>{percent(host.rule_coverage)} coverage</span>
      </span>
    );
  }
  return (
    <span className={styles.score} title={host.capped_by ? `Capped at 59: ${host.capped_by}` : undefined}>
      <span className="strong">{host.score}</span>
      <span className={styles.track} aria-hidden="true">
        <i style={{ width: `${host.score}%` }} />
      </span>
    </span>
  );
}

export function Worst({ host }: { host: HostRow }) {
  return (
    <span className={styles.worst}>
      <WorstFinding host={host} />
      <Notes host={host} />
    </span>
  );
}

function WorstFinding({ host }: { host: HostRow }) {
  if (host.state === "waiting") return <StatusLabel status="neutral">Pending approval</StatusLabel>;
  if (host.worst) {
    return (
      <>
        <StatusLabel status="fail">{count(host.n_fail)}</StatusLabel>
        <Link
          to="/rules/$pack/$rule"
          params={{ pack: host.worst.pack, rule: host.worst.rule }}
          className={styles.clip}
          title={visible(host.worst.headline)}
        >
          {visible(host.worst.headline)}
        </Link>
      </>
    );
  }
  if (host.n_unknown > 0) return <StatusLabel status="unknown">{count(host.n_unknown)} unknown</StatusLabel>;
  return host.score === null ? <span className="dim">{NO_DATA}</span> : <StatusLabel status="pass">No failures</StatusLabel>;
}

export function Paths({ host }: { host: HostRow }) {
  if (host.paths_total === null || host.paths_healthy === null) {
    return (
      <span className="dim" title="Path state unknown">
        {NO_DATA}
      </span>
    );
  }
  const text = `${host.paths_healthy}/${host.paths_total}`;
  return host.paths_healthy < host.paths_total ? <StatusLabel status="fail">{text}</StatusLabel> : <span>{text}</span>;
}

export function Seen({ host }: { host: HostRow }) {
  if (host.freshness === "bundle") {
    return (
      <span className={styles.seen}>
        Bundle, <TimeAgo at={host.last_seen_at} form="day" />
      </span>
    );
  }
  const status = host.freshness === "silent" ? "fail" : host.freshness === "late" ? "warn" : host.freshness === "never" ? "unknown" : null;
  return (
    <span className={styles.seen}>
      {status === null ? <TimeAgo at={host.last_seen_at} /> : null}
      {status === "unknown" ? <StatusLabel status={status}>Never checked in</StatusLabel> : null}
      {status === "fail" || status === "warn" ? (
        <StatusLabel status={status}>
          {host.freshness === "late" ? "Late" : "Not reporting"}, <TimeAgo at={host.last_seen_at} form="age" />
        </StatusLabel>
      ) : null}
    </span>
  );
}

/** Short notes beside a finding that a person must not overlook: short enough to be whole in any row, the rest on hover and for screen readers. */
export function Notes({ host }: { host: Pick<HostRow, "alarm" | "failed_sections" | "is_restart_pending"> }) {
  const notes = [
    host.alarm ? { short: "Alarm", whole: `Alarm: ${host.alarm}` } : null,
    host.failed_sections.length > 0
      ? {
          short: `${plural(host.failed_sections.length, "section")} not read`,
          whole: `${plural(host.failed_sections.length, "section")} not read: ${host.failed_sections.join(", ")}`,
        }
      : null,
    host.is_restart_pending ? { short: "Restart pending", whole: "Restart pending" } : null,
  ].filter((note) => note !== null);
  const [first] = notes;
  if (!first) return null;
  const whole = visible(notes.map((note) => note.whole).join("; "));
  return (
    <span className={styles.note} title={whole}>
      <StatusLabel status="warn">
        <span aria-hidden="true" className={styles.noteWords}>
          {first.short}
          {notes.length > 1 ? ` +${notes.length - 1}` : ""}
        </span>
        <span className="hidden-visually">{whole}</span>
      </StatusLabel>
    </span>
  );
}
