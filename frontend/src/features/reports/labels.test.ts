import { describe, expect, it } from "vitest";
import { presetLabel, scheduleWords, templateLabel } from "./labels";

describe("words of reports", () => {
  it("says when a schedule is due", () => {
    expect(scheduleWords({ every: "week", on_day: 1, hour: 7 })).toBe("Every Monday at 07:00");
    expect(scheduleWords({ every: "quarter", on_day: 3, hour: 16 })).toBe("Day 3 of each quarter at 16:00");
  });

  it("falls back to the name that the API sent", () => {
    expect(templateLabel("audit")).toBe("Audit evidence");
    expect(templateLabel("of a newer version")).toBe("of a newer version");
    expect(presetLabel("custom")).toBe("Custom period");
    expect(presetLabel("last_quarter")).toBe("Last quarter");
  });
});
