import { expect, it } from "vitest";
import { keepOrder } from "./row-order";

it("keeps rows where a person sees them, with their new content, and puts new ones at the end", () => {
  const fresh = [
    { id: "c", score: 1 },
    { id: "x", score: 2 },
    { id: "a", score: 3 },
  ];
  expect(keepOrder(["a", "b", "c"], fresh)).toEqual([fresh[2], fresh[0], fresh[1]]);
});
