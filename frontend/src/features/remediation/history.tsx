import { Link } from "@tanstack/react-router";
import type { JobRow, PlanDetail } from "@/api/types";
import { Instant } from "@/components/instant";
import { Outcome } from "@/components/outcome";
import { ScrollX } from "@/components/scroll-x";
import { NO_DATA } from "@/lib/format";
import { visible } from "@/lib/text";
import styles from "./remediation.module.css";
import { jobStatus } from "./words";

/** What happened to a plan, newest first. */
export function History({ events }: { events: PlanDetail["events"] }) {
  if (events.length === 0) return null;
  return (
    <section className="section" aria-label="History">
      <h2>History</h2>
      <ol className={styles.events} reversed>
        {[...events].reverse().map((event) => (
          <li key={event.number}>
            <Instant at={event.at} form="moment" />
            <span>
              {visible(event.words)} <span className="dim">{visible(actorName(event.actor))}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The audit trail writes `person:2 ana`; people read the name. */
const actorName = (actor: string): string => actor.slice(actor.indexOf(" ") + 1);

/** The jobs of an approved plan, one for each host. */
export function Jobs({ jobs }: { jobs: JobRow[] }) {
  return (
    <section className="section" aria-label="Jobs">
      <h2>Jobs</h2>
      <ScrollX>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">host</th>
              <th scope="col">state</th>
              <th scope="col" className="num">
                steps
              </th>
              <th scope="col" className="num">
                wave
              </th>
              <th scope="col">since</th>
              <th scope="col">effect</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => (
              <tr key={job.id}>
                <td>
                  <Link to="/hosts/$hostId" params={{ hostId: job.host.id }} className="link">
                    {visible(job.host.name)}
                  </Link>
                  {job.kind === "undo" ? <span className="dim"> (undo)</span> : null}
                </td>
                <td>
                  <Outcome status={jobStatus(job.state)}>{job.state_label}</Outcome>
                  {job.state_words && job.state_words !== job.state_label ? (
                    <div className="dim small">{visible(job.state_words)}</div>
                  ) : null}
                </td>
                <td className="num">
                  {job.steps_done} of {job.steps_total}
                </td>
                <td className="num">{job.wave}</td>
                <td className="nowrap">
                  <Instant at={job.state_at} />
                </td>
                <td className="dim">{visible(job.effect) || NO_DATA}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}
