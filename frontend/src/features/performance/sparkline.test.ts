import { expect, it } from "vitest";
import { pathOf } from "./sparkline";

const same = (one: number) => one;

it("leaves gaps open and draws a value that stands alone", () => {
  expect(pathOf([1, 2, null, 3, null], same, same)).toBe("M0.0 1.0L1.0 2.0M3.0 3.0h1.5");
  expect(pathOf([null, null], same, same)).toBe("");
});
