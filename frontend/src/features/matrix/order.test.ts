import { expect, test } from "vitest";
import { moved, ordered } from "./order";

const host = (name: string, cluster: string, cells: ("fail" | "pass" | null)[], score: number | null = 90) => ({
  id: name,
  name,
  cluster,
  group_id: 1,
  group_name: "PROD",
  score,
  freshness: "fresh" as const,
  cells,
});
const hosts = [host("b", "", ["fail", "fail"]), host("a10", "SQL", ["pass", "pass"]), host("a9", "SQL", ["fail", null])];

test("what fails most stands first, names count as people count", () => {
  expect(ordered(hosts, "failing").map((one) => one.name)).toEqual(["b", "a9", "a10"]);
  expect(ordered(hosts, "name").map((one) => one.name)).toEqual(["a9", "a10", "b"]);
});

test("clusters stand together, hosts of none last", () =>
  expect(ordered(hosts, "cluster").map((one) => one.name)).toEqual(["a9", "a10", "b"]));

test("arrow keys move by one and hold at the edges", () => {
  expect(moved([0, 0], "ArrowRight", 2, 3)).toEqual([0, 1]);
  expect(moved([0, 0], "ArrowUp", 2, 3)).toEqual([0, 0]);
  expect(moved([1, 2], "ArrowDown", 2, 3)).toEqual([1, 2]);
  expect(moved([1, 1], "End", 2, 3)).toEqual([1, 2]);
  expect(moved([1, 1], "x", 2, 3)).toBeNull();
});
