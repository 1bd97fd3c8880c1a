import { expect, it } from "vitest";
import { capital, isSeen, small, visible } from "./text";

it("writes reordering and hidden characters as escapes and leaves other scripts alone", () => {
  expect(visible("sql\u202e30-")).toBe("sql\\u202e30-");
  expect(visible("a\u200bb\u2066c\u0000")).toBe("a\\u200bb\\u2066c\\u0000");
  expect(visible("Deaktiviert – 無効\nzweite")).toBe("Deaktiviert – 無効\nzweite");
});

it("sees a name only where a character of it can be seen", () => {
  for (const blank of ["", "  ", "\u00a0", "\u200b", "\u2060\ufeff", "\u3164", "\u2800", " \u00ad ", "\t"])
    expect(isSeen(blank)).toBe(false);
  for (const seen of ["a", " 7 ", "日", "-", "🛠"]) expect(isSeen(seen)).toBe(true);
});

it("begins a label with a capital, and keeps names and abbreviations", () => {
  expect(["pass", "vCenter", "iSCSI session", "TCP"].map(capital)).toEqual(["Pass", "vCenter", "iSCSI session", "TCP"]);
  expect(["Flow control", "L3 MTU", "RSS", "TCP checksum offload IPv4", "Jumbo frames"].map(small)).toEqual([
    "flow control",
    "L3 MTU",
    "RSS",
    "TCP checksum offload IPv4",
    "jumbo frames",
  ]);
});
