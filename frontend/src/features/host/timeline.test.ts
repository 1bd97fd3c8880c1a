import { expect, it } from "vitest";
import { alarmLines, ruleMarks, stateLines, timelineMarks } from "./timeline";
import type { Change } from "./types";

const change = (at: string, old: string, now: string, id = 1): Change => ({
  id,
  at,
  old,
  new: now,
  subject: { kind: "adapter", id: "x", label: "SAN1" },
  key: "adapter.flow_control",
  label: "flow control",
  cause: "",
  cause_detail: "",
  job_id: null,
  seq: 1,
});

it("marks each job and update once, at its first change, and nothing whose cause is unknown", () => {
  const at = "2026-11-02T00:00:00Z";
  const job = { cause: "our_job", cause_detail: "plan 3, requested by ana", job_id: 7 };
  const marks = timelineMarks([
    { ...change("2026-11-02T00:05:00Z", "1", "2", 1), ...job },
    { ...change(at, "1", "2", 2), ...job },
    { ...change(at, "1", "2", 3), cause: "driver_update", cause_detail: "driver version 1 to 2" },
    { ...change(at, "1", "2", 4), cause: "driver_update", cause_detail: "driver version 1 to 2" },
    { ...change(at, "1", "2", 5), cause: "unknown" },
  ]);
  expect(marks.map((mark) => [mark.cause, mark.jobId, mark.at])).toEqual([
    ["our_job", 7, Date.parse(at)],
    ["driver_update", null, Date.parse(at)],
  ]);
});

it("tells which value held from when to when, the old value before the first change", () => {
  const at = (text: string) => Date.parse(text);
  const lines = stateLines(
    [change("2026-11-02T00:00:00Z", "off", "rx", 2), change("2026-11-01T00:00:00Z", "rx_tx", "off")],
    at("2026-10-31T00:00:00Z"),
    at("2026-11-03T00:00:00Z"),
    5,
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]?.label).toBe("SAN1 flow control");
  expect(lines[0]?.spans.map((span) => span.text)).toEqual(["rx_tx", "off", "rx"]);
  expect(lines[0]?.spans.map((span) => (span.to - span.from) / 86_400_000)).toEqual([1, 1, 1]);
});

it("makes one mark of the rules that turned at one moment, and keeps what began apart from what ceased", () => {
  const at = "2026-11-02T00:00:00Z";
  const rule = { pack: "dell-esxi55", rule: "x" };
  const marks = ruleMarks([
    { ...rule, at, begins: true, words: "MTU is below 9000" },
    { ...rule, at, begins: true, words: "Flow control is off" },
    { ...rule, at, begins: false, words: "Delayed ACK" },
    { ...rule, at: "2026-11-01T00:00:00Z", begins: true, words: "Delayed ACK is enabled" },
  ]);
  expect(marks.map((mark) => [mark.at.slice(8, 10), mark.begins, mark.words])).toEqual([
    ["02", true, ["MTU is below 9000", "Flow control is off"]],
    ["02", false, ["Delayed ACK: no longer fails"]],
    ["01", true, ["Delayed ACK is enabled"]],
  ]);
});

it("draws the alarms of a rule or kind on one line, cut at the range, and keeps when they began or ended within it", () => {
  const at = (day: number) => `2026-11-${String(day).padStart(2, "0")}T00:00:00Z`;
  const failing = { kind: "rule", pack: "core", words: "Failing" } as const;
  const rule = { ...failing, rule: "paths", title: "Two paths" };
  const lost = { kind: "paths", pack: "", rule: "", title: "Paths down", words: "3 of 4" } as const;
  const lines = alarmLines(
    [
      { ...rule, began: null, ended: at(3) },
      { ...rule, began: at(5), ended: null },
      { ...failing, rule: "mtu", title: "MTU", began: at(1), ended: at(9) },
      { ...lost, began: at(4), ended: null },
    ],
    Date.parse(at(2)),
    Date.parse(at(8)),
  );
  const [cut, words] = [null, "Failing"];
  expect(lines.map((line) => [line.rule, line.spans])).toEqual([
    [
      "paths",
      [
        { from: Date.parse(at(2)), to: Date.parse(at(3)), words, began: cut, ended: at(3) },
        { from: Date.parse(at(5)), to: Date.parse(at(8)), words, began: at(5), ended: cut },
      ],
    ],
    ["mtu", [{ from: Date.parse(at(2)), to: Date.parse(at(8)), words, began: cut, ended: cut }]],
    ["", [{ from: Date.parse(at(4)), to: Date.parse(at(8)), words: "3 of 4", began: at(4), ended: cut }]],
  ]);
});
