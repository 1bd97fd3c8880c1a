import { expect, it } from "vitest";
import { clusterMarks } from "./marks";

const mark = (minute: number, label: string, kind?: "job" | "change") => ({
  at: new Date(minute * 60_000).toISOString(),
  label,
  kind,
});

it("joins marks that would cover each other and keeps the rest apart", () => {
  const clusters = clusterMarks([mark(50, "b", "job"), mark(10, "a"), mark(50.5, "c", "change"), mark(90, "d")], 0, 100 * 60_000);
  expect(clusters.map((one) => [one.share, one.kind, one.marks.map(({ label }) => label)])).toEqual([
    [0.1, "event", ["a"]],
    [0.5, "job", ["b", "c"]],
    [0.9, "event", ["d"]],
  ]);
});

it("leaves out what is outside the span", () => {
  expect(clusterMarks([mark(-1, "before"), mark(101, "after")], 0, 100 * 60_000)).toEqual([]);
});
