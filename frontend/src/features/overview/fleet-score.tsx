import { Link } from "@tanstack/react-router";
import { count, percent, score as points, signed } from "@/shared/lib/format";
import { Tooltip } from "@/shared/ui/tooltip";
import styles from "./overview.module.css";
import type { Overview } from "./types";

/** Below this share of what applies a score says too little to stand in full ink. */
const WEAK_COVERAGE = 0.8;

const before: Record<number, string> = { 1: "yesterday", 7: "last week", 30: "30 days ago", 90: "90 days ago" };

export function FleetScore({ score, days, group }: { score: Overview["score"]; days: number; group: number | undefined }) {
  const within = group === undefined ? {} : { group: [group] };
  const worst = score.worst[0];
  const isWeak = score.rule_coverage !== null && score.rule_coverage < WEAK_COVERAGE;
  return (
    <section aria-label="Fleet score">
      <h2>Average score</h2>
      <Tooltip<HTMLDivElement>
        multiline
        w={300}
        label="Average of all scored hosts. A host's score is the weighted share of evaluated checks that pass. N/A, unknown and waived findings are not counted."
      >
        {(target) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the definition must be reachable without a mouse
          <div className={styles.score} data-weak={isWeak || undefined} tabIndex={0} {...target}>
            {points(score.mean)}
            <small> /100</small>
          </div>
        )}
      </Tooltip>
      <div className={styles.lines}>
        <span>
          {score.change === null ? (
            <span className="dim">no data for {before[days] ?? `${days} days ago`}</span>
          ) : (
            `${signed(score.change)} vs ${before[days] ?? `${days} days ago`}`
          )}
        </span>
        <span className="dim">
          Median {points(score.median)}
          {worst ? (
            <>
              , lowest{" "}
              <Link to="/hosts/$hostId" params={{ hostId: worst.id }} className="link nowrap">
                {worst.score} ({worst.name})
              </Link>
            </>
          ) : null}
        </span>
        <span className="dim">
          <Link to="/hosts" search={{ ...within, outcome: ["unknown"] }} className="link nowrap">
            {percent(score.rule_coverage)} coverage
          </Link>
          ,{" "}
          <Link to="/hosts" search={{ ...within, freshness: ["fresh"] }} className="link nowrap">
            {count(score.hosts_fresh)} of {count(score.hosts_known)} hosts up to date
          </Link>
        </span>
        <span>
          <Link to="/score" search={{ group }} className="link">
            Score breakdown
          </Link>
        </span>
        {isWeak ? <span className="dim">Greyed out: less than 80% of applicable rules could be evaluated.</span> : null}
      </div>
      {score.worst.length > 1 ? (
        <div className={styles.lines}>
          <span className="dim small">
            Lowest 5:{" "}
            {score.worst.map((host, index) => (
              <span key={host.id}>
                <span className="nowrap">
                  <Link to="/hosts/$hostId" params={{ hostId: host.id }} className="link">
                    {host.name} {host.score}
                  </Link>
                  {index < score.worst.length - 1 ? "," : ""}
                </span>{" "}
              </span>
            ))}
          </span>
        </div>
      ) : null}
    </section>
  );
}
