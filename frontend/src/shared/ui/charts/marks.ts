import { MARK_KINDS, type MarkKind, type TimeMarker } from "./types";

/** Marks that are drawn as one, because they are too near each other to be told apart. */
export interface MarkCluster {
  key: string;
  share: number;
  kind: MarkKind;
  marks: TimeMarker[];
}

/** Of several kinds at one place, the one to show: what people did comes before what followed from it. */
const FIRST: MarkKind[] = ["job", "restart", "driver", "change", "pack", "event"];

/** The kind that a mark is drawn as. */
export function kindOf(mark: TimeMarker): MarkKind {
  if (mark.kind?.startsWith("pack_")) return "pack";
  return MARK_KINDS.find((kind) => kind === mark.kind) ?? "event";
}

/** The marks within a span, in order; those nearer than `apart` of the span to the first of their cluster join it. */
export function clusterMarks(marks: TimeMarker[], from: number, to: number, apart = 0.08): MarkCluster[] {
  const placed = marks
    .map((mark) => ({ mark, share: (Date.parse(mark.at) - from) / Math.max(1, to - from) }))
    .filter(({ share }) => share >= 0 && share <= 1)
    .sort((a, b) => a.share - b.share);
  const clusters: MarkCluster[] = [];
  for (const { mark, share } of placed) {
    const last = clusters.at(-1);
    if (last && share - last.share < apart) last.marks.push(mark);
    else clusters.push({ key: `${mark.at}${mark.label}`, share, kind: "event", marks: [mark] });
  }
  for (const cluster of clusters) {
    const kinds = new Set(cluster.marks.map(kindOf));
    cluster.kind = FIRST.find((kind) => kinds.has(kind)) ?? "event";
  }
  return clusters;
}
