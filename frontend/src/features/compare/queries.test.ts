import { expect, it } from "vitest";
import { comparisonFilters } from "./queries";

it("asks for the peers where the address lacks the other host or the date", () => {
  expect(comparisonFilters({ with: "host" }).reference).toBe("peers");
  expect(comparisonFilters({ with: "date" }).reference).toBe("peers");
  expect(comparisonFilters({}).reference).toBe("peers");
});

it("sends only what the reference needs", () => {
  const other = "a".repeat(32);
  expect(comparisonFilters({ with: "baseline", other, at: "2026-01-01T00:00:00Z", same: "yes" })).toEqual({
    reference: "baseline",
    other: undefined,
    at: undefined,
    same: true,
  });
  expect(comparisonFilters({ with: "host", other }).other).toBe(other);
});
