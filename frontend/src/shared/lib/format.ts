/** How numbers and values are written. One locale, so that a screen, a report and a screenshot agree. */

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });
const twoFigures = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 2 });
const twoDigits = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });

export const NO_DATA = "–";

/** A count with thousands separators, an en dash where there is none: never 0 for "not known". */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? NO_DATA : whole.format(value);
}

/** A signed change with a real minus sign: +1.2, −3. */
export function signed(value: number | null | undefined): string {
  if (value === null || value === undefined) return NO_DATA;
  if (Math.abs(value) < 0.05) return "±0";
  return `${value > 0 ? "+" : "−"}${oneDigit.format(Math.abs(value))}`;
}

/** Points of a score, rounded down as the score itself is. */
export function score(value: number | null | undefined): string {
  return value === null || value === undefined ? NO_DATA : whole.format(Math.floor(value));
}

/** A share given as 0 to 1, as whole per cent, rounded down so that 99.6% never reads as complete. */
export function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? NO_DATA : `${whole.format(Math.floor(share * 100 + 1e-9))}%`;
}

/** "1 host", "2 hosts". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

const bytesUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** A size in binary units, which is how arrays and hosts both count. */
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return NO_DATA;
  let rest = value;
  let unit = 0;
  while (rest >= 1024 && unit < bytesUnits.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${oneDigit.format(rest)} ${bytesUnits[unit]}`;
}

const siUnits = ["", "k", "M", "G", "T"] as const;

/** A measured figure with its unit; large rates are shortened (2.01 GB/s), small ones keep two figures, however small (0.0042%). */
export function measured(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined) return NO_DATA;
  const isRate = /^(B|bit|bytes|bits|b)\/s$|^bps$|^Bps$/.test(unit);
  if (isRate && Math.abs(value) >= 1000) {
    let rest = value;
    let step = 0;
    while (Math.abs(rest) >= 1000 && step < siUnits.length - 1) {
      rest /= 1000;
      step += 1;
    }
    return `${twoDigits.format(rest)} ${siUnits[step]}${unit}`;
  }
  const size = Math.abs(value);
  const figure = (size < 0.1 ? twoFigures : size < 100 ? twoDigits : whole).format(value);
  if (unit === "%") return `${figure}%`;
  // A count per time has no unit above the stroke: "9.38/s", not "9.38 1/s".
  if (unit.startsWith("1/")) return `${figure}${unit.slice(1)}`;
  return unit ? `${figure} ${unit}` : figure;
}

/**
 * Any value a host, a rule or the audit may hold, as one line of text. Objects and lists are written as JSON, so that
 * nothing is shown as "[object Object]" and nothing is lost.
 */
export function value(of: unknown): string {
  if (of === null || of === undefined || of === "") return NO_DATA;
  if (typeof of === "string") return of;
  if (typeof of === "boolean") return of ? "true" : "false";
  if (typeof of === "number") return String(of);
  if (Array.isArray(of) && of.every((item) => typeof item !== "object" || item === null)) return of.map(value).join(", ");
  return JSON.stringify(of);
}

/** The first twelve digits of a digest, enough to compare by eye; the copy button has all of it. */
export function shortDigest(digest: string | null | undefined): string {
  if (!digest) return NO_DATA;
  return digest.length > 14 ? `${digest.slice(0, 12)}…` : digest;
}
