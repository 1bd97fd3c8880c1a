import { describe, expect, it } from "vitest";
import type { HostPlan } from "@/entities/plan/types";
import type { OnCallProblem } from "@/entities/problem/types";
import { impactLine, incidentText, pathsNow, problemStatus, worst } from "./labels";

const step = (adapters: string[], before = 4, during = 2, deadman_s = 90) => ({
  adapters,
  deadman_s,
  forecast: { seconds: 12, volumes: adapters.length > 0 ? [{ before, during }] : [] },
});
const plan = (...steps: unknown[]) => ({ steps }) as unknown as HostPlan;

describe("what a fix does to the host", () => {
  it("is said of one adapter, of two one after the other, and of none", () => {
    expect(impactLine(plan(step(["a"])))).toBe(
      "1 adapter; 4 → 2 paths for about 12 s; rolls back automatically if not healthy within 90 s",
    );
    expect(impactLine(plan(step(["a"]), step(["b"], 4, 1)))).toContain("2 adapters, one at a time; 4 → 1 paths for about 12 s each");
    expect(impactLine(plan(step([], 0, 0, 0)))).toBe("no adapter affected; no path affected");
  });
});

const problem = (part: Partial<OnCallProblem>) =>
  ({
    key: "worse-0",
    kind: "worse",
    host: { id: "0", name: "sql-03" },
    group_name: "PROD-B",
    since: "2026-11-22T02:11:00Z",
    words: "Flow control off",
    takes_away: "retransmits",
    changes: [
      {
        at: "2026-11-22T02:11:00Z",
        subject: "SAN1",
        label: "Flow control",
        old: "Rx & Tx",
        new: "off",
        cause: "driver_update",
        cause_detail: "7.4 to 7.8",
      },
    ],
    causes: [],
    alike: 1,
    note: null,
    paths_healthy: 4,
    paths_total: 4,
    ...part,
  }) as OnCallProblem;

it("names in a ticket what could explain a symptom", () => {
  const causes = [{ pack: "p", rule: "r", subject_id: "a", headline: "Flow control is off on SAN1" }];
  const lines = incidentText(problem({ kind: "symptom", causes, changes: [] }), "UTC", "https://p").split("\n");
  expect(lines[3]).toBe("could explain it: Flow control is off on SAN1");
});

it("puts into a ticket what, where, since when, what it takes away and what changed", () => {
  expect(incidentText(problem({}), "UTC", "https://p/on-call?problem=worse-0").split("\n")).toEqual([
    "sql-03 (PROD-B): Flow control off",
    "since Sun 22 Nov 2026, 02:11:00 UTC",
    "impact: retransmits",
    "Sun 22 Nov 2026, 02:11:00 UTC SAN1 Flow control: Rx & Tx -> off (7.4 to 7.8)",
    "same on 1 other host",
    "owner: unassigned",
    "https://p/on-call?problem=worse-0",
  ]);
});

it("never takes paths that nobody knows for none", () => {
  expect(pathsNow(problem({ paths_healthy: null }))).toBe("unknown");
  expect(problemStatus(problem({ kind: "paths", paths_healthy: 1 }))).toBe("fail");
  expect(problemStatus(problem({ kind: "paths", paths_healthy: 2 }))).toBe("warn");
  expect(problemStatus(problem({ kind: "silent" }))).toBe("unknown");
});

it("draws the worst of several adapters", () => {
  const line = (id: string, maximum: number | null) => ({ id, statistics: { maximum } });
  expect(worst([line("a", 0.2), line("b", 3), line("c", null)])?.id).toBe("b");
  expect(worst([line("a", null), line("b", null)])?.id).toBe("a");
  expect(worst([])).toBeUndefined();
});
