import { expect, it } from "vitest";
import { performanceSearch } from "./search";

it("keeps what it knows and drops the rest", () => {
  const host = "0".repeat(32);
  expect(
    performanceSearch.parse({
      host,
      series: [`${host}~host/:cpu_percent`],
      compare: "job:12",
      from: "2026-11-25T10:00:00Z",
      layout: "hosts",
    }),
  ).toEqual({
    host: [host],
    series: [`${host}~host/:cpu_percent`],
    compare: "job:12",
    from: "2026-11-25T10:00:00Z",
    layout: "hosts",
  });
  expect(performanceSearch.parse({ compare: "job:x", from: "yesterday", sort: "best", hours: "-1", by: "rack", host: "sql-01" })).toEqual(
    {},
  );
});
