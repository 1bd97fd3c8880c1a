import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { causeLabel } from "@/entities/host/labels";
import { visible } from "@/shared/lib/text";
import { exact } from "@/shared/lib/time";
import { AXIS_WIDTH, leftOf, MARGIN } from "@/shared/ui/charts/geometry";
import { timeTicks, timeTickText } from "@/shared/ui/charts/ticks";
import { useZone } from "@/shared/ui/time-ago";
import styles from "./host.module.css";
import { ruleMarks, stateLines, timelineMarks } from "./timeline";
import type { HostTimeline } from "./types";

/** Settings drawn before the list says the rest. */
const MOST_LINES = 14;

/** Where a chart above has its plot. */
const PLOT = { marginLeft: AXIS_WIDTH, marginRight: MARGIN.right };

interface StripProps {
  data: HostTimeline;
  /** A counter over the same time, drawn by a chart. */
  counter: { label: ReactNode; chart: ReactNode } | undefined;
}

/** A counter, jobs, updates, restarts, rules and values of one host, below one another on one axis. */
export function Strip({ data, counter }: StripProps) {
  const from = Date.parse(data.from);
  const to = Date.parse(data.to);
  const lines = stateLines(data.changes, from, to, MOST_LINES);
  const zone = useZone();
  return (
    <div className={styles.strip}>
      {counter ? (
        <Row label={counter.label}>
          <div style={{ minWidth: 0 }}>{counter.chart}</div>
        </Row>
      ) : null}
      <HostMarks data={data} from={from} to={to} />
      <RuleMarks data={data} from={from} to={to} />
      {lines.map((line) => (
        <Row key={line.key} label={visible(line.label)}>
          <div
            className={styles.spans}
            style={PLOT}
            role="img"
            aria-label={line.spans.map((span) => `${span.text} from ${exact(new Date(span.from).toISOString(), zone)}`).join("; ")}
          >
            {line.spans.map((span) => (
              <span
                key={span.from}
                style={{ left: `${(100 * (span.from - from)) / (to - from)}%`, width: `${(100 * (span.to - span.from)) / (to - from)}%` }}
                title={`${visible(span.text)}, from ${exact(new Date(span.from).toISOString(), zone)}`}
              >
                {visible(span.text)}
              </span>
            ))}
          </div>
        </Row>
      ))}
      {counter && lines.length === 0 ? null : <Ticks from={from} to={to} />}
    </div>
  );
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div style={{ display: "contents" }}>
      <div>{label}</div>
      {children}
    </div>
  );
}

interface AxisProps {
  from: number;
  to: number;
}

const placeOf = (at: number, { from, to }: AxisProps) => ({ left: leftOf((at - from) / (to - from)) });

/** Jobs, updates and restarts. */
function HostMarks({ data, ...axis }: AxisProps & { data: HostTimeline }) {
  const zone = useZone();
  const marks = timelineMarks(data.changes);
  if (marks.length === 0) return null;
  return (
    <Row label="Jobs, updates and restarts">
      <ul className={styles.marks}>
        {marks.map((mark) => {
          const text = `${causeLabel(mark.cause)}${mark.detail ? `: ${visible(mark.detail)}` : ""}, ${exact(new Date(mark.at).toISOString(), zone)}`;
          return (
            <li key={mark.key} style={placeOf(mark.at, axis)}>
              {mark.jobId === null ? (
                <span title={text} role="img" aria-label={text} data-cause={mark.cause} />
              ) : (
                <Link
                  to="/jobs/$jobId"
                  params={{ jobId: String(mark.jobId) }}
                  title={text}
                  aria-label={`Job ${mark.jobId}: ${text}`}
                  data-cause={mark.cause}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Row>
  );
}

/** Rules that began or ceased to fail. */
function RuleMarks({ data, ...axis }: AxisProps & { data: HostTimeline }) {
  const zone = useZone();
  const marks = ruleMarks(data.findings);
  if (marks.length === 0) return null;
  return (
    <Row label="Rules">
      <ul className={styles.marks}>
        {marks.map((mark) => {
          const text = `${mark.words.map(visible).join("; ")}, ${exact(mark.at, zone)}`;
          return (
            <li key={`${mark.at}${mark.begins}`} style={placeOf(Date.parse(mark.at), axis)}>
              <span title={text} role="img" aria-label={text} data-rule={mark.begins ? "begins" : "ends"} />
            </li>
          );
        })}
      </ul>
    </Row>
  );
}

function Ticks({ from, to }: AxisProps) {
  const zone = useZone();
  const { at, step } = timeTicks(from, to, zone, 6);
  return (
    <Row label="">
      <div className={styles.ticks} aria-hidden="true">
        {at.map((one) => (
          <span key={one} style={placeOf(one, { from, to })}>
            {timeTickText(one, step, zone)}
          </span>
        ))}
      </div>
    </Row>
  );
}
