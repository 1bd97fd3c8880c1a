import { expect, test } from "vitest";
import { dateFieldIn, fromDateField, toDateField } from "./date-field";

test("date fields are read and written in the chosen zone", () => {
  expect(fromDateField("2026-11-22T10:00", "UTC")).toBe("2026-11-22T10:00:00.000Z");
  expect(fromDateField("2026-11-22T10:00", "Europe/Berlin")).toBe("2026-11-22T09:00:00.000Z");
  expect(fromDateField("2026-07-22T10:00", "America/New_York")).toBe("2026-07-22T14:00:00.000Z");
  expect(fromDateField("", "UTC")).toBeUndefined();
  expect(toDateField("2026-11-22T09:00:00Z", "Asia/Kolkata")).toBe("2026-11-22T14:30");
  expect(toDateField(undefined, "UTC")).toBe("");
  expect(dateFieldIn(26, "UTC", new Date("2026-11-22T10:00:00Z"))).toBe("2026-11-23T12:00");
});

test("an hour that the clocks skip is the time after the change, one that they repeat is the first", () => {
  expect(fromDateField("2026-03-29T02:30", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
  expect(fromDateField("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
});

test.each(["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Auckland", "UTC"])(
  "what is written is read again: %s",
  (zone) => {
    for (let hour = 0; hour < 366 * 24; hour += 7) {
      const at = new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
      const field = toDateField(at, zone);
      const again = fromDateField(field, zone) ?? "";
      // Of an hour that is repeated in autumn, the first one is read: the same field, and never a later time.
      expect(toDateField(again, zone)).toBe(field);
      expect(Date.parse(again)).toBeLessThanOrEqual(Date.parse(at));
    }
  },
);
