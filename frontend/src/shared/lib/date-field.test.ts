import { expect, test } from "vitest";
import { dateFieldIn, fromDateField } from "./date-field";

test("date fields are read and written in UTC", () => {
  expect(fromDateField("2026-11-22T10:00")).toBe("2026-11-22T10:00:00.000Z");
  expect(fromDateField("")).toBeUndefined();
  expect(dateFieldIn(26, new Date("2026-11-22T10:00:00Z"))).toBe("2026-11-23T12:00");
});
