import { Button } from "@mantine/core";
import { query } from "@/shared/api/client";
import type { Schemas } from "@/shared/api/schemas";
import { visible } from "@/shared/lib/text";
import { QueryPanel } from "@/shared/ui/query-panel";
import { type Status, StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./system-health.module.css";

type Health = Schemas["SystemHealthOut"];
type Level = Health["level"];

const STATUS: Record<Level, Status> = { ok: "pass", warning: "warn", failed: "fail", unknown: "unknown" };
const WORDS: Record<Level, string> = { ok: "OK", warning: "Warning", failed: "Failed", unknown: "Unknown" };
const PLATFORMS: Record<string, string> = { windows: "Windows", esxi: "ESXi" };

/** Every part of the installation, the worst first, the versions of agents, and the file for whoever helps. */
export function SystemHealth() {
  const health = query.useQuery("get", "/api/v1/system-health", {}, { refetchInterval: 15_000 });
  return (
    <>
      <div className={styles.head}>
        <p className="dim">
          The parts of this installation, checked every 15 seconds. Run <code>plumbline doctor</code> to check its data.
        </p>
        <Button
          renderRoot={(props) => <a {...props} href="/api/v1/system-health/support-file" download />}
          title="Health, checks, settings, versions and logs as a zip. Secrets are removed; names of hosts and people are in it."
        >
          Download support file
        </Button>
      </div>
      <QueryPanel query={health} height={320}>
        {(data) => (
          <>
            <p>
              <StatusLabel status={STATUS[data.level]} isBadge>
                {data.level === "ok" ? "Everything works" : WORDS[data.level]}
              </StatusLabel>{" "}
              <span className="dim">
                Plumbline {data.version}, <TimeAgo at={data.at} />
              </span>
            </p>
            <ul className={styles.parts}>
              {data.parts.map((part) => (
                <li key={part.name} className={styles.part} aria-label={part.name}>
                  <h2>
                    {part.name} <StatusLabel status={STATUS[part.level]}>{WORDS[part.level]}</StatusLabel>
                  </h2>
                  <p>{withCommands(visible(part.words))}</p>
                  {part.facts.length > 0 ? (
                    <dl className={styles.facts}>
                      {part.facts.map((fact) => (
                        <div key={fact.label}>
                          <dt className="dim">{visible(fact.label)}</dt>
                          <dd>{visible(fact.value)}</dd>
                        </div>
                      ))}
                    </dl>
                  ) : null}
                </li>
              ))}
            </ul>
            <Agents agents={data.agents} />
          </>
        )}
      </QueryPanel>
    </>
  );
}

function Agents({ agents }: { agents: Health["agents"] }) {
  return (
    <section className="section" aria-label="Agent versions">
      <h2>Agent versions</h2>
      {agents.length === 0 ? (
        <p className="dim">No host has been approved yet.</p>
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Platform</th>
                <th scope="col">Source</th>
                <th scope="col">Version</th>
                <th scope="col" className={styles.number}>
                  Hosts
                </th>
              </tr>
            </thead>
            <tbody>
              {agents.map((row) => (
                <tr key={`${row.platform} ${row.source} ${row.version}`}>
                  <td>{PLATFORMS[row.platform] ?? row.platform}</td>
                  <td>{row.source === "collector" ? "Read by Plumbline" : "Own agent"}</td>
                  <td>{row.version === "" ? "–" : visible(row.version)}</td>
                  <td className={styles.number}>{row.hosts.toLocaleString("en-GB")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** A text in which commands stand between backticks. */
function withCommands(words: string) {
  return words.split("`").map((part, place) => (place % 2 === 1 ? <code key={part}>{part}</code> : part));
}
