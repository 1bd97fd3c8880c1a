import type { Change, HostTimeline } from "./types";

/** One setting's line over time: which value held from when to when. */
interface StateLine {
  key: string;
  label: string;
  spans: { from: number; to: number; text: string }[];
}

/**
 * Merged spans for the settings that changed within the changes given, newest change first. `from` and `to` bound the
 * picture (milliseconds since 1970); the value before the first change is its old value.
 */
export function stateLines(changes: readonly Change[], from: number, to: number, most: number): StateLine[] {
  const bySetting = new Map<string, Change[]>();
  for (const change of changes) {
    const key = `${change.subject.kind}/${change.subject.id}/${change.key}`;
    const ofSetting = bySetting.get(key);
    if (ofSetting) ofSetting.push(change);
    else bySetting.set(key, [change]);
  }
  return [...bySetting.entries()].slice(0, most).map(([key, ofSetting]) => {
    const ordered = [...ofSetting].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const first = ordered[0];
    const spans: StateLine["spans"] = [];
    let start = from;
    let text = first?.old ?? "";
    for (const change of ordered) {
      const at = Math.min(to, Math.max(from, Date.parse(change.at)));
      if (at > start) spans.push({ from: start, to: at, text });
      start = at;
      text = change.new;
    }
    spans.push({ from: start, to, text });
    const label = first ? `${first.subject.label ? `${first.subject.label} ` : ""}${first.label}` : key;
    return { key, label, spans: spans.filter((span) => span.to > span.from) };
  });
}

/** Something that happened to the host as a whole: a job, an update, a restart. */
export interface TimelineMark {
  key: string;
  at: number;
  cause: string;
  detail: string;
  jobId: number | null;
}

/** What the causes of the changes say happened, each once for its moment, the oldest first. */
export function timelineMarks(changes: readonly Change[]): TimelineMark[] {
  const marks = new Map<string, TimelineMark>();
  for (const change of changes) {
    if (change.cause === "unknown" || change.cause === "") continue;
    const jobId = change.job_id ?? null;
    const key = jobId === null ? `${change.cause} ${change.cause_detail} ${change.at}` : `job ${jobId}`;
    const at = Date.parse(change.at);
    const known = marks.get(key);
    if (!known || at < known.at) marks.set(key, { key, at, cause: change.cause, detail: change.cause_detail, jobId });
  }
  return [...marks.values()].sort((a, b) => a.at - b.at);
}

/** All rules that began, or that ceased, to fail at one moment. */
export interface RuleMark {
  at: string;
  begins: boolean;
  words: string[];
}

/** A moment with ten rules is one mark that names each. */
export function ruleMarks(findings: HostTimeline["findings"]): RuleMark[] {
  const marks = new Map<string, RuleMark>();
  for (const { at, begins, words } of findings) {
    const key = `${at} ${begins}`;
    const known = marks.get(key);
    const line = begins ? words : `${words}: no longer fails`;
    if (known) known.words.push(line);
    else marks.set(key, { at, begins, words: [line] });
  }
  return [...marks.values()];
}

/**
 * Alarms of one kind, or of one rule, on the axis (milliseconds since 1970); an end that lies outside, or is not there yet, is null. `pack` and
 * `rule` are empty where no rule stands for it.
 */
export interface AlarmLine {
  key: string;
  pack: string;
  rule: string;
  title: string;
  spans: { from: number; to: number; words: string; began: string | null; ended: string | null }[];
}

/** A line for each kind and rule, in the order of its first alarm. */
export function alarmLines(alarms: HostTimeline["alarms"], from: number, to: number): AlarmLine[] {
  const lines = new Map<string, AlarmLine>();
  for (const { kind, pack, rule, title, words, began, ended } of alarms) {
    const key = `${kind}/${pack}/${rule}`;
    const line = lines.get(key) ?? { key, pack, rule, title, spans: [] };
    lines.set(key, line);
    line.spans.push({
      from: Math.max(from, began ? Date.parse(began) : from),
      to: Math.min(to, ended ? Date.parse(ended) : to),
      words,
      began: began && Date.parse(began) >= from ? began : null,
      ended: ended && Date.parse(ended) <= to ? ended : null,
    });
  }
  return [...lines.values()].sort((a, b) => (a.spans[0]?.from ?? 0) - (b.spans[0]?.from ?? 0));
}
