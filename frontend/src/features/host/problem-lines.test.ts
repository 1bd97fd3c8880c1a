import { expect, it } from "vitest";
import type { HostDetail } from "@/entities/host/types";
import { problemLines } from "./problem-lines";

const host = (about: Partial<HostDetail>) =>
  ({ state: "active", freshness: "fresh", alarm: "", is_restart_pending: false, problems: [], ...about }) as HostDetail;

it("says first that a host is quarantined, since its figures no longer move", () => {
  expect(problemLines(host({}), [])).toEqual([]);
  const [first, second] = problemLines(host({ state: "quarantined", alarm: "a copy runs elsewhere" }), []);
  expect(first).toMatch(/^Quarantined: check-ins are rejected/);
  expect(second).toBe("Alarm: a copy runs elsewhere");
});

it("says each problem once", () => {
  expect(problemLines(host({ problems: ["qos: timed out", "qos: timed out"] }), [])).toEqual(["qos: timed out"]);
});
