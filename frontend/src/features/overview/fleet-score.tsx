import { Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { count, percent, score as points, signed } from "@/shared/lib/format";
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
      <Tooltip
        multiline
        w={300}
        label="Mean over the scored hosts. A host's score is the weight of what passes in a hundred of the weight of what was judged; not applicable, unknown and waived stay outside."
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the definition must be reachable without a mouse */}
        <div className={styles.score} data-weak={isWeak || undefined} tabIndex={0}>
          {points(score.mean)}
          <small> /100</small>
        </div>
      </Tooltip>
      <div className={styles.lines}>
        <span>
          {score.change === null ? (
            <span className="dim">no figure of {before[days] ?? `${days} days ago`}</span>
          ) : (
            `${signed(score.change)} on ${before[days] ?? `${days} days ago`}`
          )}
        </span>
        <span className="dim">
          median {points(score.median)}
          {worst ? (
            <>
              , worst{" "}
              <Link to="/hosts/$hostId" params={{ hostId: worst.id }} className="link nowrap">
                {worst.score} ({worst.name})
              </Link>
            </>
          ) : null}
        </span>
        <span className="dim">
          <Link to="/hosts" search={{ ...within, outcome: ["unknown"] }} className="link nowrap">
            rule coverage {percent(score.rule_coverage)}
          </Link>
          ,{" "}
          <Link to="/hosts" search={{ ...within, freshness: ["fresh"] }} className="link nowrap">
            fresh {count(score.hosts_fresh)} of {count(score.hosts_known)}
          </Link>
        </span>
        <span>
          <Link to="/score" search={{ group }} className="link">
            take it apart
          </Link>
        </span>
        {isWeak ? <span className="dim">Greyed: under 80 % of what applies is known.</span> : null}
      </div>
      {score.worst.length > 1 ? (
        <div className={styles.lines}>
          <span className="dim small">
            lowest five:{" "}
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
