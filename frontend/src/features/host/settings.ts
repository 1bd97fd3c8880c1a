import type { HostSetting } from "./types";

interface SubjectSettings {
  key: string;
  kind: string;
  id: string;
  label: string;
  items: HostSetting[];
}

/** Settings that have all the words looked for in name, key, value, subject or reason. */
export function matchSettings(items: readonly HostSetting[], wanted: { q?: string; kind?: string; state?: string }): HostSetting[] {
  const terms = (wanted.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    if (wanted.kind && item.subject.kind !== wanted.kind) return false;
    if (wanted.state && item.state !== wanted.state) return false;
    if (terms.length === 0) return true;
    const text = [item.label, item.key, item.address, item.text, item.subject.label, item.reason, item.meaning].join(" ").toLowerCase();
    return terms.every((word) => text.includes(word));
  });
}

/** Settings by what they are about, in the order they came. */
export function bySubject(items: readonly HostSetting[]): SubjectSettings[] {
  const subjects = new Map<string, SubjectSettings>();
  for (const item of items) {
    const key = `${item.subject.kind}/${item.subject.id}`;
    const subject = subjects.get(key) ?? {
      key,
      kind: item.subject.kind,
      id: item.subject.id,
      label: item.subject.label || item.subject.id,
      items: [],
    };
    subject.items.push(item);
    subjects.set(key, subject);
  }
  return [...subjects.values()];
}
