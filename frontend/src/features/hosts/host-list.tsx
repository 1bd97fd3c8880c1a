import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { HostRow } from "@/shared/api/types";
import { NO_DATA, percent } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { isWeak, Paths, Seen, Worst } from "./cells";
import styles from "./hosts.module.css";

/** The list on a phone: a card for each host, the whole of it a link. */
export function HostCards({ rows, total, loadMore }: { rows: HostRow[]; total: number; loadMore: () => void }) {
  return (
    <>
      <ul className={styles.cards}>
        {rows.map((host) => (
          <li key={host.id}>
            <div className={styles.cardHead}>
              <Link to="/hosts/$hostId" params={{ hostId: host.id }} className={styles.cardName}>
                {visible(host.name)}
              </Link>
              <span className={styles.cardScore} data-weak={isWeak(host) || undefined}>
                {host.score ?? NO_DATA}
                {isWeak(host) ? <span className={styles.coverage}> from {percent(host.rule_coverage)}</span> : null}
              </span>
            </div>
            <Worst host={host} />
            <div className={styles.cardFacts}>
              <span>{visible(host.os_name || NO_DATA)}</span>
              <span>{visible(host.group_name)}</span>
              <span>
                paths <Paths host={host} />
              </span>
              <Seen host={host} />
            </div>
          </li>
        ))}
      </ul>
      {rows.length < total ? (
        <Button fullWidth onClick={loadMore}>
          Show more ({rows.length} of {total})
        </Button>
      ) : null}
    </>
  );
}
