import type { JobDetail, JobStep } from "@/entities/job/types";
import { untilRestart } from "@/entities/plan/until-restart";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { StatusLabel, StatusSentence } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { FromTo, Verbatim } from "@/shared/ui/verbatim";
import styles from "./jobs.module.css";
import { signed, stepState } from "./labels";

/** Each step as it was signed, and its result. */
export function Steps({ job }: { job: JobDetail }) {
  return (
    <section className="section" aria-label="Steps">
      <h2>Steps</h2>
      {job.steps.length === 0 ? (
        <p className="dim">No steps left to run</p>
      ) : (
        <DataTable
          columns={columnsOf(job.kind)}
          rows={job.steps.flatMap(elementsOf)}
          rowKey={({ step, element }) => `${step.number}/${element.setting}`}
          rowAttributes={({ isFirst }) => ({ className: isFirst ? styles.first : undefined })}
        />
      )}
    </section>
  );
}

/** The same in one column, inside other pages. */
export function StepList({ steps }: { steps: JobStep[] }) {
  return (
    <ol className={styles.cardSteps} aria-label="Steps">
      {steps.map((step) => {
        const { status, label } = stepState(step);
        const { elements } = signed(step);
        const read = (step.after.values ?? {}) as Record<string, unknown>;
        return (
          <li key={step.number}>
            <StatusLabel status={status}>{label}</StatusLabel>
            <span>
              {visible(step.title)}
              {elements.map((one) => (
                <div key={one.setting} className="dim">
                  {elements.length > 1 ? (
                    <>
                      {visible(one.label)} <FromTo from={one.shown_seen} to={one.shown_target} />{" "}
                    </>
                  ) : null}
                  {one.setting in read ? (
                    <>
                      Current value <Verbatim of={read[one.setting] === one.target ? one.shown_target : read[one.setting]} />
                    </>
                  ) : null}
                </div>
              ))}
              {step.words && step.words !== label ? <div className="dim">{visible(step.words)}</div> : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** One setting of a step; the first stands for the step as well. */
interface ElementRow {
  step: JobStep;
  element: ReturnType<typeof signed>["elements"][number];
  isFirst: boolean;
  read: Record<string, unknown>;
}

function elementsOf(step: JobStep): ElementRow[] {
  const read = (step.after.values ?? {}) as Record<string, unknown>;
  return signed(step).elements.map((element, at) => ({ step, element, isFirst: at === 0, read }));
}

const columnsOf = (kind: JobDetail["kind"]): Column<ElementRow>[] => [
  {
    head: "Step",
    isNumber: true,
    cell: ({ step, isFirst }) => (isFirst ? step.number : <span className="hidden-visually">{step.number}</span>),
  },
  {
    head: "Setting",
    cell: ({ step, element, isFirst }) => (
      <>
        {isFirst ? <div className="strong">{visible(step.title)}</div> : null}
        {visible(element.label)}
      </>
    ),
  },
  {
    head: kind === "undo" ? "Set → restored" : "Before → target",
    cell: ({ element }) => <FromTo from={element.shown_seen} to={element.shown_target} />,
  },
  {
    head: "Current value",
    cell: ({ element, read }) =>
      element.setting in read ? (
        <Verbatim
          of={read[element.setting] === element.target ? element.shown_target : read[element.setting]}
          title="Read back from the host after the change"
        />
      ) : (
        <span className="dim">Not read yet</span>
      ),
  },
  {
    head: "Result",
    cell: ({ step, isFirst }) => (isFirst ? <Outcome step={step} kind={kind} /> : <span className="dim">same step</span>),
  },
  {
    head: "Finished",
    className: "nowrap",
    cell: ({ step, isFirst }) => (isFirst ? <TimeAgo at={step.finished_at} form="moment" none="Not finished" /> : null),
  },
];

function Outcome({ step, kind }: { step: JobStep; kind: JobDetail["kind"] }) {
  const { status, label } = stepState(step);
  return (
    <>
      <StatusLabel status={status}>{label}</StatusLabel>
      {step.words && step.words !== label ? <div className="dim small">{visible(step.words)}</div> : null}
      {(kind === "change" ? untilRestart(signed(step)) : []).map((text) => (
        <div key={text} className="small">
          <StatusSentence status="warn">{visible(text)}</StatusSentence>
        </div>
      ))}
      {step.attempt > 1 ? <div className="dim small">{step.attempt} attempts</div> : null}
    </>
  );
}
