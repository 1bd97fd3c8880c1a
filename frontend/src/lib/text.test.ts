import { expect, it } from "vitest";
import { visible } from "./text";

it("writes reordering and hidden characters as escapes and leaves other scripts alone", () => {
  expect(visible("sql\u202e30-")).toBe("sql\\u202e30-");
  expect(visible("a\u200bb\u2066c\u0000")).toBe("a\\u200bb\\u2066c\\u0000");
  expect(visible("Deaktiviert – 無効\nzweite")).toBe("Deaktiviert – 無効\nzweite");
});
