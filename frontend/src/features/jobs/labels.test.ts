import { describe, expect, it } from "vitest";
import type { JobDetail, JobStep } from "@/entities/job/types";
import { leftFindings, matches, nextActs, presentText, stepState } from "./labels";

const step = (number: number, state: string, part: Partial<JobStep> = {}): JobStep =>
  ({
    number,
    title: `SAN${number}: flow control`,
    state,
    words: "",
    applied_by: "us",
    step: {
      elements: [{ label: "Flow control", shown_seen: "off", shown_target: "rx & tx" }],
      findings: [{ host: "h", pack: "p", rule: "r", subject_kind: "adapter", subject_id: String(number) }],
    },
    ...part,
  }) as unknown as JobStep;

const job = (state: string, steps: JobStep[], part: Partial<JobDetail> = {}): JobDetail =>
  ({ id: 7, kind: "change", state, state_label: state.toLowerCase(), state_words: "", steps, ...part }) as JobDetail;

describe("the present step in plain words", () => {
  it("says what is done to the host at this moment", () => {
    expect(presentText(job("RUNNING", [step(1, "PENDING")]))).toMatch(/^Re-reading values and running pre-checks/);
    expect(presentText(job("RUNNING", [step(1, "DONE"), step(2, "IN_FLIGHT")]))).toBe("Applying step 2 of 2, SAN2: flow control");
    expect(presentText(job("RUNNING", [step(1, "UNKNOWN")]))).toMatch(/^Checking on the host what happened/);
    expect(presentText(job("RUNNING", [step(1, "APPLIED")]))).toMatch(/^Monitoring the host/);
    expect(presentText(job("RUNNING", [step(1, "DONE"), step(2, "PENDING")]))).toMatch(/^Running pre-checks before step 2/);
  });

  it("gives the reason why it waits", () => {
    expect(presentText(job("WAITING", [], { state_words: "pre-check failed: not in maintenance mode" }))).toBe(
      "Pre-check failed: not in maintenance mode",
    );
    expect(presentText(job("QUEUED", []))).toBe("Waiting");
  });

  it("calls an undo that succeeded undone", () => {
    expect(presentText(job("SUCCEEDED", [], { kind: "undo" }))).toBe("Undone");
  });
});

describe("what to do next", () => {
  it("names each step that nobody knows the end of, with both values", () => {
    const acts = nextActs(job("NEEDS_HUMAN", [step(1, "DONE"), step(2, "CONFLICT"), step(3, "PENDING")]));
    expect(acts.filter((act) => act.startsWith("Step"))).toEqual([
      "Step 2, SAN2: flow control: check Flow control (was off, target rx & tx)",
    ]);
  });

  it("asks nothing where all is well", () => {
    expect(nextActs(job("SUCCEEDED", []))).toEqual([]);
    expect(nextActs(job("CANCELLED", []))).toEqual([]);
  });

  it("plans again only what was left undone, each finding once", () => {
    const left = leftFindings(job("PARTIAL", [step(1, "DONE"), step(2, "REVERTED"), step(2, "REVERTED")]));
    expect(left.map((one) => one.subject_id)).toEqual(["2"]);
  });
});

it("does not claim a value that stood there before", () => {
  expect(stepState(step(1, "DONE", { applied_by: "not us" })).label).toBe("Already correct");
  expect(stepState(step(1, "SOMETHING_NEW")).status).toBe("unknown");
});

it("finds lines that hold all the words, in any order", () => {
  const line = { words: "step 1: SAN1 done", kind: "step", state: "DONE" } as never;
  expect(matches(line, "done san1")).toBe(true);
  expect(matches(line, "done san2")).toBe(false);
});
