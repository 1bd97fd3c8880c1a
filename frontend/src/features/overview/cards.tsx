import { Link } from "@tanstack/react-router";
import type { Overview } from "@/shared/api/types";
import { count, plural, score } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import styles from "./overview.module.css";

export function FailingRules({ rules }: { rules: Overview["failing_rules"] }) {
  return (
    <section aria-label="Failing most">
      <h2>Failing most</h2>
      {rules.length === 0 ? (
        <p className="dim">No rule fails on any host.</p>
      ) : (
        <table className={`data ${styles.rules}`}>
          <thead>
            <tr>
              <th scope="col">rule</th>
              <th scope="col" className="num">
                hosts
              </th>
              <th scope="col">when wrong</th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <tr key={`${rule.pack}/${rule.rule}`}>
                <td className={rule.also.length > 0 ? styles.asked : undefined}>
                  <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
                    {rule.title}
                  </Link>
                  {rule.kind === "guard_rail" ? <span className="dim"> (guard-rail)</span> : null}
                  {rule.also.map((other) => (
                    <div key={other.rule_no} className="dim small">
                      asked also by{" "}
                      <Link to="/rules/$pack/$rule" params={{ pack: other.pack, rule: other.rule }} className="link">
                        {other.pack}
                      </Link>
                    </div>
                  ))}
                </td>
                <td className="num">
                  <Link
                    to="/hosts"
                    search={{ rule: [rule, ...rule.also].map((one) => `${one.pack}/${one.rule}`), outcome: ["fail"] }}
                    className="link"
                    aria-label={`${plural(rule.hosts, "host")} failing ${rule.title}`}
                  >
                    {count(rule.hosts)}
                  </Link>
                </td>
                <td className="dim">{rule.effect || "own judgement, no paper"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

export function Silent({ hosts }: { hosts: Overview["silent"] }) {
  return (
    <section aria-label="Silent hosts">
      <h2>
        Silent <span className="dim">{count(hosts.length)}</span>
      </h2>
      {hosts.length === 0 ? (
        <p className="dim">Every host has checked in on time.</p>
      ) : (
        <table className="data">
          <tbody>
            {hosts.map((host) => (
              <tr key={host.id}>
                <td className="nowrap">
                  <Link to="/hosts/$hostId" params={{ hostId: host.id }} className="link">
                    {visible(host.name)}
                  </Link>
                </td>
                <td className="dim nowrap num">
                  <Instant at={host.last_seen_at} form="age" none="never checked in" />
                </td>
                <td className="dim">{visible(host.why)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

export function NewlyFailing({ hosts }: { hosts: Overview["newly_failing"] }) {
  return (
    <section aria-label="Newly failing in 24 hours">
      <h2>
        Newly failing, 24 h <span className="dim">{count(hosts.length)}</span>
      </h2>
      {hosts.length === 0 ? (
        <p className="dim">No rule began to fail in the last 24 hours.</p>
      ) : (
        <table className="data">
          <tbody>
            {hosts.map((host) => (
              <tr key={host.id}>
                <td className="nowrap">
                  <Link to="/hosts/$hostId" params={{ hostId: host.id }} className="link">
                    {visible(host.name)}
                  </Link>
                </td>
                <td>{visible(host.words)}</td>
                <td className="dim nowrap num">
                  <Instant at={host.at} form="moment" />
                </td>
                <td className="num">
                  <Outcome status="fail">{score(host.score)}</Outcome>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
