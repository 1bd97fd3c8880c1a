import { useJobs } from "@/entities/job/queries";
import type { JobRow } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant, useNow } from "@/shared/ui/time-ago";
import styles from "./controls.module.css";
import { HEARD_WITHIN_S, workerState } from "./labels";
import { useWorkers } from "./queries";

const QUEUED = { state: ["QUEUED"] };

/** The processes that change hosts, and when each last took a bell: one that hears nothing is deaf, however well it is connected. */
export function Workers() {
  const workers = useWorkers();
  const queued = useJobs(QUEUED);
  const now = useNow(5_000);
  const waiting = (queued.data?.pages ?? []).flatMap((page) => page.items).filter((job) => isLong(job, now)).length;
  return (
    <section className={styles.part} aria-label="Workers">
      <div className={styles.bar}>
        <h2>Workers</h2>
        <span className="dim small">a bell is rung when a job may go on; a worker that is well claims it within seconds</span>
      </div>
      <Panel
        query={workers}
        height={90}
        lines={3}
        isEmpty={(data) => data.length === 0}
        empty={
          <Empty
            title={waiting > 0 ? "Jobs are queued, and no worker has taken a bell for a day." : "No worker has taken a bell for a day."}
          >
            {waiting > 0
              ? "Look whether a worker of the hands runs: plumbline doctor says what is wrong."
              : "None was due: a bell is rung for jobs alone."}
          </Empty>
        }
      >
        {(data) => (
          <ScrollX>
            <table className="data">
              <thead>
                <tr>
                  <th scope="col">worker</th>
                  <th scope="col">queue</th>
                  <th scope="col">state</th>
                  <th scope="col">last bell</th>
                </tr>
              </thead>
              <tbody>
                {data.map((one) => {
                  const state = workerState(one.heard_at, waiting, now);
                  return (
                    <tr key={`${one.worker} ${one.queue}`}>
                      <td className="mono">{visible(one.worker)}</td>
                      <td>{visible(one.queue)}</td>
                      <td>
                        <Outcome status={state.status}>{state.word}</Outcome>
                      </td>
                      <td className="nowrap">
                        <Instant at={one.heard_at} />
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </ScrollX>
        )}
      </Panel>
    </section>
  );
}

const isLong = (job: JobRow, now: Date): boolean => now.getTime() - Date.parse(job.state_at) > HEARD_WITHIN_S * 1000;
