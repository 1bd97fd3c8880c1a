import { saveFile } from "@/shared/lib/save-file";

/** What stands beside the lines in a picture of a chart, since a picture has no page around it. */
export interface PictureText {
  title: string;
  /** Below the title: the span, the host, the source. */
  subtitle: string;
  /** Name and look of each line, in order. */
  lines: { label: string; stroke: string; dash: string }[];
  /** One line each at the foot: references, downsampling. */
  notes: string[];
}

const LINE = 18;
const PAD = 16;
const FONT = "Inter, 'Segoe UI', Helvetica, Arial, sans-serif";

/** Looks of the page, such as `var(--ink)`, as the values that they have now, so that the file needs no stylesheet. */
function resolved(text: string, styles: CSSStyleDeclaration): string {
  return text.replace(/var\((--[a-z0-9-]+)\)/g, (_, name: string) => styles.getPropertyValue(name).trim() || "currentColor");
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);

/** The chart inside `frame` as an SVG of its own, with title, legend and notes; null while there is no chart. */
export function pictureOf(frame: Element, text: PictureText): { svg: string; width: number; height: number } | null {
  const drawn = frame.querySelector("svg.recharts-surface");
  if (!(drawn instanceof SVGSVGElement)) return null;
  const styles = getComputedStyle(frame);
  const chartWidth = drawn.clientWidth || Number(drawn.getAttribute("width")) || 600;
  const chartHeight = drawn.clientHeight || Number(drawn.getAttribute("height")) || 220;
  const width = chartWidth + 2 * PAD;
  const top = PAD + 2 * LINE + 6;
  const below = top + chartHeight + LINE;
  const height = below + (text.lines.length + text.notes.length) * LINE + PAD;
  const chart = drawn.cloneNode(true) as SVGSVGElement;
  chart.setAttribute("x", String(PAD));
  chart.setAttribute("y", String(top));
  chart.setAttribute("width", String(chartWidth));
  chart.setAttribute("height", String(chartHeight));
  chart.setAttribute("overflow", "visible");
  for (const cursor of chart.querySelectorAll(".recharts-tooltip-cursor, .recharts-active-dot")) cursor.remove();
  const row = (y: number, words: string, more = "") =>
    `<text x="${PAD}" y="${y}" font-size="12" fill="var(--ink-2)"${more}>${escaped(words)}</text>`;
  const legend = text.lines.map(({ label, stroke, dash }, index) => {
    const y = below + index * LINE;
    return (
      `<path d="M${PAD} ${y - 4}h24" stroke="${stroke}" stroke-width="2" stroke-dasharray="${dash}"/>` +
      `<text x="${PAD + 32}" y="${y}" font-size="12" fill="var(--ink)">${escaped(label)}</text>`
    );
  });
  const notes = text.notes.map((note, index) => row(below + (text.lines.length + index) * LINE, note));
  const svg = resolved(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}">` +
      `<title>${escaped(text.title)}</title><rect width="100%" height="100%" fill="var(--ground)"/>` +
      `<text x="${PAD}" y="${PAD + 12}" font-size="14" font-weight="600" fill="var(--ink)">${escaped(text.title)}</text>` +
      row(PAD + 12 + LINE, text.subtitle) +
      new XMLSerializer().serializeToString(chart) +
      legend.join("") +
      notes.join("") +
      "</svg>",
    styles,
  );
  return { svg, width, height };
}

/** Gives the chart to the browser as an SVG file. */
export function saveSvg(frame: Element, name: string, text: PictureText): void {
  const picture = pictureOf(frame, text);
  if (picture) saveFile(`${name}.svg`, new Blob([picture.svg], { type: "image/svg+xml" }));
}

/** Gives the chart to the browser as a PNG file, at twice its size on screen. */
export async function savePng(frame: Element, name: string, text: PictureText): Promise<void> {
  const picture = pictureOf(frame, text);
  if (!picture) return;
  const image = new Image();
  // A data address: the page's own rules for content allow no pictures from elsewhere.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.width * 2;
  canvas.height = picture.height * 2;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) saveFile(`${name}.png`, blob);
}
