interface SparklineProps {
  values: (number | null)[];
  /** The top of the scale: the same in all small charts of one symptom, so that they can be compared. */
  top: number;
  limit: number | null;
}

const WIDTH = 120;
const HEIGHT = 24;

/** A small line with gaps where nothing is known; only drawing, its figures stand beside it. */
export function Sparkline({ values, top, limit }: SparklineProps) {
  const x = (index: number) => (values.length > 1 ? (index / (values.length - 1)) * WIDTH : WIDTH / 2);
  const y = (figure: number) => HEIGHT - 1 - (Math.min(figure, top) / Math.max(top, Number.MIN_VALUE)) * (HEIGHT - 2);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      {limit !== null && limit <= top ? (
        <path d={`M0 ${y(limit)}H${WIDTH}`} stroke="var(--outcome-fail)" strokeDasharray="4 3" vectorEffect="non-scaling-stroke" />
      ) : null}
      <path d={pathOf(values, x, y)} fill="none" stroke="var(--series-1)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** A line through the known values. A value between two gaps is a short stroke, since a point alone would not be seen. */
export function pathOf(values: (number | null)[], x: (index: number) => number, y: (figure: number) => number): string {
  const parts: string[] = [];
  values.forEach((figure, index) => {
    if (figure === null) return;
    const at = `${x(index).toFixed(1)} ${y(figure).toFixed(1)}`;
    const isFirst = index === 0 || values[index - 1] === null;
    const isAlone = isFirst && (index === values.length - 1 || values[index + 1] === null);
    parts.push(isFirst ? `M${at}${isAlone ? "h1.5" : ""}` : `L${at}`);
  });
  return parts.join("");
}
