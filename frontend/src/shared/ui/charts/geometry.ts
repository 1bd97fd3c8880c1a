/** Where the plot of a chart is inside its frame, for what is laid over it: marks, the selected span, the cursor. */

export const AXIS_WIDTH = 72;
export const MARGIN = { top: 14, right: 8, bottom: 0, left: 0 } as const;

/** Distance from the left edge of the frame, as CSS, of a time given as its share of the span. */
export const leftOf = (share: number): string => `calc(${AXIS_WIDTH}px + ${share.toFixed(5)} * (100% - ${AXIS_WIDTH + MARGIN.right}px))`;

/** The share of the span at a horizontal position, limited to the span. */
export function shareAt(x: number, frame: { left: number; width: number }): number {
  const width = Math.max(1, frame.width - AXIS_WIDTH - MARGIN.right);
  return Math.min(1, Math.max(0, (x - frame.left - AXIS_WIDTH) / width));
}
