import { Link } from "@tanstack/react-router";
import type { PlanChecklist, PlanRefusal } from "@/entities/plan/types";
import { useRuleTitles } from "@/entities/rule/queries";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import styles from "./plans.module.css";

interface LeftOut extends Pick<PlanRefusal, "gate" | "words" | "command"> {
  hosts: { id: string; name: string }[];
  findings: number;
  settings: number;
}

/** One line for what blocks several hosts. */
function alike(refusals: PlanRefusal[]): LeftOut[] {
  const byReason = new Map<string, LeftOut>();
  for (const { gate, words, command, host, host_name, findings } of refusals) {
    const key = [gate, words, command].join("\u0000");
    const entry = byReason.get(key) ?? { gate, words, command, hosts: [], findings: 0, settings: 0 };
    if (!entry.hosts.some((one) => one.id === host)) entry.hosts.push({ id: host, name: host_name });
    const settings = (findings ?? []).filter((one) => !one.pack).length;
    entry.findings += (findings ?? []).length - settings;
    entry.settings += settings;
    byReason.set(key, entry);
  }
  return [...byReason.values()];
}

/** Hosts and findings that a failed pre-check blocks: which, why, and what to do or the command that shows it. */
export function Refusals({ refusals }: { refusals: PlanRefusal[] }) {
  if (refusals.length === 0) return null;
  const hosts = new Set(refusals.map((one) => one.host)).size;
  return (
    <section className={styles.aside} aria-label="Blocked">
      <h2>Blocked on {plural(hosts, "host")}</h2>
      <ul>
        {alike(refusals).map((one) => (
          <li key={`${one.gate}${one.words}${one.command}`}>
            {one.hosts.map((host, index) => (
              <span key={host.id}>
                {index > 0 ? ", " : ""}
                <Link to="/hosts/$hostId" params={{ hostId: host.id }} className="link strong">
                  {visible(host.name)}
                </Link>
              </span>
            ))}
            : {visible(one.words)}. <span className="dim">{staying(one)}</span>
            {SET_ON_HOST_PAGE.has(one.gate) ? (
              <div className="dim">
                To change {one.hosts.length === 1 ? "this, open the host" : "these, open each host"}, then plan again.
              </div>
            ) : null}
            {one.command ? (
              <div className="dim">
                Check with <CopyableText text={one.command} label="command" />
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Pre-checks that an admin makes pass on the host's page: remediation turned on, a credential, a runner. */
const SET_ON_HOST_PAGE: ReadonlySet<string> = new Set(["remediation_on", "reachable"]);

const staying = ({ findings, settings }: LeftOut): string => {
  const fixed = findings === 1 ? "1 finding is not fixed." : `${findings} findings are not fixed.`;
  const restored = settings === 1 ? "1 setting is not restored." : `${settings} settings are not restored.`;
  return [findings > 0 || settings === 0 ? fixed : "", settings > 0 ? restored : ""].filter(Boolean).join(" ");
};

interface ByHand {
  because: string;
  steps: readonly string[];
  rules: Map<string, { pack: string; rule: string }>;
  hosts: { id: string; name: string }[];
}

/** One line for what is to be done alike on several hosts. */
function together(checklists: PlanChecklist[]): ByHand[] {
  const byReason = new Map<string, ByHand>();
  for (const one of checklists) {
    const key = [one.because, ...one.steps].join("\u0000");
    const entry: ByHand = byReason.get(key) ?? { because: one.because, steps: one.steps, rules: new Map(), hosts: [] };
    entry.hosts.push({ id: one.host, name: one.host_name });
    for (const ref of one.findings) entry.rules.set(`${ref.pack}/${ref.rule}`, ref);
    byReason.set(key, entry);
  }
  return [...byReason.values()];
}

/** What only people can do, step by step. */
export function Checklists({ checklists }: { checklists: PlanChecklist[] }) {
  return checklists.length === 0 ? null : <ManualSteps checklists={checklists} />;
}

function ManualSteps({ checklists }: { checklists: PlanChecklist[] }) {
  const titleOf = useRuleTitles();
  return (
    <section className="section" aria-label="Manual steps">
      <h2>
        Manual steps <span className="dim">not automated</span>
      </h2>
      <ul className={styles.cards}>
        {together(checklists).map((one) => (
          <li key={one.because + one.steps.join()}>
            <div>
              {one.hosts.map((host, index) => (
                <span key={host.id}>
                  {index > 0 ? ", " : ""}
                  <Link to="/hosts/$hostId" params={{ hostId: host.id }} className={`link nowrap ${styles.touch}`}>
                    {visible(host.name)}
                  </Link>
                </span>
              ))}
              :{" "}
              {[...one.rules.values()].map((ref, index) => (
                <span key={ref.pack + ref.rule}>
                  {index > 0 ? ", " : ""}
                  {ref.pack ? (
                    <Link to="/rules/$pack/$rule" params={{ pack: ref.pack, rule: ref.rule }} className={`link ${styles.touch}`}>
                      {titleOf(ref.pack, ref.rule)}
                    </Link>
                  ) : (
                    <span className="mono">{ref.rule}</span>
                  )}
                </span>
              ))}
              . <span className="dim">Not automated: {visible(one.because)}</span>
            </div>
            {one.steps.map((line) => (
              <div key={line}>{visible(line)}</div>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
