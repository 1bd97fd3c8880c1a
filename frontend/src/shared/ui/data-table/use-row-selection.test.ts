import { expect, it } from "vitest";
import { rangeOf } from "./use-row-selection";

it("selects everything between two rows in the order shown", () => {
  expect(rangeOf(["a", "b", "c", "d"], "d", "b")).toEqual(["b", "c", "d"]);
  expect(rangeOf(["a", "b"], "gone", "b")).toEqual(["b"]);
});
