import { useMediaQuery } from "@mantine/hooks";
import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { impactWord } from "@/entities/plan/impact";
import type { HostPlan, PlannedWork, PlanStep, PlanWave } from "@/shared/api/types";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import { CopyAction } from "@/shared/ui/copy-button";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { FromTo, Said } from "@/shared/ui/verbatim";
import { commandsOf, elementName, gateLines, hostWords, pathWords, restartOf } from "./labels";
import styles from "./plans.module.css";
import type { PlanSearch } from "./search";

interface WavesProps {
  work: PlannedWork;
  search: PlanSearch;
  setSearch: PatchSearch<PlanSearch>;
}

/** The waves in order, each with its hosts; the canary's steps are open, the others open by themselves or by a person. */
export function Waves({ work, search, setSearch }: WavesProps) {
  const parts = new Map(work.hosts.map((host) => [host.host, host]));
  return (
    <section className="section" aria-label="Steps">
      <h2>Steps</h2>
      {work.waves.map((wave) => (
        <section key={wave.number} className={styles.wave} aria-label={`Wave ${wave.number}`}>
          <h3>
            Wave {wave.number}
            <span className="dim">{waveWords(wave)}</span>
          </h3>
          <div>
            {wave.hosts.map((id) => {
              const part = parts.get(id);
              if (part === undefined) return null;
              const isCanary = wave.kind === "canary";
              const isOpen = (search.open?.includes(id) ?? false) !== isCanary;
              return <HostSteps key={id} part={part} isOpen={isOpen} toggle={() => setSearch({ open: toggled(search.open, id) }, true)} />;
            })}
          </div>
        </section>
      ))}
    </section>
  );
}

function waveWords(wave: PlanWave): string {
  const who =
    wave.kind === "canary" ? "canary" : wave.hosts.length === 1 ? "1 host" : `${plural(wave.hosts.length, "host")}, as slots allow`;
  return wave.bake_s > 0 ? `${who}, then ${Math.round(wave.bake_s / 60)} min of watching` : who;
}

function HostSteps({ part, isOpen, toggle }: { part: HostPlan; isOpen: boolean; toggle: () => void }) {
  const isPhone = useMediaQuery("(max-width: 720px)") ?? false;
  return (
    <div>
      <button type="button" className={styles.disclose} aria-expanded={isOpen} onClick={toggle}>
        <IconChevronRight size={14} aria-hidden="true" />
        <span>
          <span className="strong">{visible(part.name)}</span> <span className="dim">{visible(hostWords(part))}</span>
        </span>
      </button>
      {isOpen ? (
        <>
          <ul className={styles.gates} aria-label={`What ${visible(part.name)} relies on`}>
            {part.gates.length > 0 ? <li>Only if {visible(part.gates.map((gate) => gate.words).join("; "))}.</li> : null}
            <li>
              <Link to="/hosts/$hostId" params={{ hostId: part.host }} search={{ tab: "paths" }} className={`link ${styles.touch}`}>
                Its paths
              </Link>
            </li>
          </ul>
          {isPhone ? <StepCards steps={part.steps} /> : <StepTable steps={part.steps} />}
        </>
      ) : null}
    </div>
  );
}

function StepTable({ steps }: { steps: PlanStep[] }) {
  return (
    <ScrollX>
      <table className="data">
        <thead>
          <tr>
            <th scope="col">step</th>
            <th scope="col">setting</th>
            <th scope="col">now</th>
            <th scope="col">then</th>
            <th scope="col">command</th>
            <th scope="col">paths</th>
            <th scope="col">undo</th>
          </tr>
        </thead>
        {steps.map((step) => (
          <StepRows key={step.number} step={step} />
        ))}
      </table>
    </ScrollX>
  );
}

/** The same on a phone: nothing scrolls sideways, every command can be read whole. */
function StepCards({ steps }: { steps: PlanStep[] }) {
  return (
    <ol className={styles.cards}>
      {steps.map((step) => (
        <li key={step.number}>
          <div className="strong">
            {step.number}. {visible(step.title)}
          </div>
          {step.elements.map((element, at) => {
            const command = commandsOf(step, at);
            return (
              <div key={element.setting}>
                {visible(elementName(step, element))} <FromTo from={element.shown_seen} to={element.shown_target} />
                <div className={styles.cmd}>
                  {visible(command)} <CopyAction text={command} label="command" />
                </div>
              </div>
            );
          })}
          <div className="dim">
            paths: {pathWords(step)} · undo: back to {visible(step.elements.map((element) => element.shown_seen).join(", "))}
          </div>
          <StepNotes step={step} restart={restartOf(step)} />
        </li>
      ))}
    </ol>
  );
}

function StepRows({ step }: { step: PlanStep }) {
  const restart = restartOf(step);
  return (
    <tbody>
      {step.elements.map((element, at) => {
        const command = commandsOf(step, at);
        return (
          <tr key={element.setting} className={at === 0 ? styles.first : undefined}>
            <td className="num">{at === 0 ? step.number : <span className="hidden-visually">{step.number}</span>}</td>
            <td>{visible(elementName(step, element))}</td>
            <td>
              <Said of={element.shown_seen} />
            </td>
            <td className="strong">
              <Said of={element.shown_target} />
            </td>
            <td className={styles.cmd}>
              {visible(command)} <CopyAction text={command} label="command" />
            </td>
            <td className="nowrap">{at === 0 ? pathWords(step) : <span className="dim">same step</span>}</td>
            <td>
              <Said of={element.shown_seen} />
            </td>
          </tr>
        );
      })}
      <tr>
        <td />
        <td colSpan={6}>
          <StepNotes step={step} restart={restart} />
        </td>
      </tr>
    </tbody>
  );
}

const PENDING: Record<string, string> = {
  new_session: "works for sessions that begin afterwards",
  reboot: "works after the host's next restart, which a person makes",
};

/** What a step needs, how it protects itself, and what its effect still waits for. */
function StepNotes({ step, restart }: { step: PlanStep; restart: string }) {
  const notes = [
    impactWord(step.impact) === "none" ? "disturbs nothing" : impactWord(step.impact),
    ...(restart ? [`one restart at the end: ${restart}`] : []),
    ...(step.deadman_s > 0 ? [`undoes itself on the host unless confirmed within ${step.deadman_s} s`] : []),
    ...(step.probe_bytes > 0 ? [`kept only if a ping of ${step.probe_bytes} bytes comes back whole`] : []),
    ...(PENDING[step.takes_effect] ? [PENDING[step.takes_effect] ?? ""] : []),
  ];
  return (
    <div className="dim small">
      <div>{visible(notes.join(" · "))}</div>
      {gateLines(step.gates).map((gate) => (
        <div key={gate.words}>
          {gate.isPerson ? <Outcome status="warn">a person makes sure: {visible(gate.words)}</Outcome> : <>only if {visible(gate.words)}</>}
        </div>
      ))}
    </div>
  );
}
