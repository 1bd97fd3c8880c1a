import type { Matrix } from "./types";

type Host = Matrix["hosts"][number];

/** Rows as a person asked: those that fail most, by name, or by cluster with what fails most first in each. */
export function ordered(hosts: readonly Host[], by: "failing" | "name" | "cluster"): Host[] {
  const fails = (host: Host) => host.cells.filter((cell) => cell === "fail").length;
  const name = (a: Host, b: Host) => a.name.localeCompare(b.name, "en", { numeric: true });
  const worst = (a: Host, b: Host) => fails(b) - fails(a) || (a.score ?? 101) - (b.score ?? 101) || name(a, b);
  if (by === "name") return [...hosts].sort(name);
  // Hosts of no cluster stand last.
  const cluster = (a: Host, b: Host) => Number(a.cluster === "") - Number(b.cluster === "") || a.cluster.localeCompare(b.cluster, "en");
  return [...hosts].sort(by === "cluster" ? (a, b) => cluster(a, b) || worst(a, b) : worst);
}

/** Where an arrow key leads in a grid of rows x columns; the edges hold. */
export function moved(at: [number, number], key: string, rows: number, columns: number): [number, number] | null {
  const [row, column] = at;
  const next: Record<string, [number, number]> = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, columns - 1],
    PageUp: [0, column],
    PageDown: [rows - 1, column],
  };
  const wanted = next[key];
  if (!wanted) return null;
  const held = (value: number, most: number) => Math.min(most - 1, Math.max(0, value));
  return [held(wanted[0], rows), held(wanted[1], columns)];
}
