import { describe, expect, it } from "vitest";
import { age, exact, knownZone, moment, relative, timeOfDay, zoneLabel } from "./time";

const now = new Date("2026-11-21T09:41:20Z");

describe("instants", () => {
  it("prints the zone with every exact time", () => {
    expect(exact("2026-11-21T02:11:09Z", "UTC")).toBe("Sat 21 Nov 2026, 02:11:09 UTC");
    expect(exact("2026-11-21T02:11:09Z", "Europe/Berlin")).toBe("Sat 21 Nov 2026, 03:11:09 UTC+1");
    expect(zoneLabel("Europe/Berlin", new Date("2026-07-01T00:00:00Z"))).toBe("UTC+2");
  });
  it("falls back to UTC for a zone the browser does not know", () => expect(knownZone("Mars/Olympus")).toBe("UTC"));
  it("names a moment as a person does", () => {
    expect(moment("2026-11-21T02:11:09Z", "UTC", now)).toBe("02:11");
    expect(moment("2026-11-19T02:11:09Z", "UTC", now)).toBe("Thu 02:11");
    expect(moment("2026-10-01T02:11:09Z", "UTC", now)).toBe("1 Oct 02:11");
    expect(moment("2025-10-01T02:11:09Z", "UTC", now)).toBe("1 Oct 2025");
  });
  it("tells an age in the largest unit that says something", () => {
    expect(age("2026-11-21T09:38:00Z", now)).toBe("3 min");
    expect(age("2026-11-20T07:00:00Z", now)).toBe("27 h");
    expect(age("2026-11-18T09:00:00Z", now)).toBe("3 d");
    expect(relative("2026-11-21T13:41:20Z", now)).toBe("in 4 h");
    expect(relative("2026-11-21T09:41:18Z", now)).toBe("just now");
  });
  it("shows text it cannot read as it is", () => expect(timeOfDay("soon", "UTC")).toBe("soon"));
});
