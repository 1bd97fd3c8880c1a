import type { RuleDetail } from "@/entities/rule/types";
import { plural } from "@/shared/lib/format";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./rules.module.css";

type Version = RuleDetail["versions"][number];

const shownText = (version: Version): string => {
  if (version.is_first) return "First version";
  return version.fields.length === 0 ? "Unchanged" : `${plural(version.fields.length, "field")} changed`;
};

/** The versions in short, for the side of the page. */
export function VersionLines({ versions }: { versions: Version[] }) {
  return versions.map((version) => (
    <div key={version.version}>
      <span className="mono">{version.version}</span>, <TimeAgo at={version.published_at} form="moment" />
    </div>
  ));
}

/** Every published version of the pack with this rule, and what each changed of it. */
export function RuleHistory({ versions }: { versions: Version[] }) {
  return (
    <section className="section" aria-label="History">
      <h2>
        History <span className="dim">pack versions, newest first</span>
      </h2>
      <ul className={styles.plain}>
        {versions.map((version) => (
          <li key={version.version}>
            <span className="mono">{version.version}</span>, <TimeAgo at={version.published_at} form="moment" />{" "}
            <span className="dim">{shownText(version)}</span>
            {version.fields.length > 0 ? (
              <details>
                <summary className="small">Show changes</summary>
                {version.fields.map((field) => (
                  <div key={field.field} className={styles.field}>
                    <div className="dim small">{field.field}</div>
                    <div className={styles.sides}>
                      <pre className="code">
                        <span className="hidden-visually">Before: </span>
                        {field.old || "(empty)"}
                      </pre>
                      <pre className="code">
                        <span className="hidden-visually">After: </span>
                        {field.new || "(empty)"}
                      </pre>
                    </div>
                  </div>
                ))}
              </details>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
