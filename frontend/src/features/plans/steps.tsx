import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { ShowCounters } from "@/entities/counters/show-counters";
import { impactLabel } from "@/entities/plan/impact";
import type { HostPlan, PlannedWork, PlanStep, PlanWave } from "@/entities/plan/types";
import { untilRestart } from "@/entities/plan/until-restart";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import { CopyButton } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { StatusSentence } from "@/shared/ui/status";
import { Verbatim } from "@/shared/ui/verbatim";
import { commandsOf, elementName, gateLines, hostText, pathText, restartOf } from "./labels";
import styles from "./plans.module.css";
import type { PlanSearch } from "./search";

/** Host id -> the switch port of each storage adapter in words. */
type SwitchPorts = Record<string, string[]>;

interface WavesProps {
  work: PlannedWork;
  switchPorts: SwitchPorts;
  search: PlanSearch;
  setSearch: PatchSearch<PlanSearch>;
}

/** The waves in order, each with its hosts; the canary's steps are open, the others open by themselves or by a person. */
export function Waves({ work, switchPorts, search, setSearch }: WavesProps) {
  const parts = new Map(work.hosts.map((host) => [host.host, host]));
  return (
    <section className="section" aria-label="Steps">
      <h2>Steps</h2>
      {work.waves.map((wave) => (
        <section key={wave.number} className={styles.wave} aria-label={`Wave ${wave.number}`}>
          <h3>
            Wave {wave.number}
            <span className="dim">{waveText(wave)}</span>
          </h3>
          <div>
            {wave.hosts.map((id) => {
              const part = parts.get(id);
              if (part === undefined) return null;
              const isCanary = wave.kind === "canary";
              const isOpen = (search.open?.includes(id) ?? false) !== isCanary;
              return (
                <HostSteps
                  key={id}
                  part={part}
                  ports={switchPorts[id] ?? []}
                  isOpen={isOpen}
                  toggle={() => setSearch({ open: toggled(search.open, id) }, true)}
                />
              );
            })}
          </div>
        </section>
      ))}
    </section>
  );
}

interface WithoutJobProps {
  parts: HostPlan[];
  switchPorts: SwitchPorts;
  search: PlanSearch;
  setSearch: PatchSearch<PlanSearch>;
}

/** Hosts that Plumbline cannot change: what a job would do there, for a person to run. The reasons are among the refusals. */
export function WithoutJob({ parts, switchPorts, search, setSearch }: WithoutJobProps) {
  if (parts.length === 0) return null;
  return (
    <section className="section" aria-label="Commands to run manually">
      <h2>
        Commands to run manually <span className="dim">no job runs on {plural(parts.length, "host")}</span>
      </h2>
      <p className="dim small">
        Check the paths of a host before each step. The undo is in the menu “Copy as script”; Plumbline verifies the values with the next
        check-in.
      </p>
      {parts.map((part) => (
        <HostSteps
          key={part.host}
          part={part}
          ports={switchPorts[part.host] ?? []}
          isOpen={search.open?.includes(part.host) ?? false}
          toggle={() => setSearch({ open: toggled(search.open, part.host) }, true)}
        />
      ))}
    </section>
  );
}

function waveText(wave: PlanWave): string {
  const who =
    wave.kind === "canary" ? "canary" : wave.hosts.length === 1 ? "1 host" : `${plural(wave.hosts.length, "host")}, limited by concurrency`;
  return wave.bake_s > 0 ? `${who}, then observe for ${Math.round(wave.bake_s / 60)} min` : who;
}

function HostSteps({ part, ports, isOpen, toggle }: { part: HostPlan; ports: string[]; isOpen: boolean; toggle: () => void }) {
  return (
    <div>
      <button type="button" className={styles.disclose} aria-expanded={isOpen} onClick={toggle}>
        <IconChevronRight size={14} aria-hidden="true" />
        <span>
          <span className="strong">{visible(part.name)}</span> <span className="dim">{visible(hostText(part))}</span>
        </span>
      </button>
      {isOpen ? (
        <>
          <ul className={styles.gates} aria-label={`Pre-checks for ${visible(part.name)}`}>
            {part.gates.length > 0 ? <li>Pre-checks: {visible(part.gates.map((gate) => gate.words).join("; "))}.</li> : null}
            {ports.length > 0 ? <li>Switch ports: {visible(ports.join("; "))}.</li> : null}
            <li>
              <Link to="/hosts/$hostId" params={{ hostId: part.host }} search={{ tab: "paths" }} className={`link ${styles.touch}`}>
                View paths
              </Link>
            </li>
          </ul>
          <StepTable steps={part.steps} />
          <ShowCounters request={{ host: [part.host], hours: 48 }} emptyText="No counters in the last 48 hours." />
        </>
      ) : null}
    </div>
  );
}

/** One setting of a step; the first and the last stand for the step as well. */
interface ElementRow {
  step: PlanStep;
  element: PlanStep["elements"][number];
  command: string;
  isFirst: boolean;
  isLast: boolean;
}

const elementsOf = (step: PlanStep): ElementRow[] =>
  step.elements.map((element, at) => ({
    step,
    element,
    command: commandsOf(step, at),
    isFirst: at === 0,
    isLast: at === step.elements.length - 1,
  }));

const COLUMNS: Column<ElementRow>[] = [
  {
    head: "Step",
    isNumber: true,
    cell: ({ step, isFirst }) => (isFirst ? step.number : <span className="hidden-visually">{step.number}</span>),
  },
  { head: "Setting", cell: ({ step, element }) => visible(elementName(step, element)) },
  { head: "Current", cell: ({ element }) => <Verbatim of={element.shown_seen} /> },
  { head: "New", className: "strong", cell: ({ element }) => <Verbatim of={element.shown_target} /> },
  {
    head: "Command",
    className: styles.cmd,
    cell: ({ command }) => (
      <>
        {visible(command)} <CopyButton text={command} label="command" />
      </>
    ),
  },
  {
    head: "Paths",
    className: "nowrap",
    cell: ({ step, isFirst }) => (isFirst ? pathText(step) : <span className="dim">same step</span>),
  },
  { head: "Undo value", cell: ({ element }) => <Verbatim of={element.shown_seen} /> },
];

function StepTable({ steps }: { steps: PlanStep[] }) {
  return (
    <DataTable
      columns={COLUMNS}
      rows={steps.flatMap(elementsOf)}
      rowKey={({ step, element }) => `${step.number}/${element.setting}`}
      rowAttributes={({ isFirst }) => ({ className: isFirst ? styles.first : undefined })}
      detail={({ step, isLast }) => (isLast ? <StepNotes step={step} restart={restartOf(step)} /> : null)}
    />
  );
}

const PENDING: Record<string, string> = {
  new_session: "applies to new sessions only",
  reboot: "applies after the next host restart (manual)",
};

/** What a step needs, how it protects itself, and what its effect still waits for. */
function StepNotes({ step, restart }: { step: PlanStep; restart: string }) {
  const notes = [
    step.impact === "none" ? "No interruption" : impactLabel(step.impact),
    ...(restart ? [`one restart at the end: ${restart}`] : []),
    ...(step.deadman_s > 0 ? [`rolls back on the host if not confirmed within ${step.deadman_s} s`] : []),
    ...(step.probe_bytes > 0 ? [`kept only if a ${step.probe_bytes}-byte do-not-fragment ping succeeds`] : []),
    ...(PENDING[step.takes_effect] ? [PENDING[step.takes_effect] ?? ""] : []),
  ];
  return (
    <div className="dim small">
      <div>{visible(notes.join(" · "))}</div>
      {untilRestart(step).map((text) => (
        <div key={text}>
          <StatusSentence status="warn">{visible(text)}</StatusSentence>
        </div>
      ))}
      {gateLines(step.gates).map((gate) => (
        <div key={gate.words}>
          {gate.isPerson ? (
            <StatusSentence status="warn">Manual check: {visible(gate.words)}</StatusSentence>
          ) : (
            <>requires: {visible(gate.words)}</>
          )}
        </div>
      ))}
    </div>
  );
}
