import { Button, CopyButton as CopyAs } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { impactLabel } from "@/entities/plan/impact";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyableText, CopyButton } from "@/shared/ui/copy-button";
import { QueryPanel } from "@/shared/ui/query-panel";
import { FromTo } from "@/shared/ui/verbatim";
import styles from "./assess.module.css";
import { usePlanPreview } from "./queries";
import type { PlanPreviewData, PreviewFinding, PreviewStep } from "./types";

/** What a plan for this host would hold: to read and to copy. It is read only when somebody opens it. */
export function PlanPreview({ assessmentId, assessedId }: { assessmentId: number; assessedId: number }) {
  const [isOpen, setOpen] = useState(false);
  const preview = usePlanPreview(assessmentId, assessedId, isOpen);
  if (!isOpen) {
    return (
      <p className={styles.preview}>
        <Button onClick={() => setOpen(true)}>Preview plan</Button>
      </p>
    );
  }
  return (
    <section aria-label="Plan preview" className={styles.preview}>
      <h3>Plan preview</h3>
      <p className="dim small">
        Commands to run manually, from the values in the bundle. This preview can't be approved or run: to plan a job, install the agent or
        add a credential for the host.
      </p>
      <QueryPanel query={preview} height={240} lines={6}>
        {(data) => <Preview data={data} />}
      </QueryPanel>
    </section>
  );
}

function Preview({ data }: { data: PlanPreviewData }) {
  return (
    <>
      {data.steps.length > 0 ? (
        <>
          <div className={styles.copyAll}>
            <span>
              {plural(data.steps.length, "step")}: {visible(data.words)}
            </span>
            <CopyAs value={data.script} timeout={1500}>
              {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy as script"}</Button>}
            </CopyAs>
          </div>
          <Steps steps={data.steps} />
        </>
      ) : (
        <p className="dim">No step can be planned from this bundle alone.</p>
      )}
      {data.left_out.length > 0 ? <h4>To check on the host first</h4> : null}
      {data.left_out.map((one) => (
        <div key={one.words} className={styles.finding}>
          <div>{sentence(one.words)}</div>
          {one.command ? (
            <div className="dim small">
              Check with <CopyableText text={one.command} label="command" />
            </div>
          ) : null}
          {one.steps.length > 0 ? <Steps steps={one.steps} isNumbered={false} /> : <Fixes findings={one.findings} />}
        </div>
      ))}
      {data.manual.length > 0 ? <h4>Manual steps</h4> : null}
      {data.manual.map((one) => (
        <div key={`${one.because}${one.steps.join()}`} className={styles.finding}>
          <div>{sentence(one.because)}</div>
          <ol className={styles.manual}>
            {one.steps.map((step) => (
              <li key={step}>{visible(step)}</li>
            ))}
          </ol>
          <Fixes findings={one.findings} />
        </div>
      ))}
    </>
  );
}

/** Steps that wait for an answer have no place in the order. */
function Steps({ steps, isNumbered = true }: { steps: readonly PreviewStep[]; isNumbered?: boolean }) {
  return (
    <ol className={styles.list}>
      {steps.map((step) => (
        <li key={step.number} className={styles.finding}>
          <div className="strong">
            {isNumbered ? `${step.number}. ` : ""}
            {visible(step.title)}
          </div>
          <div className="small">
            Disruption: {impactLabel(step.impact)} <span className="dim">({visible(step.words)})</span>
          </div>
          {step.elements.length > 1 ? <Values step={step} /> : null}
          {step.needed.length > 0 ? <div className="dim small">Must hold: {visible(step.needed.join("; "))}.</div> : null}
          <Commands label={`commands of ${visible(step.title)}`} lines={step.commands} />
          <details>
            <summary className="small">Undo</summary>
            <Commands label={`undo of ${visible(step.title)}`} lines={step.undo} />
          </details>
          <Fixes findings={step.findings} />
        </li>
      ))}
    </ol>
  );
}

/** What a step sets; the same value of several items is one line. */
function Values({ step }: { step: PreviewStep }) {
  const lines = new Map<string, PreviewStep["elements"][number] & { items: number }>();
  for (const element of step.elements) {
    const key = [element.label, element.seen, element.target].join("\u0000");
    lines.set(key, { ...element, items: (lines.get(key)?.items ?? 0) + 1 });
  }
  return (
    <ul className={styles.values}>
      {[...lines].map(([key, line]) => (
        <li key={key} className="small">
          {visible(line.label)}: <FromTo from={line.seen} to={line.target} />
          {line.items > 1 ? <span className="dim"> on {plural(line.items, "item")}</span> : null}
        </li>
      ))}
    </ul>
  );
}

function Commands({ lines, label }: { lines: readonly string[]; label: string }) {
  return (
    <div className={styles.commands}>
      <pre>{lines.map(visible).join("\n")}</pre>
      <CopyButton text={lines.join("\n")} label={label} />
    </div>
  );
}

/** The findings behind a part, each rule once with its items. */
function Fixes({ findings }: { findings: readonly PreviewFinding[] }) {
  const rules = new Map<string, PreviewFinding & { items: string[] }>();
  for (const each of findings) {
    const key = `${each.pack}/${each.rule}`;
    const entry = rules.get(key) ?? { ...each, items: [] };
    if (each.item && !entry.items.includes(each.item)) entry.items.push(each.item);
    rules.set(key, entry);
  }
  return (
    <div className="dim small">
      Fixes{" "}
      {[...rules].map(([key, rule], at) => (
        <span key={key}>
          {at > 0 ? "; " : ""}
          <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
            {visible(rule.title)}
          </Link>
          {rule.items.length > 0 ? ` (${itemsOf(rule.items)})` : ""}
        </span>
      ))}
    </div>
  );
}

/** Items by name as long as that is short; targets have names of a line each. */
function itemsOf(items: readonly string[]): string {
  const names = items.map(visible).join(", ");
  return names.length <= 60 ? names : plural(items.length, "item");
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${visible(words.slice(1))}.`;
