import { expect, it } from "vitest";
import { unknownText } from "./labels";

it("says why drift is unknown for some hosts", () => {
  expect(unknownText("baseline", 1)).toBe("1 host has no baseline");
  expect(unknownText("peers", 16)).toBe("16 hosts have no peers");
  expect(unknownText("persisted", 2)).toBe("2 hosts unknown");
});
