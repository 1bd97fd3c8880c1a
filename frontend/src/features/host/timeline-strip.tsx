import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { causeLabel } from "@/entities/host/labels";
import { visible } from "@/shared/lib/text";
import { exact } from "@/shared/lib/time";
import { AXIS_WIDTH, leftOf, MARGIN } from "@/shared/ui/charts/geometry";
import { timeTicks, timeTickText } from "@/shared/ui/charts/ticks";
import { useZone } from "@/shared/ui/time-ago";
import styles from "./host.module.css";
import { type AlarmLine, alarmLines, ruleMarks, stateLines, timelineMarks } from "./timeline";
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

/** A counter, jobs, updates, restarts, rules, alarms and values of one host, below one another on one axis. */
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
      <Marks label="Jobs, updates and restarts" marks={hostMarks(data.changes, zone)} from={from} to={to} />
      <Marks label="Rules" marks={marksOfRules(data.findings, zone)} from={from} to={to} />
      {alarmLines(data.alarms, from, to).map((line) => (
        <Alarms key={line.key} line={line} from={from} to={to} />
      ))}
      {lines.map((line) => (
        <Row key={line.key} label={visible(line.label)}>
          <Spans
            spans={line.spans.map((span) => ({
              ...span,
              shown: visible(span.text),
              text: `${visible(span.text)} from ${exact(new Date(span.from).toISOString(), zone)}`,
            }))}
            from={from}
            to={to}
          />
        </Row>
      ))}
      {counter && lines.length === 0 ? null : <Ticks from={from} to={to} />}
    </div>
  );
}

/** When one guardrail or the rule of two healthy paths failed, paths of volumes were down, or the host was not reporting. */
function Alarms({ line, from, to }: AxisProps & { line: AlarmLine }) {
  const zone = useZone();
  const label = line.rule ? (
    <Link to="/rules/$pack/$rule" params={{ pack: line.pack, rule: line.rule }} className="link">
      {visible(line.title)}
    </Link>
  ) : (
    line.title
  );
  const spans = line.spans.map((span) => ({
    ...span,
    shown: visible(span.words),
    text: `${visible(span.words)} ${span.began ? `from ${exact(span.began, zone)}` : "since before this range"}${span.ended ? ` to ${exact(span.ended, zone)}` : ""}`,
  }));
  return (
    <Row label={label}>
      <Spans spans={spans} from={from} to={to} isAlarm />
    </Row>
  );
}

interface Span {
  from: number;
  to: number;
  /** What stands in it, and what it says on hover and to a screen reader. */
  shown: string;
  text: string;
}

/** Times on the axis, one after the other. */
function Spans({ spans, from, to, isAlarm = false }: AxisProps & { spans: Span[]; isAlarm?: boolean }) {
  const share = (span: number) => `${(100 * span) / (to - from)}%`;
  return (
    <div className={styles.spans} style={PLOT} role="img" aria-label={spans.map((span) => span.text).join("; ")}>
      {spans.map((span) => (
        <span
          key={span.from}
          data-alarm={isAlarm || undefined}
          style={{ left: share(span.from - from), width: share(span.to - span.from) }}
          title={span.text}
        >
          {span.shown}
        </span>
      ))}
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

interface Mark {
  key: string;
  at: number;
  /** What it says on hover, and to a screen reader. */
  text: string;
  jobId?: number | null;
  /** Its form: by what caused it, or by whether a rule began or ceased to fail. */
  form: { "data-cause": string } | { "data-rule": "begins" | "ends" };
}

/** Marks on the axis; one of a job leads to it. */
function Marks({ label, marks, ...axis }: AxisProps & { label: string; marks: Mark[] }) {
  if (marks.length === 0) return null;
  return (
    <Row label={label}>
      <ul className={styles.marks}>
        {marks.map(({ key, at, text, jobId, form }) => (
          <li key={key} style={placeOf(at, axis)}>
            {jobId == null ? (
              <span title={text} role="img" aria-label={text} {...form} />
            ) : (
              <Link to="/jobs/$jobId" params={{ jobId: String(jobId) }} title={text} aria-label={`Job ${jobId}: ${text}`} {...form} />
            )}
          </li>
        ))}
      </ul>
    </Row>
  );
}

/** Jobs, updates and restarts in words. */
const hostMarks = (changes: HostTimeline["changes"], zone: string): Mark[] =>
  timelineMarks(changes).map(({ key, at, cause, detail, jobId }) => ({
    key,
    at,
    jobId,
    text: `${causeLabel(cause)}${detail ? `: ${visible(detail)}` : ""}, ${exact(new Date(at).toISOString(), zone)}`,
    form: { "data-cause": cause },
  }));

/** Rules that began or ceased to fail in words. */
const marksOfRules = (findings: HostTimeline["findings"], zone: string): Mark[] =>
  ruleMarks(findings).map(({ at, begins, words }) => ({
    key: `${at}${begins}`,
    at: Date.parse(at),
    text: `${words.map(visible).join("; ")}, ${exact(at, zone)}`,
    form: { "data-rule": begins ? "begins" : "ends" },
  }));

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
