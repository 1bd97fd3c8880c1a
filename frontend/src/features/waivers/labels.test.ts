import { expect, test } from "vitest";
import { endOfDay, inDays, STATE, stateLabel, together } from "./labels";

test("nothing that is over looks like something that passes or holds", () => {
  for (const [state, { status }] of Object.entries(STATE)) {
    expect(status).not.toBe("pass");
    if (state !== "active") expect(status).not.toBe("waived");
  }
});

test("a date means the end of that day in UTC", () => {
  expect(endOfDay("2027-03-01", "UTC")).toBe("2027-03-01T23:59:00.000Z");
  expect(endOfDay("2027-03-01", "Asia/Tokyo")).toBe("2027-03-01T14:59:00.000Z");
  expect(inDays(30, "UTC", new Date("2026-11-22T10:00:00Z"))).toBe("2026-12-22");
});

test("a state that is not known is shown as it is", () => expect(stateLabel("other")).toBe("other"));

test("names are told in one sentence", () =>
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(together)).toEqual(["", "a", "a and b", "a, b and c"]));
