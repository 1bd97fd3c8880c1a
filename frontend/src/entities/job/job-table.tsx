import { useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { JobRow } from "@/shared/api/types";
import { NO_DATA } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Instant, useNow } from "@/shared/ui/time-ago";
import { JobState, ranFor } from "./job-state-badge";
import styles from "./job-table.module.css";

interface JobListProps {
  rows: JobRow[];
  /** Left out on a host's own page. */
  hasHost?: boolean;
  /** Left out on a plan's own page, where the wave stands instead. */
  hasPlan?: boolean;
}

/** Jobs as a table, and as cards on a phone. Each leads to its own page. */
export function JobList({ rows, hasHost = true, hasPlan = true }: JobListProps) {
  const isPhone = useMediaQuery("(max-width: 720px)") ?? false;
  return isPhone ? <Cards rows={rows} hasHost={hasHost} hasPlan={hasPlan} /> : <Table rows={rows} hasHost={hasHost} hasPlan={hasPlan} />;
}

function Table({ rows, hasHost, hasPlan }: Required<JobListProps>) {
  const now = useNow(5000);
  return (
    <ScrollX>
      <table className="data">
        <thead>
          <tr>
            <th scope="col" className="num">
              job
            </th>
            {hasHost ? <th scope="col">host</th> : null}
            <th scope="col">state</th>
            <th scope="col" className="num">
              steps done
            </th>
            {hasPlan ? (
              <th scope="col">plan</th>
            ) : (
              <th scope="col" className="num">
                wave
              </th>
            )}
            <th scope="col">begun by</th>
            <th scope="col">since</th>
            <th scope="col" className="num">
              ran for
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((job) => (
            <tr key={job.id}>
              <td className="num">
                <Link to="/jobs/$jobId" params={{ jobId: String(job.id) }} className="link" aria-label={jobName(job)}>
                  {job.id}
                </Link>
              </td>
              {hasHost ? (
                <td>
                  <Link to="/hosts/$hostId" params={{ hostId: job.host.id }} className="link">
                    {visible(job.host.name)}
                  </Link>
                </td>
              ) : null}
              <td className={styles.words}>
                <JobState job={job} />
                <StateWords job={job} />
              </td>
              <td className="num">{stepsWords(job)}</td>
              {hasPlan ? (
                <td>
                  <Link to="/remediate/$planId" params={{ planId: String(job.plan_id) }} className={`link ${styles.target}`}>
                    {visible(job.plan_title) || `plan ${job.plan_id}`}
                  </Link>
                  {job.kind === "undo" ? <Undoes job={job} /> : null}
                </td>
              ) : (
                <td className="num">{job.kind === "undo" ? <Undoes job={job} /> : job.wave}</td>
              )}
              <td>{visible(job.requested_by) || NO_DATA}</td>
              <td className="nowrap">
                <Instant at={job.state_at} />
              </td>
              <td className="num nowrap">{ranFor(job, now) ?? <span title="It has not begun">{NO_DATA}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function Cards({ rows, hasHost, hasPlan }: Required<JobListProps>) {
  const now = useNow(5000);
  return (
    <ul className={styles.cards} aria-label="Jobs">
      {rows.map((job) => {
        const ran = ranFor(job, now);
        return (
          <li key={job.id}>
            <div className={styles.head}>
              <Link to="/jobs/$jobId" params={{ jobId: String(job.id) }} className={styles.name} aria-label={jobName(job)}>
                {hasHost ? visible(job.host.name) : `job ${job.id}`}
              </Link>
              <span className="dim nowrap">
                <Instant at={job.state_at} />
              </span>
            </div>
            <div>
              <JobState job={job} />
              <StateWords job={job} />
            </div>
            <div className={styles.facts}>
              <span>
                {job.kind === "undo"
                  ? `undoes job ${job.undoes_id}`
                  : hasPlan
                    ? visible(job.plan_title) || `plan ${job.plan_id}`
                    : `wave ${job.wave}`}
              </span>
              <span>{stepsWords(job)} steps</span>
              <span>{visible(job.requested_by)}</span>
              {ran ? <span>ran for {ran}</span> : null}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

const jobName = (job: JobRow): string => `Job ${job.id}${job.kind === "undo" ? ", undo" : ""} on ${visible(job.host.name)}`;

const stepsWords = (job: JobRow): string => `${job.steps_done} of ${job.steps_total}`;

/** Why it stands as it does, where its state alone does not say it. */
function StateWords({ job }: { job: JobRow }) {
  const words = job.state_words === job.state_label ? "" : job.state_words;
  // "pending: reboot" stands in the words as well, where there are any.
  const effect = job.effect && !words.includes(job.effect) ? job.effect : "";
  if (!words && !effect) return null;
  return <div className="dim small">{visible([words, effect].filter(Boolean).join("; "))}</div>;
}

function Undoes({ job }: { job: JobRow }) {
  return (
    <div className="dim small">
      undoes{" "}
      <Link to="/jobs/$jobId" params={{ jobId: String(job.undoes_id) }} className={`link ${styles.target}`}>
        job {job.undoes_id}
      </Link>
    </div>
  );
}
