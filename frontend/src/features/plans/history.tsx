import type { PlanDetail } from "@/entities/plan/types";
import { capital, visible } from "@/shared/lib/text";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./plans.module.css";

/** What happened to a plan, newest first. */
export function History({ events }: { events: PlanDetail["events"] }) {
  if (events.length === 0) return null;
  return (
    <section className="section" aria-label="History">
      <h2>History</h2>
      <ol className={styles.events} reversed>
        {[...events].reverse().map((event) => (
          <li key={event.number}>
            <TimeAgo at={event.at} form="moment" />
            <span>
              {capital(visible(event.words))} <span className="dim">by {visible(actorName(event.actor))}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The audit trail writes `person:2 ana`; people read the name. */
const actorName = (actor: string): string => actor.slice(actor.indexOf(" ") + 1);
