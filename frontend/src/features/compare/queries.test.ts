import { expect, it } from "vitest";
import { comparisonFilters } from "./queries";

it("asks for the peers where the address lacks the other host, the date or the bundle", () => {
  expect(comparisonFilters({ with: "host" }).reference).toBe("peers");
  expect(comparisonFilters({ with: "date" }).reference).toBe("peers");
  expect(comparisonFilters({ with: "bundle" }).reference).toBe("peers");
  expect(comparisonFilters({}).reference).toBe("peers");
});

it("sends only what the reference needs", () => {
  const other = "a".repeat(32);
  expect(comparisonFilters({ with: "baseline", other, at: "2026-01-01T00:00:00Z", same: "yes" })).toEqual({
    reference: "baseline",
    other: undefined,
    at: undefined,
    assessed: undefined,
    same: true,
  });
  expect(comparisonFilters({ with: "host", other, assessed: 7 })).toMatchObject({ other, assessed: undefined });
  expect(comparisonFilters({ with: "bundle", other, assessed: 7 })).toMatchObject({ reference: "bundle", other: undefined, assessed: 7 });
});
