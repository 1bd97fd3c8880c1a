import { describe, expect, it } from "vitest";
import type { JobEvent } from "@/entities/job/types";
import { logText, merged, pathPoints, readEvent, unreadSpans, whole, withGaps } from "./events";

const event = (number: number, part: Partial<JobEvent> = {}): JobEvent => ({
  number,
  at: `2026-11-22T00:00:${String(number).padStart(2, "0")}Z`,
  kind: "note",
  step_no: null,
  state: "RUNNING",
  words: `line ${number}`,
  data: {},
  ...part,
});

describe("events that come twice, late or not at all", () => {
  it("are put into one row by their number, each once", () => {
    const row = merged([event(1), event(2)], [event(4), event(2), event(3), event(4)]);
    expect(row.map((one) => one.number)).toEqual([1, 2, 3, 4]);
  });

  it("leave the row as it is where nothing is new, so that nothing is drawn again", () => {
    const row = [event(1), event(2)];
    expect(merged(row, [event(2)])).toBe(row);
  });

  it("are asked for from the last number before the first hole", () => {
    expect(whole([])).toBe(0);
    expect(whole([event(1), event(2), event(5)])).toBe(2);
    expect(whole([event(2)])).toBe(0);
  });

  it("are not taken from what is no event", () => {
    expect(readEvent("<html>")).toBeNull();
    expect(readEvent("{}")).toBeNull();
    expect(readEvent(JSON.stringify(event(3)))?.number).toBe(3);
  });
});

describe("the path count", () => {
  it("holds each reading, and a gap where the host could not count", () => {
    const points = pathPoints([
      event(1),
      event(2, { data: { health: { least_paths: 4, volumes: 3 } } }),
      event(3, { data: { health: { least_paths: null, volumes: null } } }),
      event(4, { data: { health: { least_paths: 2, volumes: 3 } } }),
      event(5, { data: { health: {} } }),
    ]);
    expect(points.map(([, count]) => count)).toEqual([4, null, 2]);
  });

  it("is not 0 on a host that has no volume", () => {
    expect(pathPoints([event(1, { data: { health: { least_paths: 0, volumes: 0 } } })])).toEqual([]);
  });
});

describe("the time in which a step takes an adapter down", () => {
  const at = (number: number) => Date.parse(event(number).at);
  const read = (least_paths: number | null) => ({ health: { least_paths, volumes: 3 } });
  const sent = (number: number, step_no = 1) => event(number, { kind: "step", state: "IN_FLIGHT", step_no, data: read(4) });
  const applied = (number: number) => event(number, { kind: "step", state: "APPLIED", step_no: 1, data: read(4) });

  it("is unknown from the command to the next reading, and the line stops there", () => {
    const events = [event(1, { data: read(4) }), sent(3), applied(20)];
    const spans = unreadSpans(events, new Set([1]), at(59));
    expect(spans).toEqual([[at(3), at(20)]]);
    expect(withGaps(pathPoints(events), spans)).toEqual([
      [at(1), 4],
      [at(3), 4],
      [at(3) + 1, null],
      [at(20), 4],
    ]);
  });

  it("lasts to now while no reading came; before a command is sent again, the host is read", () => {
    expect(unreadSpans([sent(3), event(9, { data: read(null) }), sent(12)], new Set([1]), at(40))).toEqual([
      [at(3), at(12)],
      [at(12), at(40)],
    ]);
  });

  it("is nothing for steps that take no adapter down", () => {
    expect(unreadSpans([sent(3, 2), applied(20)], new Set([1]), at(59))).toEqual([]);
  });
});

it("is downloaded as one line an event, whatever a host put into its words", () => {
  expect(logText([event(1, { words: "two\nlines\tand a tab", step_no: 2 })])).toBe(
    "1\t2026-11-22T00:00:01Z\tnote\t2\tRUNNING\ttwo lines and a tab\n",
  );
});
