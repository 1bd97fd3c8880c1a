import type { HostDetail } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { duration } from "@/shared/lib/time";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./host.module.css";

/** The sections of the newest check-in: what was read, and what could not be. */
export function Sections({ host }: { host: HostDetail }) {
  const trouble = host.sections.filter((section) => section.status !== "ok");
  return (
    <section aria-label="Sections">
      <h2>
        Sections <span className="dim">of the newest check-in</span>
      </h2>
      <table className={`data ${styles.sections}`}>
        <thead>
          <tr>
            <th scope="col">section</th>
            <th scope="col">read</th>
            <th scope="col">changed</th>
            <th scope="col" className="num">
              took
            </th>
          </tr>
        </thead>
        <tbody>
          {host.sections.map((section) => (
            <tr key={section.name}>
              <td>{section.name}</td>
              <td>
                <Outcome status={section.status === "ok" ? "pass" : section.status === "unavailable" ? "not_applicable" : "warn"}>
                  {section.status === "unavailable" ? "not there" : section.status}
                </Outcome>
              </td>
              <td className="dim">
                <Instant at={section.changed_at} form="age" />
              </td>
              <td className="num dim nowrap">{section.took_ms === null ? "–" : `${section.took_ms} ms`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {trouble.map((section) => (
        <p key={section.name} className="dim small">
          {section.name}: {visible(section.error || "no reason given")}
        </p>
      ))}
      <p className="dim small" style={{ marginTop: 6 }}>
        Checks in every {duration(host.interval_seconds)}, by {host.source === "collector" ? "a collector" : "its own agent"}
        {host.skew_seconds !== null && Math.abs(host.skew_seconds) >= 1
          ? `; its clock is ${Math.abs(Math.round(host.skew_seconds))} s ${host.skew_seconds > 0 ? "ahead" : "behind"}`
          : ""}
        .
      </p>
    </section>
  );
}
