/** Comma-separated values as RFC 4180 has them, guarded against cells that a spreadsheet would run as a formula. */

const FORMULA = /^[=+\-@\t\r]/;

function cell(of: string | number | null): string {
  if (of === null) return "";
  if (typeof of === "number") return String(of);
  const guarded = FORMULA.test(of) ? `'${of}` : of;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export function csvOf(header: string[], rows: (string | number | null)[][]): string {
  return [header, ...rows]
    .map((row) => row.map(cell).join(","))
    .join("\r\n")
    .concat("\r\n");
}

/** Gives a text to the browser as a file to keep. */
export function offer(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
