import { describe, expect, it } from "vitest";
import { bytes, count, measured, percent, plural, score, signed, value } from "./format";

describe("figures", () => {
  it("writes an en dash and never 0 where nothing is known", () => {
    expect([count(null), percent(null), score(undefined), bytes(null), measured(null, "%"), signed(null)]).toEqual(Array(6).fill("–"));
    expect([count(0), percent(0), score(0)]).toEqual(["0", "0%", "0"]);
  });
  it("separates thousands", () => expect(count(4120)).toBe("4,120"));
  it("rounds scores and shares down, so that 99.6% never reads as whole", () => {
    expect(score(88.9)).toBe("88");
    expect(percent(0.996)).toBe("99%");
    expect(percent(1)).toBe("100%");
    expect(percent(0.29)).toBe("29%");
  });
  it("signs with a real minus", () => expect([signed(1.2), signed(-3), signed(0)]).toEqual(["+1.2", "−3", "±0"]));
  it("shortens rates and keeps small figures exact", () => {
    expect(measured(2_008_000_000, "B/s")).toBe("2.01 GB/s");
    expect(measured(0.11, "%")).toBe("0.11%");
    expect(measured(9.38, "1/s")).toBe("9.38/s");
  });
  it("counts sizes in binary units", () => expect(bytes(2 ** 41)).toBe("2 TiB"));
  it("knows one from many", () => expect([plural(1, "host"), plural(2, "host")]).toEqual(["1 host", "2 hosts"]));
  it("shows any value as text and never an object's name", () => {
    expect(value({ a: 1 })).toBe('{"a":1}');
    expect(value([1, "b"])).toBe("1, b");
    expect(value(false)).toBe("false");
  });
});
