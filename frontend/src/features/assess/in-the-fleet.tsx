import { Link } from "@tanstack/react-router";
import { visible } from "@/shared/lib/text";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./assess.module.css";
import type { AssessedHost, FleetHost } from "./types";

/** The host of the fleet that this one is, to compare with; where several may be meant, each with what speaks for it. */
export function InTheFleet({ host }: { host: AssessedHost }) {
  if (!host.has_settings) {
    return (
      <p className="dim small">
        An earlier version read this bundle and kept no settings. Upload it again to compare it or preview a plan.
      </p>
    );
  }
  const [first] = host.fleet;
  if (first === undefined) return <p className={`dim small ${styles.fleet}`}>No host in the fleet has this name or these adapters.</p>;
  const same = host.fleet.filter((one) => one.likeness === "same");
  if (same.length === 1 && same[0]) {
    return (
      <p className={styles.fleet}>
        <CompareLink assessed={host.id} host={same[0]} />
        <span className="dim small">
          {" "}
          {sentence(same[0].identity)} {same[0].source === "bundle" ? "Known there from a bundle of" : "Last check-in"}{" "}
          <TimeAgo at={same[0].last_seen_at} form={same[0].source === "bundle" ? "exact" : "relative"} />.
        </span>
      </p>
    );
  }
  return (
    <section aria-label="In the fleet" className={styles.fleet}>
      <p>
        <strong>
          {same.length > 1 ? "Several hosts of the fleet may be this one" : "It is not certain that this host is in the fleet"}
        </strong>
      </p>
      <ul className={styles.list}>
        {host.fleet.map((one) => (
          <li key={one.id}>
            <CompareLink assessed={host.id} host={one} /> <span className="dim small">{sentence(one.identity)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CompareLink({ assessed, host }: { assessed: number; host: FleetHost }) {
  return (
    <Link to="/hosts/$hostId/compare" params={{ hostId: host.id }} search={{ with: "bundle", assessed }} className="link">
      Compare with {visible(host.name)} today
    </Link>
  );
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${visible(words.slice(1))}.`;
