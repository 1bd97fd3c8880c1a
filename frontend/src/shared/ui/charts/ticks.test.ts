import { describe, expect, it } from "vitest";
import { timeTicks, timeTickText, valueTicks } from "./ticks";

const at = (text: string) => Date.parse(text);

describe("timeTicks", () => {
  it("stands on round times of the zone", () => {
    const { at: ticks, step } = timeTicks(at("2026-11-20T13:07:00Z"), at("2026-11-22T13:07:00Z"), "UTC", 8);
    expect(step).toBe(6 * 3_600_000);
    expect(ticks.map((one) => new Date(one).toISOString().slice(11, 16))).toEqual([
      "18:00",
      "00:00",
      "06:00",
      "12:00",
      "18:00",
      "00:00",
      "06:00",
      "12:00",
    ]);
  });

  it("counts midnights of the zone, also over a change of its clock", () => {
    const { at: ticks } = timeTicks(at("2026-10-23T12:00:00Z"), at("2026-10-28T12:00:00Z"), "Europe/Berlin", 6);
    expect(ticks.map((one) => new Date(one).toISOString())).toEqual([
      "2026-10-23T22:00:00.000Z",
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
      "2026-10-26T23:00:00.000Z",
      "2026-10-27T23:00:00.000Z",
    ]);
  });

  it("never has more than it may", () => {
    for (const hours of [0.02, 1, 6, 48, 168, 720, 2160, 17_520]) {
      const from = at("2026-11-20T13:07:11Z");
      expect(timeTicks(from, from + hours * 3_600_000, "Asia/Kolkata", 5).at.length).toBeLessThanOrEqual(6);
    }
  });
});

describe("timeTickText", () => {
  it("writes the date at midnight and the time elsewhere", () => {
    expect(timeTickText(at("2026-11-21T00:00:00Z"), 6 * 3_600_000, "UTC")).toBe("21 Nov");
    expect(timeTickText(at("2026-11-21T06:00:00Z"), 6 * 3_600_000, "UTC")).toBe("06:00");
    expect(timeTickText(at("2026-11-21T06:00:05Z"), 5_000, "UTC")).toBe("06:00:05");
    expect(timeTickText(at("2026-11-21T06:00:00Z"), 86_400_000, "UTC")).toBe("21 Nov");
  });
});

describe("valueTicks", () => {
  it("begins at 0, has round steps and reaches the largest figure", () => {
    expect(valueTicks(0.47)).toEqual([0, 0.2, 0.4, 0.6]);
    expect(valueTicks(97)).toEqual([0, 25, 50, 75, 100]);
    expect(valueTicks(1_250_000_000)).toEqual([0, 500_000_000, 1_000_000_000, 1_500_000_000]);
  });

  it("has an axis for nothing", () => {
    expect(valueTicks(0)).toEqual([0, 1]);
    expect(valueTicks(Number.NaN)).toEqual([0, 1]);
  });
});
