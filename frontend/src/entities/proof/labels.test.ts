import { describe, expect, it } from "vitest";
import { change, result } from "./labels";

describe("change", () => {
  it("carries its sign", () => {
    expect(change(30)).toBe("+30.0%");
    expect(change(-4.96)).toBe("−5.0%");
    expect(change(0)).toBe("0.0%");
  });
  it("is a dash where nothing is known", () => {
    expect(change(null)).toBe("–");
    expect(change(undefined)).toBe("–");
  });
});

describe("result", () => {
  it("is in the unit that is judged", () => {
    expect(result(13_000, "iops")).toBe("13,000 IOPS");
    expect(result(262_144_000, "bytes_per_second")).toBe("262.14 MB/s");
    expect(result(null, "iops")).toBe("–");
  });
});
