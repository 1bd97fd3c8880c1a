import type { Change } from "./types";

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
