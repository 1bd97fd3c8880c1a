import { expect, it } from "vitest";
import { unknownText } from "./labels";

it("says why a clock tells nothing of some hosts", () => {
  expect(unknownText("baseline", 1)).toBe("1 host without an accepted baseline");
  expect(unknownText("peers", 16)).toBe("16 hosts without peers to compare with");
  expect(unknownText("persisted", 2)).toBe("not known of 2 hosts");
});
