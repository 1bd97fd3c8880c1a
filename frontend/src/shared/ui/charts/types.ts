/** What a chart over time draws. */

export interface TimeSeries {
  id: string;
  label: string;
  unit: string;
  /** [milliseconds since 1970, value]; null where nothing is known, which leaves a gap and is never drawn as 0. */
  points: [number, number | null][];
  /** Lowest and highest reading behind each point, where a point stands for several. */
  band?: [number, number | null, number | null][] | undefined;
  /** A token instead of the next colour of the row. */
  colour?: string | undefined;
  /** Drawn thin and dotted, as what the others are compared with; it has the colour of the series that it belongs to. */
  isComparison?: boolean | undefined;
}

export const MARK_KINDS = ["change", "driver", "restart", "job", "pack", "event"] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** Something that happened, at its time. */
export interface TimeMarker {
  at: string;
  label: string;
  /** One of the kinds; an act on packs, such as `pack_activated`, counts as a pack, anything else as an event. */
  kind?: string | undefined;
  /** Address of the page about it. */
  href?: string | undefined;
}

/** A figure to compare with, drawn across, and where it comes from. */
export interface TimeReference {
  value: number;
  label: string;
  source: string;
  /** Crossing it is bad, as opposed to a figure for orientation. */
  isLimit?: boolean | undefined;
}
