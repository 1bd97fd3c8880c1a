import { useMediaQuery } from "@mantine/hooks";
import type { JobDetail, JobStep } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { FromTo, Said } from "@/shared/ui/verbatim";
import styles from "./jobs.module.css";
import { signed, stepState } from "./labels";

/** Each step as it was signed, and what became of it. */
export function Steps({ job }: { job: JobDetail }) {
  const isPhone = useMediaQuery("(max-width: 720px)") ?? false;
  return (
    <section className="section" aria-label="Steps">
      <h2>Steps</h2>
      {job.steps.length === 0 ? (
        <p className="dim">Nothing of what was planned is left for this job to do.</p>
      ) : isPhone ? (
        <StepList steps={job.steps} />
      ) : (
        <ScrollX>
          <table className="data">
            <thead>
              <tr>
                <th scope="col" className="num">
                  step
                </th>
                <th scope="col">setting</th>
                <th scope="col">{job.kind === "undo" ? "set → put back" : "seen → target"}</th>
                <th scope="col">reads now</th>
                <th scope="col">outcome</th>
                <th scope="col">ended</th>
              </tr>
            </thead>
            {job.steps.map((step) => (
              <StepRows key={step.number} step={step} />
            ))}
          </table>
        </ScrollX>
      )}
    </section>
  );
}

/** The same in one column: for a phone, and inside other pages. */
export function StepList({ steps }: { steps: JobStep[] }) {
  return (
    <ol className={styles.cardSteps} aria-label="Steps">
      {steps.map((step) => {
        const { status, word } = stepState(step);
        const { elements } = signed(step);
        const read = (step.after.values ?? {}) as Record<string, unknown>;
        return (
          <li key={step.number}>
            <Outcome status={status}>{word}</Outcome>
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
                      reads now <Said of={read[one.setting] === one.target ? one.shown_target : read[one.setting]} />
                    </>
                  ) : null}
                </div>
              ))}
              {step.words && step.words !== word ? <div className="dim">{visible(step.words)}</div> : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function StepRows({ step }: { step: JobStep }) {
  const { elements } = signed(step);
  const { status, word } = stepState(step);
  const read = (step.after.values ?? {}) as Record<string, unknown>;
  return (
    <tbody>
      {elements.map((element, at) => (
        <tr key={element.setting} className={at === 0 ? styles.first : undefined}>
          <td className="num">{at === 0 ? step.number : <span className="hidden-visually">{step.number}</span>}</td>
          <td>
            {at === 0 ? <div className="strong">{visible(step.title)}</div> : null}
            {visible(element.label)}
          </td>
          <td>
            <FromTo from={element.shown_seen} to={element.shown_target} />
          </td>
          <td>
            {element.setting in read ? (
              <Said
                of={read[element.setting] === element.target ? element.shown_target : read[element.setting]}
                title="As the host read it back after the change"
              />
            ) : (
              <span className="dim">not read yet</span>
            )}
          </td>
          <td>
            {at === 0 ? (
              <>
                <Outcome status={status}>{word}</Outcome>
                {step.words && step.words !== word ? <div className="dim small">{visible(step.words)}</div> : null}
                {step.attempt > 1 ? <div className="dim small">{step.attempt} tries, each under a number of its own</div> : null}
              </>
            ) : (
              <span className="dim">same step</span>
            )}
          </td>
          <td className="nowrap">{at === 0 ? <Instant at={step.finished_at} form="moment" none="it has not ended" /> : null}</td>
        </tr>
      ))}
    </tbody>
  );
}
