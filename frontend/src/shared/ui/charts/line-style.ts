/** Lines are told apart by dash as well as by hue. */
const DASHES = ["0", "5 3", "2 2", "8 3 2 3"] as const;

/** How the line at a place among the lines is drawn. */
export const lineStyle = (at: number) => ({ stroke: `var(--series-${(at % 8) + 1})`, strokeDasharray: DASHES[at % 4] ?? "0" });
