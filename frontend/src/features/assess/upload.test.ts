import { describe, expect, it } from "vitest";
import { nextPart, PART_BYTES } from "./upload";

describe("nextPart", () => {
  it("cuts a bundle into parts of at most the size that the server takes", () => {
    expect(nextPart(2_500_000, 0)).toEqual({ from: 0, to: PART_BYTES });
    expect(nextPart(2_500_000, 2_000_000)).toEqual({ from: 2_000_000, to: 2_500_000 });
  });

  it("goes on at any byte after a broken connection, and ends at the last one", () => {
    expect(nextPart(2_500_000, 1_234_567)).toEqual({ from: 1_234_567, to: 2_234_567 });
    expect(nextPart(2_500_000, 2_500_000)).toBeNull();
  });
});
