import { expect, it } from "vitest";
import { stateLines } from "./timeline";
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
  seq: 1,
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
